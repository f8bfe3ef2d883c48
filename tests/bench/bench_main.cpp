// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// bench: what loading, drawing and metrics cost on this machine, beside what the machine can do at best.

#include "tests/bench/bench_report.h"
#include "tests/bench/child.h"
#include "tests/bench/suites.h"
#include "tests/bench/window_child.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QTemporaryDir>

#include <cstdio>

using namespace collscope::bench;

int main(int argc, char** argv)
{
    if (argc > 1 && std::string_view(argv[1]) == "--child") {
        const QCoreApplication application(argc, argv);
        return runChild(QCoreApplication::arguments().mid(2));
    }
    qputenv("QT_QPA_PLATFORM", "offscreen");
    qputenv("QT_LOGGING_RULES", "default.warning=false"); // of the offscreen platform, among the figures
    const QApplication application(argc, argv);
    if (argc > 2 && std::string_view(argv[1]) == "--child-window")
        return runWindowChild(QString::fromLocal8Bit(argv[2]));
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral("Measures Collscope beside the limits of this machine."));
    parser.addHelpOption();
    parser.addOptions({
        {QStringLiteral("json"), QStringLiteral("Also write the figures to FILE."), QStringLiteral("FILE")},
        {QStringLiteral("only"), QStringLiteral("Some suites of: ") + suiteNames(), QStringLiteral("LIST")},
        {QStringLiteral("runs"), QStringLiteral("Runs of each measurement (5)."), QStringLiteral("N"),
         QStringLiteral("5")},
        {QStringLiteral("data"), QStringLiteral("Keep the generated files in this folder."),
         QStringLiteral("DIR")},
        {QStringLiteral("prototype"), QStringLiteral("A program that loads traces, to compare with."),
         QStringLiteral("FILE")},
        {QStringLiteral("smoke"), QStringLiteral("Small inputs, one run: does everything still work?")},
    });
    parser.process(application);

    const QTemporaryDir temporary;
    Settings settings;
    settings.smoke = parser.isSet(QStringLiteral("smoke"));
    settings.runs = settings.smoke ? 1 : std::max(1, parser.value(QStringLiteral("runs")).toInt());
    settings.folder
        = parser.isSet(QStringLiteral("data")) ? parser.value(QStringLiteral("data")) : temporary.path();
    settings.prototype = parser.value(QStringLiteral("prototype"));
    Report report;
    if (!runSuites(settings, parser.value(QStringLiteral("only")), report)) {
        std::fprintf(stderr, "bench: --only takes some of: %s\n", qPrintable(suiteNames()));
        return 1;
    }
    const QString json = parser.value(QStringLiteral("json"));
    if (!json.isEmpty() && !report.writeJson(json)) {
        std::fprintf(stderr, "bench: cannot write %s\n", qPrintable(json));
        return 1;
    }
    return report.hasFailures() ? 1 : 0;
}
