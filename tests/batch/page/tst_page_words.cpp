// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// --batch page through the real binary: what a page says where something is not known, cut or selected.

#include "tests/batch/page/read_page.h"
#include "tests/batch/program.h"
#include "tests/support/runs/collective_run.h"
#include "tests/support/runs/compared_runs.h"
#include "tests/support/runs/hung_example.h"
#include "tests/support/runs/markup_names.h"
#include "tests/support/suite/suite.h"

#include <QDir>

#include <nlohmann/json.hpp>

#include <fstream>

namespace collscope {

namespace {

CallText callOf(const std::string& name, int sequence, const std::string& ranks, int groupSize)
{
    return {.name = name,
            .inElements = 100'000,
            .outElements = 100'000,
            .groupSize = groupSize,
            .group = "0",
            .ranks = ranks,
            .sequence = sequence};
}

/// One of three ranks: nothing shows when the others arrived.
void addLoneRank(CollectiveRun& run)
{
    for (int step = 0; step < 4; ++step) {
        run.step(0, step, 1000 * step, 1000);
        run.compute(0, 1000 * step, 400);
        run.call(0, "AllReduce_Sum_f32", 1000 * step + 400, 300, callOf("allreduce", step, "[0, 1, 2]", 3));
    }
}

/// Two ranks that only broadcast: its ends show no clocks.
void addBroadcasts(CollectiveRun& run)
{
    for (int step = 0; step < 4; ++step) {
        for (const int rank : {0, 1}) {
            const int begin = 1000 * step + 400 - 100 * rank;
            run.step(rank, step, 1000 * step, 1000);
            run.compute(rank, 1000 * step, 200);
            CallText call = callOf("broadcast", step, "[0, 1]", 2);
            call.source = 0;
            run.call(rank, "Broadcast_RING_LL", begin, 1000 * step + 700 - begin, call);
        }
    }
}

/// Two ranks with an all-reduce that begins `lateUs` later on rank 1.
void addPair(CollectiveRun& run, int lateUs)
{
    for (int step = 0; step < 4; ++step) {
        for (const int rank : {0, 1}) {
            const int begin = 1000 * step + 400 + lateUs * rank;
            run.step(rank, step, 1000 * step, 1000);
            run.compute(rank, 1000 * step, 200);
            run.call(rank, "AllReduce_Sum_f32", begin, 1000 * step + 800 - begin,
                     callOf("allreduce", step, "[0, 1]", 2));
        }
    }
}

} // namespace

class TestPageWords : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    QString path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }
    QByteArray bytesOfPage(const QStringList& runs, const QStringList& more = {}) const
    {
        const QString file = path("page.html");
        QFile::remove(file);
        const ProgramRun run = runBatchProgram(QStringList{QStringLiteral("page")} + runs
                                               + QStringList{QStringLiteral("-o"), file} + more);
        if (run.exitCode != 0)
            qWarning("%s", run.err.constData());
        return run.exitCode == 0 ? contentOf(file) : QByteArray();
    }
    ReadPage pageOf(const CollectiveRun& run, const QStringList& more = {}) const
    {
        run.load(); // writes the files
        return ReadPage(bytesOfPage({QString::fromStdString(run.folder())}, more));
    }
    static bool says(const ReadPage& page, const char* words)
    {
        return page.text.simplified().contains(QString::fromUtf8(words));
    }

private slots:
    /// Zero means measured as zero: a wait that nothing shows has no number, on the page and in the JSON.
    void unknownWaitsHaveNoNumber()
    {
        CollectiveRun run;
        addLoneRank(run);
        const ReadPage page = pageOf(run);
        const ProgramRun findings = runBatchProgram(
            {QStringLiteral("findings"), QString::fromStdString(run.folder()), QStringLiteral("--json")});
        const auto answer = nlohmann::json::parse(findings.out.toStdString());
        std::int64_t sumNs = 0;
        for (const auto& part : answer["parts"]) {
            QVERIFY(part["part"] != "waiting");
            sumNs += part["ns_per_step"].get<std::int64_t>();
        }
        QCOMPARE(sumNs, answer["step_ns"].get<std::int64_t>());
        QCOMPARE(answer["unknown_parts"].size(), std::size_t{1});
        QCOMPARE(answer["unknown_parts"][0]["part"].get<std::string>(), std::string("waiting"));
        QVERIFY(!answer["unknown_parts"][0]["reason"].get<std::string>().empty());
        QCOMPARE(page.valuesOf("data-ns"), tokensOf(findings.out, QStringLiteral("ns_per_step")));
        QCOMPARE(page.valuesOf("data-part").size(), 5);
        QVERIFY(says(page, "exposed communication, waits included"));
        QVERIFY(!page.text.contains(QStringLiteral("waiting for other ranks 0 ns")));
        const QStringList labels = page.valuesOf("aria-label");
        QVERIFY(labels.join(u' ').contains(QStringLiteral("waiting for other ranks unknown")));
        QVERIFY(!labels.join(u' ').contains(QStringLiteral("waiting for other ranks 0 ns")));
        QVERIFY(says(page, "4 exposed calls may contain waits that are not known"));
    }
    void knownWaitsHaveANumber()
    {
        CollectiveRun run;
        addPair(run, 100);
        const ReadPage page = pageOf(run);
        QCOMPARE(page.valuesOf("data-ns").size(), 5);
        QVERIFY(says(page, "exposed communication without waits"));
        QVERIFY(!says(page, "may contain waits"));
    }
    /// Nobody is called on time because nothing is known.
    void latenessThatCannotBeTold()
    {
        CollectiveRun lone;
        addLoneRank(lone);
        const ReadPage page = pageOf(lone);
        QVERIFY2(says(page, "This cannot be told, because the files are of one rank."),
                 qPrintable(page.text));
        QVERIFY(!says(page, "could be late"));
        CollectiveRun apart; // each rank with one that was not loaded
        for (const int rank : {0, 1}) {
            apart.step(rank, 1, 0, 1000);
            apart.compute(rank, 0, 400);
            apart.call(rank, "AllReduce_Sum_f32", 400, 300,
                       callOf("allreduce", 1, rank == 0 ? "[0, 2]" : "[1, 3]", 2));
        }
        QVERIFY2(says(pageOf(apart), "none of the 2 communication calls has a known partner"),
                 qPrintable(pageOf(apart).text));
    }
    void latenessOnUnknownClocks()
    {
        CollectiveRun broadcasts;
        addBroadcasts(broadcasts);
        const ReadPage unknown = pageOf(broadcasts);
        QVERIFY(says(unknown, "Uncertain: the picture may show how far the clocks of the ranks differ"));
        QVERIFY(says(unknown, "the error of the clocks is not known"));
        CollectiveRun pair;
        addPair(pair, 100);
        const ReadPage known = pageOf(pair);
        QVERIFY(says(known, "at least the error of the clocks"));
        QVERIFY(!says(known, "Uncertain"));
        QVERIFY(!says(known, "Not in the picture"));
    }
    /// What is left out of the picture is counted.
    void latenessOfSomeCollectives()
    {
        CollectiveRun run;
        addPair(run, 100);
        for (const int rank : {0, 1})
            run.call(rank, "SendRecv", 4200, 100, callOf(rank == 0 ? "send" : "recv", 9, "[0, 1]", 2));
        const ReadPage page = pageOf(run);
        QVERIFY2(
            says(page,
                 "Not in the picture: 1 of 5 collectives (1 are between a sender and a receiver, which this "
                 "picture does not show)."),
            qPrintable(page.text));
    }
    /// Sections that are always about the whole run say so, and the calls are those of the rank.
    void selection()
    {
        CollectiveRun run;
        addPair(run, 100);
        const ReadPage all = pageOf(run);
        QCOMPARE(all.text.count(QStringLiteral("This covers the whole files and all ranks.")), 2);
        QVERIFY(says(all, "Calls of each rank"));
        const ReadPage one = pageOf(run,
                                    {QStringLiteral("--rank"), QStringLiteral("1"), QStringLiteral("--range"),
                                     QStringLiteral("1-3")});
        QCOMPARE(one.text.count(QStringLiteral(
                     "This covers the whole files and all ranks, whatever --rank and --range select.")),
                 2);
        QVERIFY(says(one, "Calls of rank 1 by kind"));
    }
    /// Remarks are not below a sentence that there is nothing to remark.
    void remarks()
    {
        QDir().mkpath(path("guessed"));
        std::ofstream(path("guessed/trace.json").toStdString())
            << R"({"traceEvents":[{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1,"dur":5}]})";
        const ReadPage page(bytesOfPage({path("guessed")}));
        QVERIFY2(says(page, "The files were read without a problem, but with remarks."),
                 qPrintable(page.text));
        QVERIFY(says(page, "1 remark"));
        QVERIFY(!says(page, "Nothing was"));
        QVERIFY(says(page, "none of the 1 kernel of this run is recognised as communication, by name or by"));
        // Then the time of communication is not 0, but unknown.
        QCOMPARE(page.valuesOf("data-part").size(), 5);
        QCOMPARE(page.valuesOf("data-ns").size(), 3);
        CollectiveRun run;
        addPair(run, 100);
        QVERIFY(says(pageOf(run), "The files were read without a problem or a remark."));
    }
    /// The frame in which a rank stopped is the innermost one.
    void longStacksKeepTheirInnerFrames()
    {
        writeHungExample(path("hung").toStdString());
        std::ofstream stack(path("hung/pyspy_rank_5.txt").toStdString());
        stack << "Process 4242: python train.py\nPython v3.11.7 (/usr/bin/python3.11)\n\n"
                 "Thread 4242 (idle): \"MainThread\"\n    wait (threading.py:320)\n";
        for (int frame = 0; frame < 80; ++frame)
            stack << "    level" << frame << " (deep.py:" << frame << ")\n";
        stack << "    main (train.py:12)\n";
        stack.close();
        const ReadPage page(bytesOfPage({path("hung")}));
        QVERIFY(says(page, "wait (threading.py:320)"));
        QVERIFY2(says(page, "the outer 22 frames are left out"), qPrintable(page.text));
        QVERIFY(!says(page, "main (train.py:12)"));
        QVERIFY(page.valuesOf("start").contains(QStringLiteral("23")));
        QVERIFY(says(page, "Rank 5: stopped on the CPU"));
    }
    /// Many kernels with long names in a counted step of both runs.
    void comparisonsHaveABound()
    {
        for (const char* name : {"base", "test"}) {
            SmallRun run = comparedRun();
            for (int kernel = 0; kernel < 1500; ++kernel)
                run.kernel(0, 23'000 + kernel, name[0] == 'b' ? 0.4 : 0.5, 7,
                           "kernel" + std::to_string(kernel) + "<" + std::string(2000, 'x') + ">");
            run.write(path(name).toStdString());
        }
        const QByteArray html = bytesOfPage({path("base"), path("test")});
        QVERIFY2(!html.isEmpty() && html.size() < 1'000'000, qPrintable(QString::number(html.size())));
        QVERIFY(html.contains("Kernels by name. The first 300 of 150"));
        const ReadPage page(html);
        QVERIFY2(page.error.isEmpty(), qPrintable(page.error));
        QVERIFY(!says(page, "ratio"));
        for (const char* run : {"base", "test"})
            QVERIFY(page.text.contains(QStringLiteral("The files of %1").arg(QLatin1String(run))));
    }
    void aRunIsGivenOnce()
    {
        CollectiveRun run;
        addPair(run, 100);
        run.load();
        const QString folder = QString::fromStdString(run.folder());
        for (const QString& again : {folder, folder + u'/'}) {
            const ProgramRun page = runBatchProgram(
                {QStringLiteral("page"), folder, again, QStringLiteral("-o"), path("twice.html")});
            QCOMPARE(page.exitCode, 1);
            QVERIFY2(page.err.contains("are the same"), page.err.constData());
        }
    }
    /// Line ends and back-ticks of names are seen.
    void namesAreWhole()
    {
        CollectiveRun run;
        addPair(run, 100);
        for (int step = 0; step < 4; ++step)
            run.compute(0, 1000 * step + 850, 100, "two\\nlines `tick` kernel");
        const ReadPage page = pageOf(run);
        QVERIFY2(page.text.contains(QStringLiteral("two\\x0alines `tick` kernel")), qPrintable(page.text));
        QVERIFY(!page.text.contains(QStringLiteral("two\nlines")));
    }
    /// A metric has a number, or another result, or a reason.
    void everyMetricIsListed()
    {
        CollectiveRun run;
        addPair(run, 100);
        const ReadPage page = pageOf(run);
        const ProgramRun metrics
            = runBatchProgram({QString::fromStdString(run.folder()), QStringLiteral("--json")});
        const auto all = nlohmann::json::parse(metrics.out.toStdString());
        int others = 0;
        for (const auto& [id, result] : all.items()) {
            const bool isOther = result["status"] == "value" && result["value"].is_null();
            others += isOther ? 1 : 0;
            QVERIFY2(page.text.contains(QString::fromStdString(id)), id.c_str());
        }
        QCOMPARE(others > 0, says(page, "The results of these are not one number"));
        QVERIFY(others > 0);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestPageWords)

#include "tst_page_words.moc"
