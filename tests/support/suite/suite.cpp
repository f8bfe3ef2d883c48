// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/suite/suite.h"

#include <QMetaMethod>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <utility>

namespace collscope {

std::vector<TestFactory>& testClasses()
{
    static std::vector<TestFactory> classes;
    return classes;
}

namespace {

/// A test class without its object: its name ("TestDemo") and its functions.
struct TestClass
{
    QString name;
    QStringList functions;
};

/// What Qt Test runs as a test.
bool isTestFunction(const QMetaMethod& method)
{
    static const QList<QByteArray> fixtures{"initTestCase", "cleanupTestCase", "init", "cleanup"};
    return method.access() == QMetaMethod::Private && method.methodType() == QMetaMethod::Slot
        && method.parameterCount() == 0 && !method.name().endsWith("_data")
        && !fixtures.contains(method.name());
}

std::vector<TestClass> classesOfProgram()
{
    std::vector<TestClass> classes;
    for (const TestFactory& make : testClasses()) {
        const std::unique_ptr<QObject> test = make();
        const QMetaObject& type = *test->metaObject();
        TestClass& added = classes.emplace_back();
        added.name = QString::fromLatin1(type.className()).section(QStringLiteral("::"), -1);
        for (int i = 0; i < type.methodCount(); ++i) {
            if (isTestFunction(type.method(i)))
                added.functions << QString::fromLatin1(type.method(i).name());
        }
    }
    return classes;
}

/// What the command line asks for. Without functions: all functions of the classes.
struct Request
{
    QStringList options; ///< for Qt Test
    QStringList classes;
    QStringList functions; ///< "function" or "function:row"
};

QString functionOf(const QString& name)
{
    return name.section(QLatin1Char(':'), 0, 0);
}

/// The options of Qt Test that are followed by a value.
bool takesValue(const QString& option)
{
    static const QList<QByteArray> options{
        "-o",          "-eventdelay", "-keydelay",     "-mousedelay",   "-maxwarnings",
        "-iterations", "-median",     "-minimumvalue", "-minimumtotal", "-perfcounter"};
    return options.contains(option.toLatin1());
}

/// The number of letters to insert, remove or replace that make one name of the other.
qsizetype editDistance(const QString& from, const QString& to)
{
    std::vector<qsizetype> row(static_cast<std::size_t>(to.size()) + 1);
    for (std::size_t j = 0; j < row.size(); ++j)
        row[j] = static_cast<qsizetype>(j);
    for (qsizetype i = 0; i < from.size(); ++i) {
        qsizetype diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 1; j < row.size(); ++j) {
            const bool isEqual = from[i].toLower() == to[static_cast<qsizetype>(j) - 1].toLower();
            const qsizetype replaced = diagonal + (isEqual ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row.back();
}

/// The problem, and the known names that are most like this one: those that contain it, then by their
/// letters.
QString withClosest(const QString& problem, const QString& name, QStringList known)
{
    known.removeDuplicates();
    const auto distance = [&](const QString& other) {
        return other.contains(name, Qt::CaseInsensitive) ? 0 : editDistance(name, other);
    };
    std::stable_sort(known.begin(), known.end(),
                     [&](const QString& a, const QString& b) { return distance(a) < distance(b); });
    return problem + QStringLiteral(" The closest: ") + known.mid(0, 5).join(QStringLiteral(", "));
}

QStringList functionsOf(const std::vector<TestClass>& known, const QStringList& classes)
{
    QStringList functions;
    for (const TestClass& one : known) {
        if (classes.isEmpty() || classes.contains(one.name))
            functions << one.functions;
    }
    return functions;
}

/// Sorts the arguments into the request. Answers the reason if one of them is the name of nothing.
std::optional<QString> readRequest(const QStringList& arguments, const std::vector<TestClass>& known,
                                   Request& request)
{
    QStringList classes;
    for (const TestClass& one : known)
        classes << one.name;
    for (qsizetype i = 0; i < arguments.size(); ++i) {
        const QString& argument = arguments[i];
        if (argument.startsWith(QLatin1Char('-'))) {
            request.options << argument;
            if (takesValue(argument) && i + 1 < arguments.size())
                request.options << arguments[++i];
        } else {
            (classes.contains(argument) ? request.classes : request.functions) << argument;
        }
    }
    const QStringList functions = functionsOf(known, request.classes);
    for (const QString& name : request.functions) {
        if (functions.contains(functionOf(name)))
            continue;
        if (!request.classes.isEmpty())
            return withClosest(QStringLiteral("%1 has no test function \"%2\".")
                                   .arg(request.classes.join(QStringLiteral(", ")), name),
                               functionOf(name), functions);
        return withClosest(QStringLiteral("No test class or test function is named \"%1\".").arg(name),
                           functionOf(name), classes + functions);
    }
    return std::nullopt;
}

void print(std::FILE* stream, const QString& text)
{
    std::fprintf(stream, "%s\n", qPrintable(text));
}

} // namespace

int runTests(const QStringList& arguments)
{
    const std::vector<TestClass> known = classesOfProgram();
    Request request;
    if (const std::optional<QString> problem = readRequest(arguments.mid(1), known, request)) {
        print(stderr, *problem);
        return 2;
    }
    if (request.options.contains(QStringLiteral("-classes"))) {
        for (const TestClass& one : known)
            print(stdout, one.name);
        return 0;
    }
    int failed = 0;
    for (std::size_t i = 0; i < known.size(); ++i) {
        if (!request.classes.isEmpty() && !request.classes.contains(known[i].name))
            continue;
        QStringList own = request.functions;
        own.removeIf([&](const QString& name) { return !known[i].functions.contains(functionOf(name)); });
        if (own.isEmpty() && !request.functions.isEmpty())
            continue;
        const std::unique_ptr<QObject> test = testClasses()[i]();
        failed += QTest::qExec(test.get(), arguments.mid(0, 1) + request.options + own);
    }
    return failed == 0 ? 0 : 1;
}

} // namespace collscope
