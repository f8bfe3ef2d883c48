// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How long slices last: figures, bins, and the slices that last as long as wanted.

#include "metrics/analysis/duration_sample.h"
#include "metrics/analysis/slice_listing.h"
#include "metrics/core/statistics.h"
#include "tests/support/runs/small_run.h"
#include "tests/support/suite/stop_requests.h"
#include "tests/support/suite/suite.h"

#include <numeric>

namespace collscope {

namespace {

std::uint64_t sumOf(const DurationHistogram& histogram)
{
    std::uint64_t sum = 0;
    for (std::size_t bin = 0; bin < histogram.bins(); ++bin)
        sum += histogram.count(bin);
    return sum;
}

/// Slices of one name that last 1, 2 ... 100 us on rank 0, and 50 us on rank 1.
SmallRun hundredSlices()
{
    SmallRun run(2);
    for (int i = 1; i <= 100; ++i)
        run.kernel(0, 1000.0 * i, i, 7, i == 100 ? "the longest" : "k");
    run.kernel(1, 0, 50, 7, "k");
    run.cpu(0, "op", 0, 10);
    return run;
}

} // namespace

class TestDurations : public QObject
{
    Q_OBJECT

private:
    TraceModelPtr m_model;

    SliceMatchesPtr kernels() const
    {
        return findSlices(*m_model, [](std::string_view name) { return name != "op"; });
    }

private slots:
    void initTestCase()
    {
        m_model = hundredSlices().load();
        QVERIFY(m_model);
    }
    void figures()
    {
        QCOMPARE(durationFigures({}), DurationFigures());
        QCOMPARE(durationFigures({7}), (DurationFigures{7, 7, 7, 7}));
        QCOMPARE(durationFigures({40, 10, 30, 20}),
                 (DurationFigures{10, 25, 39, 40})); // 30 + 0.85 * 10 = 38.5
        std::vector<double> values(101);
        std::iota(values.begin(), values.end(), 0.0);
        QCOMPARE(durationFigures(values), (DurationFigures{0, 50, 95, 100}));
    }
    /// Durations of all lengths, which are kept in several columns, have the figures of percentileOf().
    void figuresOfManyLengths()
    {
        for (const std::size_t count : {1u, 2u, 7u, 40u}) {
            DurationSample sample;
            std::vector<double> valuesUs;
            for (std::size_t i = 0; i < count; ++i) {
                constexpr std::int64_t lengths[]{65'536,        0, 4'294'967'296, 65'535, 1, 4'294'967'295,
                                                 70'000'000'001};
                const std::int64_t ns
                    = lengths[i % std::size(lengths)] + (i < 7 ? 0 : static_cast<std::int64_t>(i));
                sample.add(ns);
                valuesUs.push_back(static_cast<double>(ns) / 1000);
            }
            const SampleFigures figures = sample.figures();
            QCOMPARE(figures.count, count);
            QCOMPARE(figures.median, percentileOf(valuesUs, 0.5));
            QCOMPARE(figures.p95, percentileOf(valuesUs, 0.95));
            QCOMPARE(figures.smallest, *std::min_element(valuesUs.begin(), valuesUs.end()));
            QCOMPARE(figures.largest, *std::max_element(valuesUs.begin(), valuesUs.end()));
        }
        QCOMPARE(DurationSample().figures().count, std::size_t{0});
    }
    void binsHoldEveryDurationOnce_data()
    {
        QTest::addColumn<QList<double>>("durations");
        QTest::newRow("one") << QList<double>{1'234'567};
        QTest::newRow("short ones") << QList<double>{1, 2, 3, 4, 5, 9};
        QTest::newRow("zeros only") << QList<double>{0, 0};
        QTest::newRow("zero and others") << QList<double>{0, 1'000, 5'000};
        QTest::newRow("nearly the same") << QList<double>{1'200'000, 1'200'001, 1'200'004};
        QTest::newRow("nine decades") << QList<double>{1, 30, 900, 20'000, 1e6, 7e8, 1e9};
        QTest::newRow("days") << QList<double>{3, 4e14};
    }
    void binsHoldEveryDurationOnce()
    {
        QFETCH(const QList<double>, durations);
        const DurationHistogram histogram({durations.begin(), durations.end()});
        QVERIFY(histogram.bins() > 0 && histogram.bins() <= DurationHistogram::mostBins + 1);
        QCOMPARE(sumOf(histogram), static_cast<std::uint64_t>(durations.size()));
        for (std::size_t bin = 0; bin < histogram.bins(); ++bin) {
            const auto begin = static_cast<double>(histogram.edgeNs(bin));
            const auto end = static_cast<double>(histogram.edgeNs(bin + 1));
            QVERIFY(begin < end);
            const auto inBin = std::count_if(durations.begin(), durations.end(),
                                             [&](double ns) { return begin <= ns && ns < end; });
            QCOMPARE(histogram.count(bin), static_cast<std::uint64_t>(inBin));
        }
        QCOMPARE(DurationHistogram().bins(), std::size_t{0});
    }
    void theAxisIsLogarithmic()
    {
        const DurationHistogram histogram({1'000, 10'000, 99'999});
        QCOMPARE(histogram.bins(), DurationHistogram::mostBins);
        QCOMPARE(histogram.positionOf(1'000), 0.0);
        QCOMPARE(histogram.positionOf(1), 0.0);
        QVERIFY(std::abs(histogram.positionOf(10'000) - 0.5) < 1e-9);
        QVERIFY(std::abs(histogram.positionOf(100'000) - 1) < 1e-9);
        QCOMPARE(histogram.positionOf(1e12), 1.0);
        for (const double ns : {1'000.0, 2'345.0, 10'000.0, 99'000.0})
            QVERIFY(std::abs(histogram.durationAt(histogram.positionOf(ns)) - ns) < 1e-6 * ns);
        // Bins of the same width, as far as whole ns allow.
        for (std::size_t bin = 0; bin < histogram.bins(); ++bin) {
            const double width = histogram.positionOf(static_cast<double>(histogram.edgeNs(bin + 1)))
                - histogram.positionOf(static_cast<double>(histogram.edgeNs(bin)));
            QVERIFY(std::abs(width * static_cast<double>(histogram.bins()) - 1) < 0.1);
        }
    }
    void zerosComeFirst()
    {
        const DurationHistogram histogram({0, 0, 0, 1'000, 100'000});
        QCOMPARE(histogram.edgeNs(0), std::int64_t{0});
        QCOMPARE(histogram.edgeNs(1), std::int64_t{1'000});
        QCOMPARE(histogram.count(0), std::uint64_t{3});
        QCOMPARE(histogram.positionOf(0), 0.0);
        QVERIFY(histogram.positionOf(1'000) > 0);
        QCOMPARE(histogram.durationAt(histogram.positionOf(1'000) / 2), 0.0);
    }
    void listingOfAll()
    {
        const SliceListingPtr listing = listSlices(*m_model, kernels());
        QVERIFY(listing);
        QCOMPARE(listing->all->size(), std::size_t{101});
        QVERIFY(listing->all == listing->wanted);
        QCOMPARE(sumOf(listing->histogram), std::uint64_t{101});
        QCOMPARE(listing->figures, (DurationFigures{1'000, 50'000, 95'000, 100'000}));
        QVERIFY(listing->kernelClass.has_value());
        const SliceListingPtr mixed
            = listSlices(*m_model, findSlices(*m_model, [](std::string_view) { return true; }));
        QVERIFY2(!mixed->kernelClass, "kernels and what the CPU did");
    }
    void narrowingIsExactAtBothEnds()
    {
        const SliceListingPtr all = listSlices(*m_model, kernels());
        const SliceListingPtr some = narrowed(*m_model, *all, {20'000, 50'000});
        QVERIFY(some->all == all->all);
        QCOMPARE(some->wanted->size(), std::size_t{32}); // 20 ... 50 us of rank 0, 50 us of rank 1
        QCOMPARE(some->wanted->names, std::size_t{1});
        QCOMPARE(some->wanted->totalNs, std::int64_t{(20 + 50) * 31 / 2 * 1'000 + 50'000});
        QCOMPARE(some->figures, (DurationFigures{20'000, 35'500, 49'450, 50'000}));
        QCOMPARE(some->figuresOfAll, all->figures);
        for (std::size_t i = 0; i < all->all->size(); ++i) {
            const SliceRef slice = all->all->at(i);
            const std::int64_t ns = m_model->rangeOf(slice).lengthNs();
            QCOMPARE(some->wanted->contains(slice), 20'000 <= ns && ns <= 50'000);
        }
        QCOMPARE(m_model->rangeOf(some->wanted->longest.front()).lengthNs(), std::int64_t{50'000});
        QCOMPARE(narrowed(*m_model, *some, {20'001, 49'999})->wanted->size(), std::size_t{29});
        QVERIFY(narrowed(*m_model, *some, {})->wanted == all->all);
        QCOMPARE(narrowed(*m_model, *some, {200'000, 300'000})->wanted->size(), std::size_t{0});
        // Asked at once, it is the same.
        const SliceListingPtr direct = listSlices(*m_model, kernels(), {20'000, 50'000});
        QCOMPARE(direct->wanted->size(), some->wanted->size());
        QCOMPARE(direct->figures, some->figures);
    }
    void slicesOfARange()
    {
        // Rank 0: 3 us of the slice that begins at 2 us before the window's begin, and those that begin in
        // it.
        std::vector<TimeRange> windows(m_model->timelines.size());
        const std::int64_t zero = m_model->timelines[0].range.beginNs; // the CPU's op, at 0 us
        windows[0] = {zero + 20'019'000, zero + 22'000'000};
        const SliceMatchesPtr found = slicesDuring(*m_model, windows);
        QCOMPARE(found->size(), std::size_t{2}); // of 20 us (its last one) and 21 us; 22 us begins at the end
        QCOMPARE(found->totalNs, std::int64_t{41'000});
        windows[0] = {zero, zero + 1};
        windows[1] = windows[0];
        QCOMPARE(slicesDuring(*m_model, windows)->size(), std::size_t{2}); // the op, and rank 1's kernel
        QCOMPARE(slicesDuring(*m_model, std::vector<TimeRange>(2))->size(), std::size_t{0});
    }
    void itCanBeCancelled()
    {
        const auto cancelled = [] { return true; };
        const SliceListingPtr all = listSlices(*m_model, kernels());
        QVERIFY(!listSlices(*m_model, kernels(), {}, cancelled));
        QVERIFY(!listSlices(*m_model, nullptr));
        QVERIFY(!narrowed(*m_model, *all, {1, 2}, cancelled));
        QVERIFY(!slicesDuring(*m_model, std::vector<TimeRange>(2), stopRequested()));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestDurations)
#include "tst_durations.moc"
