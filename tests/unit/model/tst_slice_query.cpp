// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/queries/slice_query.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/fragment_text.h"

#include <random>

namespace collscope {

namespace {

SliceColumns columns(const std::vector<TimeRange>& ranges)
{
    SliceColumns slices;
    for (const TimeRange range : ranges) {
        SliceRow row;
        row.startNs = range.beginNs;
        row.durationNs = range.lengthNs();
        slices.append(row);
    }
    slices.buildIndex();
    return slices;
}

/// Calls of one thread: nested ones and gaps, over three levels of blocks.
SliceColumns nestedCalls(std::mt19937_64& random, std::size_t count)
{
    std::vector<TimeRange> ranges;
    std::vector<std::uint8_t> depths;
    const auto between = [&](int low, int high) {
        return low + static_cast<std::int64_t>(random() % static_cast<unsigned>(high - low + 1));
    };
    for (std::int64_t at = 5; ranges.size() < count;) {
        TimeRange call{at, at + between(0, random() % 1'000 == 0 ? 200'000 : 60)};
        at = call.endNs + between(0, random() % 300 == 0 ? 5'000 : 20);
        for (std::uint8_t depth = 0; depth < 4 && call.beginNs <= call.endNs && ranges.size() < count;
             ++depth) {
            ranges.push_back(call);
            depths.push_back(depth);
            call = {call.beginNs + between(0, 9), call.endNs - between(0, 9)};
        }
    }
    SliceColumns slices = columns(ranges);
    slices.depth = depths;
    slices.buildIndex();
    return slices;
}

std::vector<std::size_t> overlapping(const SliceColumns& slices, TimeRange range)
{
    std::vector<std::size_t> rows;
    forEachOverlapping(slices, range, [&rows](std::size_t row) { rows.push_back(row); });
    return rows;
}

using Rows = std::vector<std::size_t>;

} // namespace

class TestSliceQuery : public QObject
{
    Q_OBJECT

private slots:
    void findsWhatOverlaps()
    {
        const SliceColumns slices = columns({{0, 100}, {10, 20}, {30, 40}, {40, 40}, {50, 60}});
        QVERIFY(overlapping(slices, {20, 30}) == (Rows{0}));
        QVERIFY(overlapping(slices, {35, 41}) == (Rows{0, 2, 3}));
        QVERIFY(overlapping(slices, {40, 50}) == (Rows{0, 3}));
        QVERIFY(overlapping(slices, {100, 200}).empty());
        QVERIFY(overlapping(slices, {-5, 1}) == (Rows{0}));
        QVERIFY(overlapping(SliceColumns(), {0, 10}).empty());
    }
    void theIndexFindsWhatLookingAtEachRowFinds()
    {
        // Nested calls of all lengths, one of them as long as everything, over three levels of blocks.
        std::mt19937_64 random(3);
        std::vector<TimeRange> ranges{{0, 10'000'000}};
        for (std::int64_t at = 5; ranges.size() < 300'000; at += static_cast<std::int64_t>(random() % 40)) {
            const auto length = static_cast<std::int64_t>(random() % (random() % 500 == 0 ? 200'000 : 30));
            ranges.push_back({at, at + length});
        }
        const SliceColumns slices = columns(ranges);
        for (int i = 0; i < 300; ++i) {
            const auto begin = static_cast<std::int64_t>(random() % 7'000'000);
            const TimeRange range{begin, begin + static_cast<std::int64_t>(random() % 1'000)};
            Rows expected;
            for (std::size_t row = 0; row < slices.size(); ++row) {
                const TimeRange slice = slices.range(row);
                if (slice.beginNs < range.endNs
                    && (slice.endNs > range.beginNs || slice.beginNs >= range.beginNs))
                    expected.push_back(row);
            }
            QVERIFY(overlapping(slices, range) == expected);
        }
        for (const std::int64_t duration : {0, 10, 29, 30, 5'000, 150'000, 10'000'000, 10'000'001}) {
            Rows found;
            Rows expected;
            const std::size_t from = random() % 1'000;
            for (std::size_t row = from; row < slices.size(); ++row) {
                if (slices.durationNs[row] >= duration)
                    expected.push_back(row);
            }
            std::size_t looked = 0;
            for (std::size_t row = from;
                 (row = slices.index.nextLasting(row, slices.size(), duration)) < slices.size(); ++row) {
                ++looked;
                if (slices.durationNs[row] >= duration)
                    found.push_back(row);
            }
            QVERIFY(found == expected);
            QVERIFY2(looked <= SliceIndex::blockRows * expected.size(),
                     "whole blocks that hold none must be skipped");
        }
    }
    void theIndexAddsUpWhatLookingAtEachRowAddsUp()
    {
        std::mt19937_64 random(7);
        const SliceColumns slices = nestedCalls(random, 20'000);
        const auto covered = [&](std::size_t row, std::int64_t timeNs) {
            const std::int64_t end = std::min(slices.endNs(row), timeNs);
            return slices.depth[row] == 0 ? std::max<std::int64_t>(0, end - slices.startNs[row]) : 0;
        };
        for (int i = 0; i < 500; ++i) {
            const std::size_t begin = random() % slices.size();
            const std::size_t end = begin + random() % std::min<std::size_t>(slices.size() - begin, 700) + 1;
            std::int64_t sum = 0;
            std::size_t longest = begin;
            for (std::size_t row = begin; row < end; ++row) {
                sum += slices.depth[row] == 0 ? slices.durationNs[row] : 0;
                longest = slices.durationNs[row] > slices.durationNs[longest] ? row : longest;
            }
            QCOMPARE(outermostNs(slices, begin, end), sum);
            QCOMPARE(longestRow(slices, begin, end), longest);

            const std::int64_t time = slices.startNs[begin] + static_cast<std::int64_t>(random() % 100) - 20;
            std::int64_t before = 0;
            for (std::size_t row = 0; row < slices.size(); ++row)
                before += covered(row, time);
            QCOMPARE(outermostNsBefore(slices, time, firstStartingAt(slices, time)), before);

            const std::size_t hint = std::min(begin, firstStartingAt(slices, time));
            const std::int64_t latest = time + static_cast<std::int64_t>(random() % 3'000);
            const std::size_t about = firstStartingAbout(slices, time, latest, hint);
            QVERIFY(about >= firstStartingAt(slices, time));
            QVERIFY(about == firstStartingAt(slices, time) || slices.startNs[about] <= latest);
        }
    }
    void nothingToAddUp()
    {
        const SliceColumns none = columns({});
        QCOMPARE(firstStartingAt(none, 5, 0), std::size_t{0});
        QCOMPARE(firstStartingAbout(none, 5, 9, 0), std::size_t{0});
        QCOMPARE(outermostNs(none, 0, 0), std::int64_t{0});
        QCOMPARE(outermostNsBefore(none, 5, 0), std::int64_t{0});
    }
    void startsAreFoundFromAHint()
    {
        const SliceColumns slices
            = columns({{0, 5}, {10, 15}, {10, 12}, {20, 25}, {30, 31}, {30, 32}, {40, 41}});
        for (std::int64_t time = -1; time < 45; ++time) {
            const std::size_t expected = firstStartingAt(slices, time);
            for (std::size_t hint = 0; hint <= expected && hint < slices.size(); ++hint)
                QCOMPARE(firstStartingAt(slices, time, hint), expected);
        }
    }
    void startsAreBinarySearched()
    {
        const SliceColumns slices = columns({{0, 5}, {10, 15}, {10, 12}, {20, 25}});
        QCOMPARE(firstStartingAt(slices, 10), std::size_t{1});
        QCOMPARE(firstStartingAt(slices, 11), std::size_t{3});
        QCOMPARE(firstStartingAt(slices, 99), std::size_t{4});
        QVERIFY(firstReaching(slices, 12) <= 1);
    }
    void pointAtASlice()
    {
        SliceColumns slices = columns({{0, 100}, {10, 20}, {24, 30}});
        slices.depth = {0, 1, 1};
        QCOMPARE(sliceAt(slices, 15, 1, 0).value_or(99), 1u);
        QCOMPARE(sliceAt(slices, 15, 0, 0).value_or(99), 0u);
        QVERIFY(!sliceAt(slices, 22, 1, 0));
        QCOMPARE(sliceAt(slices, 21, 1, 3).value_or(99), 1u); // the nearer one
        QCOMPARE(sliceAt(slices, 23, 1, 3).value_or(99), 2u);
        QVERIFY(!sliceAt(slices, 15, 2, 5));
    }
    void launchAndKernelFindEachOther()
    {
        auto fragment = readKineto(R"({"traceEvents": [
            {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":0,"dur":5,"args":{"correlation":77}},
            {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":10,"dur":5,"args":{"correlation":77,"stream":7,"device":0}},
            {"ph":"X","cat":"kernel","name":"lonely_gemm","pid":0,"tid":7,"ts":20,"dur":5,"args":{"correlation":78}}]})");
        QVERIFY(fragment.has_value());
        std::vector<TraceFragment> fragments;
        fragments.push_back(std::move(*fragment));
        const TraceModelPtr model = assemble(std::move(fragments), Diagnostics(), {{"x"}, {}});
        const Timeline& timeline = model->timelines.front();
        const SliceRef kernel{timeline.tracks[0], 0};
        QCOMPARE(model->nameOf(kernel), std::string_view("gemm"));
        const auto launch = linkedSlice(*model, kernel);
        QVERIFY(launch.has_value());
        QCOMPARE(model->nameOf(*launch), std::string_view("cudaLaunchKernel"));
        QVERIFY(linkedSlice(*model, *launch) == kernel);
        QVERIFY(!linkedSlice(*model, {timeline.tracks[0], 1}));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestSliceQuery)
#include "tst_slice_query.moc"
