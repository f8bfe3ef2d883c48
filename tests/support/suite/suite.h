// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One executable holds many Qt Test classes: COLLSCOPE_TEST(Class) at the end of a file adds its class to the
// run.

#include <QTest>

#include <functional>
#include <memory>
#include <vector>

namespace collscope {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool isSanitized = true;
#elif defined(__has_feature)
constexpr bool isSanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool isSanitized = false;
#endif
/// How much of a test that tries very many cases a sanitized program has time for: all else, a part.
constexpr int share(int all, int part)
{
    return isSanitized ? part : all;
}

using TestFactory = std::function<std::unique_ptr<QObject>()>;
/// Every class of this executable, in link order.
std::vector<TestFactory>& testClasses();
/// Runs the classes one after the other: all, or those that the arguments name, with all their functions or
/// those that are named ("function" or "function:row"). "-classes" lists them; other options are Qt Test's.
/// Returns main()'s exit code: 2 if an argument is the name of nothing, with the closest names on stderr.
int runTests(const QStringList& arguments);

struct TestRegistration
{
    explicit TestRegistration(TestFactory factory) { testClasses().push_back(std::move(factory)); }
};

} // namespace collscope

// A static object is enough here: test files are linked as objects, not out of a library that could drop
// them.
#define COLLSCOPE_TEST(Class)                                                                                \
    static const collscope::TestRegistration testRegistration([] { return std::make_unique<Class>(); });
