// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Jobs of which less can be told than it seems: short logs, slow ends, restarts, and logs of two jobs.

#include "metrics/export/history_report.h"
#include "metrics/export/written_report.h"
#include "metrics/history/job_text.h"
#include "tests/support/suite/run_folder.h"
#include "tests/support/suite/suite.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <cmath>
#include <cstdio>
#include <limits>

namespace collscope {

namespace {

constexpr std::int64_t beginSeconds = 1'754'000'000; // 2025-07-31 22:13:20 UTC

/// A clock of a log, without time zone.
std::string logTime(double seconds)
{
    const auto ms = std::llround(seconds * 1000);
    char text[40];
    std::snprintf(text, sizeof text, "2025-07-31 %02d:%02d:%02d,%03d", static_cast<int>(ms / 3'600'000),
                  static_cast<int>(ms / 60'000 % 60), static_cast<int>(ms / 1000 % 60),
                  static_cast<int>(ms % 1000));
    return text;
}

/// A line of Megatron-LM; the noise of half a percent is not random.
std::string megatron(int step, double ms, const std::string& clock = {})
{
    const double noise = 1 + 0.005 * std::sin(17.0 * step);
    return (clock.empty() ? "" : "[" + clock + "]") + " iteration " + std::to_string(step)
        + "/ 99999 | elapsed time per iteration (ms): " + std::to_string(ms * noise) + " |\n";
}

std::string titan(int step, double seconds, const std::string& label = {})
{
    return label + "[rank0]:[titan] " + logTime(seconds) + " - root - INFO - step: " + std::to_string(step)
        + "  loss: 4.63  grad_norm: 1.2  tps: 1,234\n";
}

/// A job of these files, and the report on it.
struct LoggedJob
{
    explicit LoggedJob(const std::vector<std::pair<std::string, std::string>>& files)
    {
        for (const auto& [name, text] : files)
            folder.write(name, text);
        model = folder.load("");
        if (model && model->history)
            report = jobReport(*model->history);
    }
    std::string text() const { return jobText(*model->history, report); }
    bool says(const char* words) const { return text().find(words) != std::string::npos; }

    RunFolder folder;
    TraceModelPtr model;
    JobReport report;
};

/// A communicator of four ranks on four hosts, as its members recorded it.
class RecordedRanks
{
public:
    explicit RecordedRanks(std::string operation = "AllReduce")
    {
        OperationClass& own = history.classes.emplace_back();
        own.operation = std::move(operation);
        own.bytes = 64 << 20;
        own.startIsStated = true;
    }
    /// Adds an attempt: `us` gives the duration of a member in a collective.
    template<typename Us>
    void attempt(const std::string& hash, std::int64_t afterSeconds, std::int64_t pid, int count, Us us)
    {
        std::uint32_t communicator = 0;
        while (communicator < history.communicators.size()
               && history.communicators[communicator].hash != hash)
            ++communicator;
        if (communicator == history.communicators.size())
            history.communicators.push_back({hash, "DP", 4, 4});
        for (int rank = 0; rank < 4; ++rank) {
            HistoryMember& own = history.members.emplace_back();
            own.communicator = communicator;
            own.rank = rank;
            own.host = "node-" + std::to_string(rank);
            own.pid = pid + rank;
            for (int i = 0; i < count; ++i) {
                own.operations.timeUs.push_back((beginSeconds + afterSeconds + i) * 1'000'000);
                own.operations.operationClass.push_back(0);
                own.operations.number.push_back(static_cast<std::uint32_t>(i));
                own.operations.durationUs.push_back(
                    static_cast<float>(us(i, rank) * (1 + 0.005 * std::sin(1.0 * i * i + rank))));
                own.operations.busGbPerSecond.push_back(std::numeric_limits<float>::quiet_NaN());
            }
        }
    }
    JobHistory history;
};

} // namespace

class TestJobDoubts : public QObject
{
    Q_OBJECT

private slots:
    void fewLinesCannotShowAChange()
    {
        std::string text;
        for (int i = 1; i <= 20; ++i)
            text += megatron(i, i <= 10 ? 1000 : 1300);
        const LoggedJob job({{"t.log", text}});
        QVERIFY(job.report.isTooLittle);
        QVERIFY2(job.report.verdict.starts_with("Too little"), job.report.verdict.c_str());
        // The least number of lines is one at which a change is found.
        std::string more;
        const int enough = static_cast<int>(fewestToldValues());
        for (int i = 1; i <= enough; ++i)
            more += megatron(i, i <= enough / 2 ? 1000 : 1300);
        QCOMPARE(LoggedJob({{"t.log", more}}).report.changes.size(), std::size_t{1});
    }

    void slowEndsAreNamed_data()
    {
        QTest::addColumn<int>("count");
        QTest::addColumn<int>("slow");
        QTest::newRow("long") << 1000 << 4;
        QTest::newRow("short") << 40 << 5;
        QTest::newRow("one") << 100 << 1;
    }

    void slowEndsAreNamed()
    {
        QFETCH(const int, count);
        QFETCH(const int, slow);
        std::string text;
        for (int i = 1; i <= count; ++i)
            text += megatron(i, i <= count - slow ? 1000 : 3000);
        const LoggedJob job({{"t.log", text}});
        QVERIFY(job.report.shape.slowEnd.has_value());
        QCOMPARE(job.report.shape.slowEnd->count, static_cast<std::size_t>(slow));
        QVERIFY2(job.report.verdict.starts_with("No lasting change"), job.report.verdict.c_str());
        QVERIFY2(job.report.verdict.find("too few to tell whether") != std::string::npos,
                 job.report.verdict.c_str());
    }

    void laterFilesAreAttempts()
    {
        std::string first, second;
        for (int i = 1; i <= 100; ++i)
            first += megatron(i, 1000, logTime(i));
        for (int i = 41; i <= 200; ++i)
            second += megatron(i, 1300, logTime(3600 + 1.3 * i));
        const LoggedJob job({{"slurm-100.log", first}, {"slurm-101.log", second}});
        QCOMPARE(job.report.series.restarts, std::size_t{1});
        QCOMPARE(job.report.changes.size(), std::size_t{1});
        const StepChange& change = *job.report.changes.front().steps;
        QCOMPARE(change.step, std::int64_t{41});
        QVERIFY(std::abs(change.afterNs / change.beforeNs - 1.3) < 0.01);
        QVERIFY2(job.says("An earlier attempt logged steps 41 to 100"), job.text().c_str());
    }

    void logsOfTwoJobsAreNotMixed()
    {
        std::string first, second;
        for (int i = 1; i <= 100; ++i) {
            first += megatron(i, 1000);
            second += megatron(i, 2000);
        }
        const LoggedJob job({{"a.log", first}, {"b.log", second}});
        for (const double ns : job.report.series.ns)
            QVERIFY(std::abs(ns / 1e9 - 1) < 0.02);
        QVERIFY2(job.report.verdict.find("Another log") != std::string::npos, job.report.verdict.c_str());
        // Ranks that say the same are one job.
        const LoggedJob alike({{"a.log", first}, {"b.log", first}});
        QVERIFY(alike.report.series.others.empty());
    }

    void restartsDoNotHideWhatWasBefore()
    {
        std::string text;
        for (int i = 1; i <= 300; ++i)
            text += megatron(i, 1000);
        for (int i = 1; i <= 40; ++i)
            text += megatron(i, 2000);
        const LoggedJob job({{"t.log", text}});
        QCOMPARE(job.report.series.restarts, std::size_t{1});
        QVERIFY2(job.report.verdict.find("An earlier attempt logged steps 1 to 300") != std::string::npos,
                 job.report.verdict.c_str());
    }

    void twoWritersAreNoRestart_data()
    {
        QTest::addColumn<bool>("isLabelled");
        QTest::newRow("labels of srun") << true;
        QTest::newRow("no labels") << false;
    }

    void twoWritersAreNoRestart()
    {
        QFETCH(const bool, isLabelled);
        std::string text;
        for (int i = 1; i <= 100; i += 2) { // the second writer comes two steps late
            for (const int step : {i, i + 1})
                text += titan(step, step, isLabelled ? "0: " : "");
            for (const int step : {i, i + 1})
                text += titan(step, step, isLabelled ? "1: " : "");
        }
        const LoggedJob job({{"slurm.out", text}});
        QCOMPARE(job.report.series.restarts, std::size_t{0});
        QVERIFY(std::abs(job.report.medianNs / 1e9 - 1) < 0.01);
    }

    void progressBarsAreNotFinerThanTheyAre()
    {
        std::string text;
        for (int i = 10; i <= 12'000; i += 10) {
            const int seconds = static_cast<int>(0.33 * i);
            char bar[80];
            std::snprintf(bar, sizeof bar, "\r 1%%|#  | %d/12000 [%02d:%02d:%02d<06:57,  3.00it/s]\r", i,
                          seconds / 3600, seconds / 60 % 60, seconds % 60);
            text += bar + std::string("{'loss': 0.87, 'learning_rate': 8.8e-05, 'epoch': 0.1}\n");
        }
        const LoggedJob job({{"t.log", text}});
        QVERIFY(job.report.series.isJoined);
        QVERIFY(job.report.series.size() > 50);
        QVERIFY(std::abs(job.report.medianNs / 1e9 - 0.33) < 0.01);
        QVERIFY(job.report.changes.empty() && !job.report.shape.periodic);
        for (const double ns : job.report.series.ns)
            QVERIFY(std::abs(ns / 0.33e9 - 1) < 0.03);
    }

    void linesThatAreNotUsedAreCounted()
    {
        std::string first, second;
        for (int i = 1; i <= 40; ++i) {
            first += megatron(i, 1000);
            second += titan(i, i);
        }
        const LoggedJob job({{"meg.log", first}, {"titan.log", second}});
        QVERIFY2(job.says("40 lines of TorchTitan about steps are not used"), job.text().c_str());
    }

    void recoveriesAreSaid()
    {
        std::string text;
        for (int i = 1; i <= 600; ++i)
            text += megatron(i, i >= 100 && i < 200 ? 1300 : 1000);
        const LoggedJob job({{"t.log", text}});
        QVERIFY2(job.report.verdict.find("They were back at") != std::string::npos,
                 job.report.verdict.c_str());
        QVERIFY2(job.report.verdict.find("at step 200.") != std::string::npos, job.report.verdict.c_str());
        QVERIFY2(job.says("no collectives of the NCCL Inspector"), job.text().c_str());
    }

    void whoIsAlwaysLastIsNamed()
    {
        RecordedRanks ranks;
        ranks.attempt("0xa", 0, 100, 200, [](int i, int rank) {
            return rank == 2 ? 100'000 : 100'000 + (i < 100 ? 20'000 : 80'000);
        });
        const JobReport report = jobReport(ranks.history);
        QCOMPARE(report.changes.size(), std::size_t{1});
        const Culprit& culprit = report.changes.front().culprit;
        QVERIFY2(culprit.kind == Culprit::Kind::LateProcess, culprit.text.c_str());
        QCOMPARE(ranks.history.members[culprit.members.front()].rank, 2);
    }

    void operationsThatAreLeftOneByOneAreNotJudged()
    {
        for (const char* const operation : {"Broadcast", "Reduce"}) {
            RecordedRanks ranks(operation);
            ranks.attempt("0xa", 0, 100, 200, [](int i, int rank) {
                return rank == 2 ? 100'000 : i < 100 ? 120'000 : 180'000;
            });
            const JobReport report = jobReport(ranks.history);
            QVERIFY(report.changes.empty());
            QCOMPARE(report.communication.notJudged, std::uint64_t{200});
            QVERIFY(report.isTooLittle);
        }
    }

    void communicatorsOfAttemptsAreCompared()
    {
        RecordedRanks ranks;
        ranks.attempt("0xa", 0, 100, 100, [](int, int) { return 100'000; });
        ranks.attempt("0xb", 300, 900, 100, [](int, int) { return 200'000; });
        const JobReport report = jobReport(ranks.history);
        QCOMPARE(report.communication.attempts.size(), std::size_t{1});
        QVERIFY2(report.verdict.find("seems to have been restarted") != std::string::npos,
                 report.verdict.c_str());
        RecordedRanks alike;
        alike.attempt("0xa", 0, 100, 100, [](int, int) { return 100'000; });
        alike.attempt("0xb", 300, 900, 100, [](int, int) { return 100'000; });
        QVERIFY(jobReport(alike.history).communication.attempts.empty());
    }

    void attemptsWithOneHashAreNotMixed()
    {
        RecordedRanks ranks;
        ranks.attempt("0xa", 0, 100, 100, [](int, int) { return 100'000; });
        ranks.attempt("0xa", 300, 900, 100, [](int, int) { return 200'000; });
        const JobReport report = jobReport(ranks.history);
        QCOMPARE(report.communication.rows.size(), std::size_t{2});
        for (const BandwidthRow& row : report.communication.rows) {
            QCOMPARE(row.members, std::size_t{4});
            QVERIFY(row.isOfAll);
        }
        QCOMPARE(report.communication.attempts.size(), std::size_t{1});
    }

    void guessedClocksAreMarkedInJson_data()
    {
        QTest::addColumn<bool>("isStated");
        QTest::newRow("local time") << false;
        QTest::newRow("UTC") << true;
    }

    void guessedClocksAreMarkedInJson()
    {
        QFETCH(const bool, isStated);
        RecordedRanks ranks;
        ranks.attempt("0xa", 0, 100, 300, [](int, int) { return 100'000; });
        for (int i = 1; i <= 300; ++i) {
            LoggedTime& line = ranks.history.steps.emplace_back();
            line.step = i;
            line.durationNs = std::llround((i <= 150 ? 1e9 : 1.4e9) * (1 + 0.005 * std::sin(17.0 * i)));
            line.clockNs = (beginSeconds + (isStated ? 0 : 2 * 3600) + i) * 1'000'000'000;
            line.clockIsUtc = isStated;
        }
        const JobReport report = jobReport(ranks.history);
        QCOMPARE(report.changes.size(), std::size_t{1});
        const QJsonObject json
            = QJsonDocument::fromJson(
                  QByteArray::fromStdString(jsonText(historyValue(ranks.history, report, Diagnostics()))))
                  .object();
        const QJsonObject change = json[QLatin1String("changes")][0].toObject();
        QCOMPARE(change[QLatin1String("clock_is_guessed")].toBool(isStated), !isStated);
        // Either way it is the same moment.
        QVERIFY2(change[QLatin1String("latest")].toString().startsWith(QLatin1String("2025-07-31 22:15:51")),
                 qPrintable(change[QLatin1String("latest")].toString()));
        QCOMPARE(report.changes.front().text.find("(time zone guessed)") == std::string::npos, isStated);
    }

    void logsOfAnotherTimeAreNotMatched()
    {
        const auto reportWith = [](bool hasClock) {
            RecordedRanks ranks;
            ranks.attempt("0xa", 0, 100, 300, [](int i, int) { return i < 150 ? 100'000 : 150'000; });
            for (int i = 1; i <= 300; ++i) {
                LoggedTime& line = ranks.history.steps.emplace_back();
                line.step = i;
                line.durationNs = std::llround((i <= 150 ? 1e9 : 1.4e9) * (1 + 0.005 * std::sin(17.0 * i)));
                if (hasClock) // a year before
                    line.clockNs = (beginSeconds - 366 * 86'400 + i) * 1'000'000'000;
            }
            return jobReport(ranks.history);
        };
        const JobReport other = reportWith(true), timeless = reportWith(false);
        QCOMPARE(other.changes.size(), std::size_t{2});
        for (const JobChange& change : other.changes)
            QVERIFY(change.steps.has_value() == change.communication.empty());
        QCOMPARE(timeless.changes.size(), std::size_t{1});
        QVERIFY(timeless.changes.front().steps && !timeless.changes.front().communication.empty());
        QCOMPARE(timeless.changes.front().latestNs, std::int64_t{0}); // only the Inspector states it
        QVERIFY(timeless.changes.front().text.find("which is a guess") != std::string::npos);
    }

    void namesCannotBreakLines()
    {
        for (const HistoryCommunicator& own :
             {HistoryCommunicator{"0xa", "D\nP\x1b[31m", 2, 1}, HistoryCommunicator{"0\nx\x1b", "DP", 2, 1},
              HistoryCommunicator{"0\nx\x1b", {}, 2, 1}}) {
            const std::string text = communicatorText(own);
            QVERIFY2(text.find('\n') == std::string::npos && text.find('\x1b') == std::string::npos,
                     text.c_str());
        }
        RecordedRanks ranks("All\nReduce\x1b");
        ranks.attempt("0xa", 0, 100, 1, [](int, int) { return 100'000; });
        const std::string text = jobText(ranks.history, jobReport(ranks.history));
        QVERIFY2(text.find("All\nReduce") == std::string::npos && text.find('\x1b') == std::string::npos,
                 text.c_str());
        QVERIFY2(text.find(", once, ") != std::string::npos, text.c_str());
    }

    void joinedLinesAreNotCountedAsSteps()
    {
        std::string text;
        for (int i = 1; i <= 200; ++i) {
            char bar[80];
            std::snprintf(bar, sizeof bar, "\r 1%%|#  | %d/12000 [%02d:%02d<06:57,  3.00it/s]\r", i,
                          i * 3 / 60, i * 3 % 60);
            text += bar + std::string("{'loss': 0.87, 'epoch': 0.1}\n");
        }
        const LoggedJob job({{"t.log", text}});
        QVERIFY(job.report.isTooLittle);
        QVERIFY2(job.report.verdict.find("fewer than 22 step times") != std::string::npos,
                 job.report.verdict.c_str());
        QVERIFY2(job.says("From one time to the next are 20 steps"), job.text().c_str());
    }

    void whoWaitsForEachOtherIsNotAccused()
    {
        RecordedRanks ranks; // in each communicator somebody is last who waits longer in the other one
        for (const auto& own : {std::pair("0xa", 2), std::pair("0xb", 1)})
            ranks.attempt(own.first, 0, 100, 200, [last = own.second](int i, int rank) {
                return rank == last ? 100'000 : 100'000 + (i < 100 ? 20'000 : 80'000);
            });
        const JobReport report = jobReport(ranks.history);
        QCOMPARE(report.changes.size(), std::size_t{1});
        const Culprit& culprit = report.changes.front().culprit;
        QVERIFY(culprit.kind == Culprit::Kind::Nobody && culprit.members.empty());
        QVERIFY2(culprit.text.find("those that come last wait or transfer longer in another")
                     != std::string::npos,
                 culprit.text.c_str());
    }

    void hostsThatAreNotStatedAreNotNamed()
    {
        RecordedRanks ranks;
        ranks.attempt("0xa", 0, 100, 200, [](int i, int rank) {
            return rank == 2 ? 100'000 : 100'000 + (i < 100 ? 20'000 : 80'000);
        });
        for (HistoryMember& own : ranks.history.members)
            own.host.clear();
        const JobReport report = jobReport(ranks.history);
        QCOMPARE(report.changes.size(), std::size_t{1});
        QVERIFY(report.changes.front().culprit.hosts.empty());
        RecordedRanks slower;
        slower.attempt("0xa", 0, 100, 200, [](int i, int) { return i < 100 ? 100'000 : 150'000; });
        for (HistoryMember& own : slower.history.members)
            own.host.clear();
        const std::string text = jobReport(slower.history).changes.front().culprit.text;
        QVERIFY2(text.find("the files do not name all hosts") != std::string::npos, text.c_str());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestJobDoubts)
#include "tst_job_doubts.moc"
