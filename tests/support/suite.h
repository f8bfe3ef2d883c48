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
/// Runs them one after the other; functions that are named, in the classes that have them.
/// COLLSCOPE_SHARD=1/3 in the environment: every third pair, from the second on. Answers main()'s exit code.
int runTests(QStringList arguments);

struct TestRegistration
{
    explicit TestRegistration(TestFactory factory) { testClasses().push_back(std::move(factory)); }
};

} // namespace collscope

// A static object is enough here: test files are linked as objects, not out of a library that could drop
// them.
#define COLLSCOPE_TEST(Class)                                                                                \
    static const collscope::TestRegistration testRegistration([] { return std::make_unique<Class>(); });
