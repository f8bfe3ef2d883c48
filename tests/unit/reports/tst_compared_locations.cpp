// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// From a row of a comparison to the slices it is about, in both runs.

#include "metrics/comparison/compared_locations.h"
#include "metrics/comparison/comparison.h"
#include "metrics/core/sweep.h"
#include "tests/support/runs/compared_runs.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/sheet_text.h"

namespace collscope {

namespace {

ComparedRunPtr prepared(const RunChange& change, const std::string& label)
{
    return prepareRun(comparedRun(change).load(), {}, label, {});
}

/// The subject of the first row of a sheet in which a column has that text.
ComparedSubject subjectIn(const ComparisonReport& report, std::string_view sheet, std::string_view column,
                          std::string_view text)
{
    const ComparedSheet* const found = sheetIn(report, sheet);
    if (!found)
        return {};
    const auto at = found->column(column);
    for (std::size_t row = 0; at && row < found->rows.size(); ++row) {
        if (keyText(found->rows[row][*at]) == text)
            return found->subjects[row];
    }
    return {};
}

std::string describe(const ComparedRun& run, const ComparedLocation& place)
{
    if (!place.slice)
        return "nothing";
    const Timeline& timeline = run.model->timelineOf(place.slice);
    return std::string(run.model->nameOf(place.slice)) + " on rank " + std::to_string(timeline.rank) + " at "
        + std::to_string((run.model->rangeOf(place.slice).beginNs - run.model->range.beginNs) / 1000) + " us";
}

} // namespace

class TestComparedLocations : public QObject
{
    Q_OBJECT

private:
    ComparedRunPtr m_base = prepared({}, "base");
    ComparedRunPtr m_slow = prepared({700, 0, 0, false}, "slow");
    ComparisonReport m_report = finalReport(m_base->sheets, m_slow->sheets, {});

private slots:
    void stepsArePaired_data()
    {
        QTest::addColumn<std::vector<std::int64_t>>("base");
        QTest::addColumn<std::vector<std::int64_t>>("test");
        QTest::addColumn<QString>("pairs");
        using Steps = std::vector<std::int64_t>;
        QTest::newRow("the same") << Steps{1, 2} << Steps{1, 2} << "1-1 2-2";
        QTest::newRow("some shared") << Steps{1, 2, 3} << Steps{3, 4} << "1-x 2-x 3-3 x-4";
        QTest::newRow("none shared") << Steps{1, 2, 3} << Steps{11, 12} << "1-11 2-12 3-x";
        QTest::newRow("none at all") << Steps{} << Steps{} << "";
    }
    void stepsArePaired()
    {
        QFETCH(std::vector<std::int64_t>, base);
        QFETCH(std::vector<std::int64_t>, test);
        QStringList pairs;
        const auto text = [](const std::optional<std::int64_t>& step) {
            return step ? QString::number(*step) : QStringLiteral("x");
        };
        for (const StepPair& pair : pairedSteps(base, test))
            pairs << text(pair.base) + QLatin1Char('-') + text(pair.test);
        QTEST(pairs.join(QLatin1Char(' ')), "pairs");
    }
    void aRunIsPrepared()
    {
        QVERIFY(m_base && m_slow);
        QCOMPARE(m_base->steps(), (std::vector<std::int64_t>{1, 2, 3})); // inner steps
        QVERIFY(m_base->hasSteps());
        const auto step = m_slow->stepOnAxis(2);
        QVERIFY(step);
        QCOMPARE(step->lengthNs(), std::int64_t{10'700'000});
        QVERIFY(!m_slow->stepOnAxis(7));
        MetricOptions cancelled;
        cancelled.cancelled = [] { return true; };
        QVERIFY(!prepareRun(m_base->model, cancelled, "x", {}));
    }
    void aKernelIsFoundInItsStep()
    {
        const ComparedSubject subject = subjectIn(m_report, "Kernel_Cmp", "name", "gemm_kernel");
        QCOMPARE(subject.kernel, std::string("gemm_kernel"));
        const ComparedLocations places = findLocations(*m_base, *m_slow, subject, StepPair{2, 2});
        QCOMPARE(places.base.slices.size(), std::size_t{4}); // one of each rank
        QCOMPARE(describe(*m_base, places.base), std::string("gemm_kernel on rank 0 at 20100 us"));
        QCOMPARE(describe(*m_slow, places.test), std::string("gemm_kernel on rank 0 at 21500 us"));
        QCOMPARE(places.test.range, m_slow->stepOnAxis(2));
    }
    void aPartIsItsKernels()
    {
        const ComparedSubject moving = subjectIn(m_report, "Step_Waterfall", "part", "communication: moving");
        QCOMPARE(moving.part, std::optional(StepPart::Moving));
        const ComparedLocations places = findLocations(*m_base, *m_slow, moving, StepPair{1, 3});
        QCOMPARE(places.base.slices.size(), std::size_t{12}); // three calls of four ranks
        QVERIFY(m_base->model->collectiveOf(places.base.slice));
        QCOMPARE(places.base.range, m_base->stepOnAxis(1));
        QCOMPARE(places.test.range, m_slow->stepOnAxis(3));
        const ComparedSubject copies = subjectIn(m_report, "Step_Waterfall", "part", "copies");
        QCOMPARE(findLocations(*m_base, *m_slow, copies, StepPair{1, 1}).base.slices.size(), std::size_t{4});
        const ComparedSubject idle = subjectIn(m_report, "Step_Waterfall", "part", "idle");
        const ComparedLocations nothing = findLocations(*m_base, *m_slow, idle, StepPair{1, 1});
        QVERIFY(nothing.base.slices.empty() && !nothing.base.slice && nothing.base.range);
    }
    void aRankNarrows()
    {
        const ComparedSheet& sheet = *m_report.sheet(ComparisonKind::RankGpuTimes);
        std::size_t row = 0;
        while (keyText(sheet.rows[row][0]) != "3" || keyText(sheet.rows[row][1]) != "computation_time")
            ++row;
        const ComparedSubject subject = sheet.subjects[row];
        QCOMPARE(subject.rank, std::optional<std::int32_t>(3));
        QCOMPARE(subject.kinds, unsigned(ActiveCompute));
        const ComparedLocations places = findLocations(*m_base, *m_slow, subject, StepPair{1, 1});
        QCOMPARE(places.base.slices.size(), std::size_t{1});
        QCOMPARE(describe(*m_base, places.base), std::string("gemm_kernel on rank 3 at 10100 us"));
    }
    void aStepIsItself()
    {
        const ComparedSheet& sheet = *m_report.sheet(ComparisonKind::Steps);
        const ComparedSubject subject = sheet.subjects[2];
        QCOMPARE(subject.steps, std::optional(StepPair{3, 3}));
        const ComparedLocations places = findLocations(*m_base, *m_slow, subject, StepPair{1, 1});
        QCOMPARE(places.base.range, m_base->stepOnAxis(3));
    }
    void theSlowestCollectiveOfAKindIsChosen()
    {
        // The all-reduces of step 0 to 4 begin at 4, 14 ... ms; in the test the one of step 3 moves slower.
        SmallRun run = comparedRun();
        const ComparedRunPtr base = prepareRun(run.load(), {}, "base", {});
        SmallCall call;
        call.ranks = "[0, 1, 2, 3]";
        call.groupSize = 4;
        call.inElements = call.outElements = 250'000;
        call.sequence = 100;
        for (int rank = 0; rank < 4; ++rank)
            run.call(rank, 48'000 + 10 * rank, 1500 - 10 * rank, call);
        const ComparedRunPtr test = prepareRun(run.load(), {}, "test", {});
        const ComparisonReport report = finalReport(base->sheets, test->sheets, {});
        const ComparedSubject subject
            = subjectIn(report, "NCCL_ImplSync_Cmp", "Collective name", "allreduce");
        QVERIFY(subject.call->waitsForAll);
        const ComparedLocations places = findLocations(*base, *test, subject, std::nullopt);
        // The last rank to come waited for nobody; the baseline has only five, so its last one stands for it.
        QCOMPARE(describe(*test, places.test),
                 std::string("ncclDevKernel_AllReduce_Sum_f32_RING_LL on rank 3 at 48030 us"));
        QCOMPARE(describe(*base, places.base),
                 std::string("ncclDevKernel_AllReduce_Sum_f32_RING_LL on rank 0 at 44000 us"));
        QCOMPARE(places.test.slices.size(), std::size_t{6});
        QCOMPARE(places.test.range->lengthNs(), std::int64_t{1'470'000});
    }
    void callsOfARank()
    {
        const ComparedRunPtr test = prepared({0, 70, 0, false}, "test");
        const ComparisonReport report = finalReport(m_base->sheets, test->sheets, {});
        const ComparedSubject subject = report.sheet(ComparisonKind::Calls)->subjects[0]; // what changed most
        QCOMPARE(subject.rank, std::optional<std::int32_t>(2));
        QCOMPARE(subject.call->kind.name, std::string("allreduce"));
        const ComparedLocations places = findLocations(*m_base, *test, subject, std::nullopt);
        QCOMPARE(places.test.slices.size(), std::size_t{5});
        QCOMPARE(describe(*test, places.test),
                 std::string("ncclDevKernel_AllReduce_Sum_f32_RING_LL on rank 2 at 3930 us"));
        QCOMPARE(describe(*m_base, places.base),
                 std::string("ncclDevKernel_AllReduce_Sum_f32_RING_LL on rank 2 at 4000 us"));
    }
    void aKernelBelongsToTheStepItBeginsIn()
    {
        SmallRun run(1);
        for (int step = 0; step < 4; ++step) {
            run.step(0, step, 1000 * step, 1000);
            run.kernel(0, 1000 * step + 800, 400, 7, "late_kernel"); // ends in the next step
        }
        const ComparedRunPtr one = prepareRun(run.load(), {}, "one", {});
        ComparedSubject subject;
        subject.kinds = ActiveKernel;
        const ComparedLocations places = findLocations(*one, *one, subject, StepPair{2, 2});
        QCOMPARE(places.base.slices.size(), std::size_t{1});
        QCOMPARE(describe(*one, places.base), std::string("late_kernel on rank 0 at 2800 us"));
    }
    void whatOneRunLacks()
    {
        ComparedSubject subject;
        subject.kinds = ActiveKernel;
        subject.kernel = "of neither";
        const ComparedLocations none = findLocations(*m_base, *m_slow, subject, StepPair{1, 1});
        QVERIFY(!none.base.slice && !none.test.slice);
        const ComparedLocations half = findLocations(*m_base, *m_slow, subject, StepPair{1, std::nullopt});
        QVERIFY(half.base.range && !half.test.range);
    }
    void counterparts()
    {
        // Steps are called otherwise, and each lacks its first all-gather.
        const ComparedRunPtr test = prepared({700, 0, 40, true}, "test");
        const auto nameOf = [](const ComparedRun& run, std::uint32_t instance) {
            const RunCollectives& calls = *run.options.collectives;
            const Call& call
                = calls.callOf(calls.matching.membersOf(calls.matching.instances[instance]).front());
            return std::string(callName(*run.model, call)) + " "
                + std::to_string((call.range.beginNs - run.model->range.beginNs) / 1000);
        };
        std::map<std::string, std::string> found;
        for (std::uint32_t i = 0; i < m_base->options.collectives->matching.instances.size(); ++i) {
            const auto other = counterpartOf(*m_base, i, *test);
            found[nameOf(*m_base, i)] = other ? nameOf(*test, *other) : "none";
        }
        QCOMPARE(found["allreduce 14000"], std::string("allreduce 15400")); // step 1 and step 41
        QCOMPARE(found["allreduce 34000"], std::string("allreduce 36800"));
        QCOMPARE(found["_allgather_base 16000"], std::string("_allgather_base 18400"));
        QCOMPARE(found["_allgather_base 17000"], std::string("none")); // the test has one of them
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestComparedLocations)
#include "tst_compared_locations.moc"
