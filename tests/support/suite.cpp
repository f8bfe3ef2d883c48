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

/// "TestDemo" names a class.
bool isNamed(const QObject& test, const QString& argument)
{
    const QLatin1String name(test.metaObject()->className());
    return name == argument || name.endsWith(QLatin1String("::") + argument);
}

/// Whether one of the arguments names one of the classes. Those do not reach Qt Test.
bool takeClasses(QStringList& arguments, QStringList& classes)
{
    for (const TestFactory& make : testClasses()) {
        const std::unique_ptr<QObject> test = make();
        for (const QString& argument : arguments) {
            if (isNamed(*test, argument))
                classes << argument;
        }
    }
    arguments.removeIf([&](const QString& argument) { return classes.contains(argument); });
    return !classes.isEmpty();
}

} // namespace

int runTests(QStringList arguments)
{
    QStringList classes;
    const bool areChosen = takeClasses(arguments, classes);
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
        const auto names = [&](const QString& name) { return isNamed(*test, name); };
        if (areChosen && std::none_of(classes.begin(), classes.end(), names))
            continue;
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
