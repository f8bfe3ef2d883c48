// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A run with traces, and the logs of its job beside them.

#include "model/witnesses/job_history.h"
#include "tests/support/runs/collective_run.h"
#include "tests/support/runs/findings_of.h"
#include "tests/support/runs/planted_history.h"
#include "tests/support/suite/suite.h"
#include "tests/support/workloads/run_writer.h"

#include <chrono>
#include <cmath>
#include <cstdio>

namespace collscope {

namespace {

constexpr std::int64_t traceBeginUs = 1'700'000'000'000'000; // of CollectiveRun::wallClock()
constexpr std::int64_t hourUs = 3'600'000'000;

/// A small traced run, with the files of a job beside it that begins so much later.
TraceModelPtr tracedJob(PlantedHistory job, std::int64_t laterUs, bool hasWallClock = true)
{
    CollectiveRun run;
    if (hasWallClock)
        run.wallClock();
    for (int step = 0; step < 4; ++step) {
        run.step(0, step, 10'000 * step, 10'000);
        run.compute(0, 10'000 * step, 8000);
    }
    job.beginUs = traceBeginUs + laterUs;
    for (const auto& [name, text] : job.files())
        writeFile(std::filesystem::path(run.folder()) / name, text);
    return run.load();
}

/// What the finding says of a small traced run beside a log of 600 steps in UTC. `msOf` gives the duration of
/// a step in ms; the traces begin `recordedAt` seconds after the log.
template<typename Ms>
std::string titleBeside(Ms msOf, double recordedAt)
{
    CollectiveRun run;
    run.wallClock();
    run.compute(0, 0, 8000);
    std::string log;
    std::int64_t ms = traceBeginUs / 1000 - std::llround(recordedAt * 1000);
    for (int step = 1; step <= 600; ++step) {
        const double own = msOf(step) * (1 + 0.005 * std::sin(17.0 * step));
        ms += std::llround(own);
        const std::chrono::sys_time<std::chrono::milliseconds> now{std::chrono::milliseconds(ms)};
        const auto day = std::chrono::floor<std::chrono::days>(now);
        const std::chrono::year_month_day date(day);
        const auto time = (now - day).count();
        char text[160];
        std::snprintf(text, sizeof text,
                      " [%04d-%02u-%02u %02d:%02d:%02d.%03dZ] iteration %d/ 600 | elapsed time per iteration "
                      "(ms): %.3f |\n",
                      static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                      static_cast<unsigned>(date.day()), static_cast<int>(time / 3'600'000),
                      static_cast<int>(time / 60'000 % 60), static_cast<int>(time / 1000 % 60),
                      static_cast<int>(time % 1000), step, own);
        log += text;
    }
    writeFile(std::filesystem::path(run.folder()) / "train.log", log);
    const Findings findings = findingsOf(*run.load());
    const auto found = allOf(findings, FindingKind::JobSlowed);
    return found.size() == 1 ? found.front()->title : std::string();
}

PlantedHistory slowNode()
{
    PlantedHistory job;
    job.trouble = PlantedHistory::Trouble::SlowNode;
    return job;
}

} // namespace

class TestJobSlowed : public QObject
{
    Q_OBJECT

private slots:
    void saysSinceWhenAndWhere()
    {
        const TraceModelPtr model = tracedJob(slowNode(), -hourUs);
        QVERIFY(model && model->history);
        const Findings findings = findingsOf(*model);
        const auto found = allOf(findings, FindingKind::JobSlowed);
        QCOMPARE(found.size(), std::size_t{1});
        const std::string& title = found.front()->title;
        QVERIFY2(title.starts_with("Step times rose by "), title.c_str());
        QVERIFY2(title.find("processes on `node-") != std::string::npos, title.c_str());
        QVERIFY2(title.find("recorded after that") != std::string::npos, title.c_str());
        QVERIFY2(title.find("(the log's time zone is a guess)") != std::string::npos, title.c_str());
        QCOMPARE(found.front()->costNs, std::int64_t{0});
    }

    void saysWhereTheRecordingLies()
    {
        const auto titleOf = [](const TraceModelPtr& model) {
            const Findings findings = findingsOf(*model);
            const auto found = allOf(findings, FindingKind::JobSlowed);
            return found.empty() ? std::string() : found.front()->title;
        };
        const std::string before = titleOf(tracedJob(slowNode(), hourUs));
        QVERIFY2(before.find("recorded before that") != std::string::npos, before.c_str());
        const std::string unknown = titleOf(tracedJob(slowNode(), 0, false));
        QVERIFY2(unknown.find("cannot be told") != std::string::npos, unknown.c_str());
    }

    void saysWhetherTheJobWasSlowThen_data()
    {
        QTest::addColumn<double>("recordedAt"); // seconds after the log began
        QTest::addColumn<int>("slowAgainAt"); // 0: never
        QTest::addColumn<QString>("sentence"); // the last one
        // Steps take 1 s, those from 200 to 399 take 2 s.
        QTest::newRow("before") << 100.0 << 0 << " The traced steps were recorded before that.";
        QTest::newRow("at") << 200.0 << 0 << " The traced steps were recorded at that time.";
        QTest::newRow("slow") << 400.0 << 0 << " The traced steps were recorded after that.";
        QTest::newRow("fast again")
            << 700.0 << 0 << " The traced steps were recorded after that, when the steps were fast again.";
        QTest::newRow("slow again") << 780.0 << 500 << " The traced steps were recorded after that.";
        QTest::newRow("between")
            << 650.0 << 500 << " The traced steps were recorded after that, when the steps were fast again.";
        QTest::newRow("after the log")
            << 90'000.0 << 0
            << " The traced steps were recorded after that, and after these files end: whether the job was "
               "slow then cannot be told.";
    }

    void saysWhetherTheJobWasSlowThen()
    {
        QFETCH(const double, recordedAt);
        QFETCH(const int, slowAgainAt);
        QFETCH(const QString, sentence);
        const std::string title = titleBeside(
            [slowAgainAt](int step) {
                const bool isSlowAgain = slowAgainAt > 0 && step >= slowAgainAt;
                return step >= 200 && step < 400 ? 2000 : isSlowAgain ? 1500 : 1000;
            },
            recordedAt);
        QVERIFY2(title.ends_with(sentence.toStdString()), title.c_str());
    }

    void saysNothingOfASteadyJob()
    {
        for (const auto trouble : {PlantedHistory::Trouble::None, PlantedHistory::Trouble::Checkpoints}) {
            PlantedHistory job;
            job.trouble = trouble;
            const TraceModelPtr model = tracedJob(job, 0);
            QVERIFY(model && model->history);
            QVERIFY(allOf(findingsOf(*model), FindingKind::JobSlowed).empty());
        }
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestJobSlowed)
#include "tst_job_slowed.moc"
