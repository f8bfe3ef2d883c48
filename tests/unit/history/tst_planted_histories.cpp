// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A hundred simulated jobs: when they became slower, and who made them so.

#include "metrics/export/history_report.h"
#include "metrics/export/written_report.h"
#include "metrics/history/job_text.h"
#include "tests/support/runs/planted_history.h"
#include "tests/support/suite/run_folder.h"
#include "tests/support/suite/suite.h"

#include <cstdlib>

namespace collscope {

namespace {

using Trouble = PlantedHistory::Trouble;

PlantedHistory plantedJob(int number)
{
    constexpr Trouble troubles[] = {
        Trouble::SlowNode, Trouble::SlowProcess, Trouble::SlowLink, Trouble::SlowRail, Trouble::None,
        Trouble::SlowNode, Trouble::SlowProcess, Trouble::SlowLink, Trouble::Drift,    Trouble::Checkpoints};
    PlantedHistory job;
    job.trouble = troubles[number % 10];
    job.format = static_cast<PlantedHistory::Format>(number / 10 % 5);
    job.seed = static_cast<std::uint32_t>(number + 1);
    job.isVerbose = number % 3 != 0;
    job.zoneMinutes = number % 4 * 90;
    job.hasLog = number % 7 != 6;
    return job;
}

/// A job, its files and the report on them.
struct ReportedJob
{
    explicit ReportedJob(PlantedHistory planted)
        : job(planted)
    {
        for (const auto& [name, text] : job.files())
            folder.write(name, text);
        model = folder.load("");
        if (model && model->history)
            report = jobReport(*model->history);
    }
    bool isTrouble() const
    {
        return job.trouble != Trouble::None && job.trouble != Trouble::Drift
            && job.trouble != Trouble::Checkpoints;
    }
    /// Whether a change is where the planted one is: by its step, or without a log by its collective, one per
    /// step.
    bool isPlanted(const JobChange& change) const
    {
        std::int64_t step = -1000;
        if (change.steps)
            step = change.steps->step;
        else if (!change.communication.empty())
            step = static_cast<std::int64_t>(change.communication.front().round) + 1;
        return change.isSlower && std::abs(step - job.changeAt) <= 2;
    }
    bool namesCulprit(const Culprit& culprit) const
    {
        const std::vector<std::string> host{PlantedHistory::host(job.node)};
        const auto& history = *model->history;
        switch (job.trouble) {
        case Trouble::SlowNode:
            return culprit.kind == Culprit::Kind::LateHost && culprit.hosts == host;
        case Trouble::SlowProcess:
            return culprit.kind == Culprit::Kind::LateProcess && culprit.hosts == host
                && history.members[culprit.members.front()].pid == PlantedHistory::pid(job.node, job.gpu);
        case Trouble::SlowLink:
            return culprit.kind == Culprit::Kind::TransferOfHost && culprit.hosts == host;
        case Trouble::SlowRail: // which of its hosts cannot be told
            return culprit.kind == Culprit::Kind::Transfer && culprit.hosts.empty()
                && culprit.communicators.size() == 1
                && history.communicators[culprit.communicators.front()].hash.ends_with(
                    std::to_string(job.gpu));
        default:
            return false;
        }
    }

    PlantedHistory job;
    RunFolder folder;
    TraceModelPtr model;
    JobReport report;
};

} // namespace

class TestPlantedHistories : public QObject
{
    Q_OBJECT

private slots:
    void findsWhatIsPlanted()
    {
        const int all = share(100, 20);
        int planted = 0, found = 0, named = 0, falseAlarms = 0;
        for (int number = 0; number < all; ++number) {
            const ReportedJob own(plantedJob(number));
            QVERIFY(own.model && own.model->history);
            QVERIFY(!own.report.isTooLittle);
            planted += own.isTrouble() ? 1 : 0;
            bool isFound = false, isNamed = false;
            for (const JobChange& change : own.report.changes) {
                const bool isOwn = own.isTrouble() && own.isPlanted(change);
                isFound = isFound || isOwn;
                isNamed = isNamed || (isOwn && own.namesCulprit(change.culprit));
                if (!isOwn) {
                    ++falseAlarms;
                    qInfo("job %d: %s", number, change.text.c_str());
                }
            }
            found += isFound ? 1 : 0;
            named += isNamed ? 1 : 0;
            if (own.isTrouble() && !isNamed)
                qInfo("job %d (change at %d): %s", number, own.job.changeAt,
                      jobText(*own.model->history, own.report).c_str());
        }
        qInfo("%d of %d changes found within two steps, %d culprits named, %d false alarms", found, planted,
              named, falseAlarms);
        QVERIFY(found * 100 >= planted * 95);
        QVERIFY(named * 100 >= planted * 95);
        QVERIFY(falseAlarms * 100 <= all);
    }

    void saysWhatIsNoChange()
    {
        PlantedHistory drifting, saving;
        drifting.trouble = Trouble::Drift;
        saving.trouble = Trouble::Checkpoints;
        const ReportedJob drift(drifting), checkpoints(saving);
        QVERIFY(drift.report.changes.empty());
        QCOMPARE(drift.report.shape.gradual.size(), std::size_t{1});
        QVERIFY(drift.report.verdict.find("gradually") != std::string::npos);
        QVERIFY(checkpoints.report.shape.periodic.has_value());
        QCOMPARE(checkpoints.report.shape.periodic->every, std::size_t{25});
    }

    void aMissingMemberAccusesNobody()
    {
        PlantedHistory job;
        job.trouble = Trouble::SlowProcess;
        auto files = job.files();
        // The process that is late did not record: the others seem to transfer more slowly.
        files.erase(PlantedHistory::host(job.node) + "-pid"
                    + std::to_string(PlantedHistory::pid(job.node, job.gpu)) + ".log");
        RunFolder folder;
        for (const auto& [name, text] : files)
            folder.write(name, text);
        const TraceModelPtr model = folder.load("");
        QVERIFY(model && model->history);
        const JobReport report = jobReport(*model->history);
        QCOMPARE(report.changes.size(), std::size_t{1});
        const Culprit& culprit = report.changes.front().culprit;
        for (const std::string& host : culprit.hosts)
            QCOMPARE(host, PlantedHistory::host(job.node));
        QVERIFY(culprit.text.find("not all members recorded") != std::string::npos
                || culprit.text.find("Not all members recorded") != std::string::npos);
    }

    void jsonHasTheSameFigures()
    {
        PlantedHistory job;
        job.trouble = Trouble::SlowNode;
        const ReportedJob own(job);
        const std::string json = jsonText(historyValue(*own.model->history, own.report, own.model->problems));
        QVERIFY(json.find("\"schema\": \"collscope.history/1\"") != std::string::npos);
        QVERIFY(json.find("\"step\": " + std::to_string(own.report.changes.front().steps->step))
                != std::string::npos);
        QVERIFY(json.find("late_host") != std::string::npos);
    }

    void tooLittleIsNoAnswer()
    {
        PlantedHistory job;
        job.steps = 12;
        const ReportedJob own(job);
        QVERIFY(own.report.isTooLittle);
        QVERIFY(own.report.changes.empty());
        QVERIFY(own.report.verdict.find("Too little") != std::string::npos);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestPlantedHistories)
#include "tst_planted_histories.moc"
