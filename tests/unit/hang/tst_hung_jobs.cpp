// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Whole jobs that hung: real ones, with labels of those who made them hang, and simulated ones of the oracle.

#include "app/runtime/thread_pool.h"
#include "metrics/export/hang_report.h"
#include "metrics/export/written_report.h"
#include "metrics/hang/verdict_text.h"
#include "tests/support/runs/hung_job.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/suite.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>

#include <nlohmann/json.hpp>

Q_DECLARE_METATYPE(std::set<std::int32_t>)

namespace collscope {

namespace {

using Ranks = std::set<std::int32_t>;

/// What is accused, also conditionally, and what is named without being accused.
struct Blame
{
    Ranks accused, candidates;
    std::set<std::string> classes;
};

Blame blameOf(const HangVerdict& verdict)
{
    Blame blame;
    for (const auto* findings : {&verdict.findings, &verdict.suspects}) {
        for (const ReportedFinding& finding : *findings) {
            blame.accused.insert(finding.ranks.begin(), finding.ranks.end());
            blame.candidates.insert(finding.candidates.begin(), finding.candidates.end());
            blame.classes.emplace(hangClassName(finding.hangClass));
        }
    }
    return blame;
}

bool isWithin(const Ranks& few, const Ranks& many)
{
    return std::includes(many.begin(), many.end(), few.begin(), few.end());
}

HangVerdict judged(const TraceModelPtr& model)
{
    return model && model->hang ? judgeHang(*model->hang, model->strings, {}) : HangVerdict();
}

HangVerdict judged(const std::string& folder)
{
    const auto model = loadPath(folder);
    return judged(model ? *model : nullptr);
}

/// A copy of a folder, with its times, in which a file can be missing.
void copyFolder(const QString& from, const QString& to, const QString& except)
{
    for (const QString& name : QDir(from).entryList(QDir::Files)) {
        const std::filesystem::path source = (from + u'/' + name).toStdString();
        const std::filesystem::path target = (to + u'/' + name).toStdString();
        if (name == except)
            continue;
        std::filesystem::copy_file(source, target);
        std::filesystem::permissions(target, std::filesystem::perms::owner_all);
        std::filesystem::last_write_time(target, std::filesystem::last_write_time(source));
    }
}

std::string jsonOf(const TraceModelPtr& model)
{
    return jsonText(hangValue(judged(model), model->problems));
}

/// A simulated job, and what was planted in it.
struct SimulatedJob
{
    QTemporaryDir folder;
    nlohmann::json truth;

    QString path() const { return folder.path() + QStringLiteral("/job"); }
    Ranks ranks(const char* key) const { return truth.at(key).get<Ranks>(); }
    /// Whoever may be accused.
    Ranks guilty() const
    {
        Ranks all = ranks("culprits");
        all.merge(ranks("symmetric"));
        all.merge(ranks("unseen"));
        return all;
    }
};

/// nullptr without the oracle or python3.
std::unique_ptr<SimulatedJob> simulatedJob(const QString& kind, int number, int world)
{
    const QString generator = oracleFolder() + QStringLiteral("/hang/gen_hangs.py");
    const QString python = QStandardPaths::findExecutable(QStringLiteral("python3"));
    if (!QFile::exists(generator) || python.isEmpty())
        return nullptr;
    auto job = std::make_unique<SimulatedJob>();
    QProcess process;
    process.start(python,
                  {generator, job->path(), QStringLiteral("--seed"), QString::number(number),
                   QStringLiteral("--kind"), kind, QStringLiteral("--world"), QString::number(world),
                   QStringLiteral("--quick")});
    if (!process.waitForFinished(120'000) || process.exitCode() != 0)
        return nullptr;
    QFile truth(job->path() + QStringLiteral("/truth.json"));
    if (!truth.open(QIODevice::ReadOnly))
        return nullptr;
    job->truth = nlohmann::json::parse(truth.readAll().toStdString());
    truth.remove();
    return job;
}

} // namespace

class TestHungJobs : public QObject
{
    Q_OBJECT

private slots:
    void realJobs_data() { realRows(); }
    /// By the labels of those who made them hang, and by the counters in the dumps.
    void realJobs()
    {
        QFETCH(const QString, folder);
        QFETCH(const Ranks, ranks);
        QFETCH(const QString, kind);
        QFETCH(const QStringList, sentences);
        const QString path = realFolder(folder);
        if (!QFile::exists(path))
            QSKIP("needs the real traces (COLLSCOPE_TRACES)");
        const HangVerdict verdict = judged(path.toStdString());
        QCOMPARE(verdict.hang, HangVerdict::Hang::Yes); // though the file times are those of a copy
        const Blame blame = blameOf(verdict);
        QCOMPARE(blame.accused, ranks);
        QCOMPARE(blame.candidates, Ranks());
        QCOMPARE(blame.classes, std::set<std::string>{kind.toStdString()});
        std::string text;
        for (const ReportedFinding& finding : verdict.findings)
            text += finding.text + "\n";
        for (const QString& sentence : sentences)
            QVERIFY2(holds(text, sentence.toStdString()), text.c_str());
        QCOMPARE(verdict.victims.size(), std::size_t{14});
        QCOMPARE(verdict.coverage, 1.0);
    }
    void realJobsWithoutOneDump_data() { realRows(); }
    void realJobsWithoutOneDump()
    {
        QFETCH(const QString, folder);
        QFETCH(const Ranks, ranks);
        const QString path = realFolder(folder);
        if (!QFile::exists(path))
            QSKIP("needs the real traces (COLLSCOPE_TRACES)");
        int complete = 0;
        for (const QString& name : QDir(path).entryList(QDir::Files)) {
            const QTemporaryDir copy;
            copyFolder(path, copy.path(), name);
            const Ranks accused = blameOf(judged(copy.path().toStdString())).accused;
            QVERIFY2(isWithin(accused, ranks), qPrintable(name));
            complete += accused == ranks ? 1 : 0;
        }
        QVERIFY(complete >= 10); // most dumps are not needed
    }

    void simulatedJobs_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<int>("number");
        QTest::addColumn<int>("world");
        QTest::addColumn<QString>("outcome"); // as much as the dumps can tell
        const auto row = [](const char* kind, int number, int world, const char* outcome) {
            QTest::addRow("%s %d of %d", kind, number, world)
                << QString::fromLatin1(kind) << number << world << QString::fromLatin1(outcome);
        };
        row("cpu", 2, 8, "accused"); // active calls as JSON, a lost dump
        row("cpu", 4, 8, "accused"); // file times of a copy, two lost dumps
        row("cpu2", 5, 16, "accused");
        row("in_nccl", 2, 8, "accused");
        row("in_nccl", 5, 16, "another class"); // without counters: all seem to have joined
        row("gpu", 2, 8, "open"); // without start times
        row("gpu", 12, 8, "accused");
        row("gpu_error", 6, 8, "accused"); // two lost dumps
        row("dead", 4, 8, "open");
        row("diverge", 3, 16, "accused"); // short rings
        row("size", 4, 8, "accused");
        row("dtype", 4, 8, "open"); // one word against the other
        row("a2a", 1, 16, "open"); // totals of a group
        row("p2p_order", 2, 8, "accused");
        row("order", 2, 16, "accused");
        row("cascade", 6, 16, "accused"); // a dump that is cut off
        row("finished", 8, 8, "accused");
        row("one_group", 6, 8, "accused");
        row("healthy", 2, 8, "nobody");
        row("healthy", 8, 8, "nobody"); // file times of a copy
        row("done", 2, 8, "nobody");
    }
    void simulatedJobs()
    {
        QFETCH(const QString, kind);
        QFETCH(const int, number);
        QFETCH(const int, world);
        QFETCH(const QString, outcome);
        const auto job = simulatedJob(kind, number, world);
        if (!job)
            QSKIP("needs the oracle (COLLSCOPE_ORACLE) and python3");
        const HangVerdict verdict = judged(job->path().toStdString());
        const Blame blame = blameOf(verdict);
        const Ranks culprits = job->ranks("culprits");
        QVERIFY2(isWithin(blame.accused, job->guilty()), verdict.text.c_str());
        if (outcome == u"nobody") {
            QVERIFY(verdict.hang != HangVerdict::Hang::Yes && verdict.findings.empty());
            const bool areTimesTrue = job->truth["evidence"]["mtime"] == "true";
            QCOMPARE(verdict.hang == HangVerdict::Hang::No, areTimesTrue || kind == u"done");
            return;
        }
        QVERIFY(verdict.hang != HangVerdict::Hang::No);
        if (outcome != u"another class")
            QCOMPARE(blame.classes, std::set<std::string>{job->truth["cls"].get<std::string>()});
        if (outcome == u"accused") {
            QVERIFY2(isWithin(culprits, blame.accused), verdict.text.c_str());
        } else {
            QCOMPARE(blame.accused, Ranks());
            QVERIFY2(isWithin(culprits, blame.candidates), verdict.text.c_str());
        }
    }
    void simulatedJobsWithoutOneDump_data() { simulatedJobs_data(); }
    void simulatedJobsWithoutOneDump()
    {
        QFETCH(const QString, kind);
        QFETCH(const int, number);
        QFETCH(const int, world);
        const auto job = simulatedJob(kind, number, world);
        if (!job)
            QSKIP("needs the oracle (COLLSCOPE_ORACLE) and python3");
        const Ranks whole = blameOf(judged(job->path().toStdString())).accused;
        for (const QString& name : QDir(job->path()).entryList(QDir::Files)) {
            const QTemporaryDir copy;
            copyFolder(job->path(), copy.path(), name);
            const HangVerdict verdict = judged(copy.path().toStdString());
            QVERIFY2(isWithin(blameOf(verdict).accused, whole),
                     (name.toStdString() + ": " + said(verdict)).c_str());
        }
    }

    void threadsAndFileOrderChangeNothing_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<int>("number");
        QTest::newRow("JSON") << QStringLiteral("cpu") << 2;
        QTest::newRow("pickle") << QStringLiteral("gpu_error") << 6;
    }
    void threadsAndFileOrderChangeNothing()
    {
        QFETCH(const QString, kind);
        QFETCH(const int, number);
        const auto job = simulatedJob(kind, number, 8);
        if (!job)
            QSKIP("needs the oracle (COLLSCOPE_ORACLE) and python3");
        std::vector<std::string> paths;
        for (const QString& name : QDir(job->path()).entryList(QDir::Files))
            paths.push_back((job->path() + u'/' + name).toStdString());
        const auto load = [&](int threads) {
            const auto plan = planLoad(paths, {});
            LoadContext context;
            context.parallel = threadPool(threads);
            const auto model = plan ? loadTrace(*plan, context) : Result<TraceModelPtr>(plan.error());
            return model ? jsonOf(*model) : std::string();
        };
        const std::string expected = load(1);
        QVERIFY(holds(expected, "\"hang\": \"yes\"") && holds(expected, "\"schema\": \"collscope.hang/1\""));
        QVERIFY(load(4) == expected);
        std::reverse(paths.begin(), paths.end());
        QVERIFY(load(1) == expected);
        std::rotate(paths.begin(), paths.begin() + 3, paths.end());
        QVERIFY(load(4) == expected);
    }

private:
    static QString realFolder(const QString& name)
    {
        return tracesFolder() + QStringLiteral("/flight_recorder/") + name;
    }
    static void realRows()
    {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<Ranks>("ranks");
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QStringList>("sentences");
        // last_completed_collective of that group: 42805 of 12 and 14, 42817 of 13, 42818 of 15
        QTest::newRow("a CUDA error")
            << QStringLiteral("gpu_error_1st") << Ranks{12, 14} << QStringLiteral("gpu")
            << QStringList{QStringLiteral("Rank 12 stopped on the GPU: it has not finished call 42806 "
                                          "(_all_gather_base) of TENSOR_MODEL_PARALLEL_GROUP (12, 13), "
                                          "which rank 13 finished."),
                           QStringLiteral("Rank 14 stopped on the GPU: it has not finished call 42806 "
                                          "(_all_gather_base) of TENSOR_MODEL_PARALLEL_GROUP (14, 15), "
                                          "which rank 15 finished.")};
        // The other members have this call, and neither 10 nor 15 has any.
        QTest::newRow("Python's lock is held")
            << QStringLiteral("lock_gil_2nd") << Ranks{10, 15} << QStringLiteral("cpu")
            << QStringList{QStringLiteral("Rank 10 stopped on the CPU: it never made call 20947 "
                                          "(all_to_all) of EXPERT_MODEL_PARALLEL_GROUP (8-11); ranks 8, 9 "
                                          "and 11 wait there."),
                           QStringLiteral("Rank 15 stopped on the CPU: it never made call 20947 "
                                          "(all_to_all) of EXPERT_MODEL_PARALLEL_GROUP (12-15); ranks "
                                          "12-14 wait there.")};
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestHungJobs)
#include "tst_hung_jobs.moc"
