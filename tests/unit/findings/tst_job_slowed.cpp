// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A run with traces, and the logs of its job beside them.

#include "model/witnesses/job_history.h"
#include "tests/support/runs/collective_run.h"
#include "tests/support/runs/findings_of.h"
#include "tests/support/runs/planted_history.h"
#include "tests/support/suite/suite.h"
#include "tests/support/workloads/run_writer.h"

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
