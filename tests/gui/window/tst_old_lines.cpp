// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Lines without a command, as version 1 had them, and the commands that they are translated into.

#include "app/cli/command_line.h"
#include "app/cli/command_old_lines.h"
#include "app/commands/command_metrics.h"
#include "app/commands/command_report.h"
#include "tests/support/suite/suite.h"

#include <QtTest>

#include <sstream>

namespace collscope {

class TestOldLines : public QObject
{
    Q_OBJECT

    static std::vector<std::string> words(const std::string& line)
    {
        std::istringstream stream(line);
        return {std::istream_iterator<std::string>(stream), {}};
    }
    static QByteArray translated(const std::string& line, bool isMerge = false)
    {
        const auto given = splitWords(oldLineOptions(), words(line));
        const auto call = given ? translateOldLine(*given, isMerge) : Result<CommandCall>(given.error());
        return QByteArray::fromStdString(call ? wordsOf(*call) : "error: " + call.error().message);
    }
    static QByteArray mistakeOf(const std::string& line)
    {
        const ParsedLine parsed = parseCommandLine("collscope", words(line));
        return parsed.exitCode == 1 ? QByteArray::fromStdString(parsed.message) : "exit code 0";
    }

private slots:
    void oldLinesAreCommands_data()
    {
        QTest::addColumn<std::string>("line");
        QTest::addColumn<QByteArray>("command");
        const auto row = [](const char* line, const char* command) {
            QTest::newRow(line) << std::string(line) << QByteArray(command);
        };
        row("RUN", " RUN"); // the window
        row("--demo --theme dark", " --demo --theme dark");
        row("--baseline A --test B C", " --baseline A --test B C");
        row("--screenshot p.png --tab Lateness RUN", "screenshot --output p.png --tab Lateness RUN");
        row("--batch --screenshot p.png RUN", "screenshot --output p.png RUN");
        row("--batch RUN", "metrics RUN");
        row("--batch RUN --metric a,b --json", "metrics RUN --metric a,b --json");
        row("--batch --metrics a b RUN --json", "metrics --metrics a b RUN --json");
        row("--batch --trace RUN --metric=mfu", "metrics --workload-dir RUN --metric mfu");
        // Names belong to runs in their order, however the runs are given.
        row("--batch A --name X --trace B --name Y", "metrics A --name X --workload-dir B --name Y");
        row("--batch --workload-dir RUN --tools a,b", "metrics --workload-dir RUN --tools a,b");
        row("--batch --list", "metrics --list");
        row("--batch --list-metrics --markdown", "metrics --list --markdown");
        row("--batch RUN --summary OUT", "metrics RUN --summary OUT");
        row("--batch --write-scripts OUT", "metrics --write-scripts OUT");
        row("--batch --trace-base DIR --output OUT", "metrics DIR --iteration all --output OUT");
        row("--batch --trace-base DIR --iteration 3", "metrics DIR --iteration all");
        row("--batch RUN --format json", "metrics RUN --json");
        row("--batch RUN --format table", "metrics RUN");
        row("--batch --explain mfu RUN", "explain --metric mfu RUN");
        row("--batch --explain=mfu --metric x RUN", "explain --metric mfu RUN");
        row("--batch RUN --explain-step 24 --json", "explain RUN --step 24 --json");
        row("--batch --report individual,collective RUN --output OUT",
            "report --kind individual,collective RUN --output OUT");
        row("--batch RUN --kernel-summary", "report RUN --kernel-summary");
        row("--batch RUN --kernel-summary=k.csv", "report RUN --kernel-summary k.csv");
        row("--batch --doctor RUN --json", "doctor RUN --json");
        row("--batch --doctor RUN --write-clean OUT -v", "doctor RUN --write-clean OUT --verbose");
        row("--batch --baseline A --test B --output OUT", "compare --baseline A --test B --output OUT");
        row("--batch --write-kit DIR", "kit DIR");
        // A selection that the command does not have has no effect, as always.
        row("--batch --doctor RUN --rank 3 --steps all", "doctor RUN");
        row("--batch --write-kit DIR --threads 2", "kit DIR");
    }
    void oldLinesAreCommands()
    {
        QFETCH(const std::string, line);
        QFETCH(const QByteArray, command);
        QCOMPARE(translated(line), command);
    }
    void optionsOfTheMergeChooseACommand()
    {
        QCOMPARE(translated("DIR --allow-missing --json", true),
                 QByteArray("merge DIR --allow-missing --json"));
        QCOMPARE(translated("DIR --report text", true), QByteArray("report DIR --kind text --parts"));
        QCOMPARE(translated("DIR --explain mfu", true), QByteArray("explain DIR --metric mfu --parts"));
    }
    void mistakes_data()
    {
        QTest::addColumn<std::string>("line");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char* line, const char* says) {
            QTest::newRow(line) << std::string(line) << QByteArray(says);
        };
        row("RUN --json", "--json needs --batch.");
        row("RUN --doctor", "--doctor needs --batch.");
        row("RUN --size 800x600", "--size requires --screenshot.");
        row("--screenshot p.png RUN --rank 2", "--rank needs --batch.");
        row("--batch RUN --theme dark", "--theme applies to --batch screenshot, not to --batch metrics.");
        row("--batch --doctor RUN --csv -",
            "--csv applies to --batch metrics, --batch explain, --batch what-if, --batch ");
        row("--batch RUN --threshold 3",
            "--threshold applies to --batch page and --batch compare, not to --batch metrics.");
        row("--batch --doctor --report text RUN", "--report and --doctor are separate jobs");
        row("--batch --baseline A --test B --doctor", "--baseline and --doctor are separate jobs");
        row("--batch RUN --nonsense", "collscope --batch metrics has no option --nonsense");
        // A command has its own options, and no others.
        row("--batch doctor RUN --csv -", "collscope --batch doctor has no option --csv");
        row("--batch doctor RUN --rank 3", "collscope --batch doctor has no option --rank");
        row("--batch kit a b", "collscope --batch kit takes one DIR.");
        row("--batch kit DIR --json", "collscope --batch kit has no option --json");
        row("--batch metrics RUN --doctor", "collscope --batch metrics has no option --doctor");
        row("--batch screenshot RUN", "--output is required.");
        row("--batch explain RUN", "--metric METRIC or --step N");
        row("--batch report RUN", "--kind");
        row("--batch compare RUN --output OUT", "BASELINE TEST");
        row("--batch doctor", "Give a run directory");
        row("--batch metrics RUN --csv a --csv b", "--csv can be given only once.");
        row("--batch metrics RUN --json=yes", "--json takes no value.");
        row("--screenshot --help", "--screenshot needs a value: --screenshot FILE");
        row("--batch metrics RUN --csv --json", "--csv needs a value");
        row("--batch metrics RUN --top 0", "--top takes a whole number from 1 to 10000, not '0'.");
        row("--batch metrics RUN --width wide", "--width takes a number from 3 to 60, not 'wide'.");
    }
    void mistakes()
    {
        QFETCH(const std::string, line);
        QFETCH(const QByteArray, says);
        const QByteArray mistake = mistakeOf(line);
        QVERIFY2(mistake.startsWith("collscope: ") && mistake.contains(says), mistake.constData());
    }
    void valuesArriveInTheCommand()
    {
        const ParsedLine parsed = parseCommandLine(
            "/usr/bin/ccl-metrics",
            words("A B --metric avg_step_time -v --threads=3 --csv out.csv --steps 2-4 --rank 1 --name x"));
        const auto* const command = dynamic_cast<const MetricsCommand*>(parsed.command.get());
        QVERIFY2(command, parsed.message.c_str());
        QCOMPARE(command->input.paths, (std::vector<std::string>{"A", "B"}));
        QCOMPARE(command->input.names, std::vector<std::string>{"x"});
        QVERIFY(command->input.verbose && command->input.threads == 3 && !command->input.isParts);
        QCOMPARE(command->requests.size(), std::size_t{1});
        QCOMPARE(command->csvFile, std::string("out.csv"));
        QVERIFY(command->selection.options.steps.first == 2 && command->selection.options.steps.last == 4);
        QCOMPARE(command->selection.options.rank, std::optional<std::int32_t>(1));
        const ParsedLine merged = parseCommandLine("collscope", words("--batch merge DIR"));
        const auto* const merge = dynamic_cast<const MetricsCommand*>(merged.command.get());
        QVERIFY(merge && merge->input.isParts);
        const ParsedLine text = parseCommandLine("collscope", words("--batch RUN --report text"));
        const auto* const report = dynamic_cast<const ReportCommand*>(text.command.get());
        QVERIFY(report && report->job == ReportCommand::Job::Text);
        QCOMPARE(report->books.folder, std::string("trace_analysis"));
    }
    void aNegativeNumberIsAValue()
    {
        CommandOptions options;
        std::vector<std::string> paths, rest;
        options.texts("PATH", paths, OptionSpec::Takes::Many, "", "");
        options.texts("--", rest, OptionSpec::Takes::Rest, "", "");
        bool isLoud = false;
        int threads = 0;
        options.flag("-v,--verbose", isLoud, "");
        options.number("-j,--threads", threads, -9, 9, "");
        const auto given = splitWords(options, {"-5", "-vj", "-4", "-", "--", "-v", "x"});
        QVERIFY(given);
        QVERIFY(storeValues(options, *given, ""));
        QCOMPARE(paths, (std::vector<std::string>{"-5", "-"}));
        QCOMPARE(rest, (std::vector<std::string>{"-v", "x"}));
        QVERIFY(isLoud && threads == -4);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestOldLines)
#include "tst_old_lines.moc"
