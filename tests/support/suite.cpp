// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/suite.h"

#include <algorithm>

namespace collscope {

std::vector<TestFactory>& testClasses()
{
    static std::vector<TestFactory> classes;
    return classes;
}

namespace {

/// "function" and "function:row" name a function of this class.
bool hasFunction(const QObject& test, const QString& argument)
{
    const QByteArray name = argument.section(QLatin1Char(':'), 0, 0).toLatin1() + "()";
    return test.metaObject()->indexOfMethod(name.constData()) >= test.metaObject()->methodOffset();
}

} // namespace

int runTests(const QStringList& arguments)
{
    const QStringList shard
        = qEnvironmentVariable("COLLSCOPE_SHARD", QStringLiteral("0/1")).split(QLatin1Char('/'));
    const int count = std::max(1, shard.value(1).toInt());
    QStringList functions;
    for (const TestFactory& make : testClasses()) {
        const std::unique_ptr<QObject> test = make();
        for (const QString& argument : arguments) {
            if (hasFunction(*test, argument))
                functions << argument;
        }
    }
    int failed = 0;
    for (std::size_t i = 0; i < testClasses().size(); ++i) {
        // In pairs: as it happens, the long ones lie at odd places.
        if (static_cast<int>(i) / 2 % count != shard.value(0).toInt())
            continue;
        const std::unique_ptr<QObject> test = testClasses()[i]();
        const auto isOfAnother = [&](const QString& argument) {
            return functions.contains(argument) && !hasFunction(*test, argument);
        };
        QStringList own = arguments;
        own.removeIf(isOfAnother);
        if (functions.isEmpty()
            || std::any_of(functions.begin(), functions.end(),
                           [&](const QString& function) { return own.contains(function); }))
            failed += QTest::qExec(test.get(), own);
    }
    return failed == 0 ? 0 : 1;
}

} // namespace collscope
