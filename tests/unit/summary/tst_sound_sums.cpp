// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Sums that no events have are damage, whoever wrote them.

#include "metrics/summary/summarized_events.h"
#include "model/partial/fragment_archive.h"
#include "model/partial/packed_steps.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/fragment_text.h"

#include <functional>
#include <limits>

namespace collscope {

namespace {

/// Two steps of 100 us: compute, a copy and a collective that nothing hides, and idle time.
constexpr std::string_view trace = R"({"distributedInfo": {"rank": 0, "world_size": 2}, "traceEvents": [
{"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":9,"tid":9,"ts":0,"dur":100,"args":{}},
{"ph":"X","cat":"user_annotation","name":"ProfilerStep#2","pid":9,"tid":9,"ts":100,"dur":100,"args":{}},
{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":10,"dur":30,"args":{"stream":7}},
{"ph":"X","cat":"gpu_memcpy","name":"Memcpy HtoD","pid":0,"tid":7,"ts":45,"dur":5,"args":{"stream":7,"bytes":64}},
{"ph":"X","cat":"kernel","name":"ncclDevKernel_AllReduce","pid":0,"tid":7,"ts":60,"dur":20,"args":{"stream":7,
 "Collective name":"allreduce","dtype":"Float","In msg nelems":10,"Out msg nelems":10,"Group size":2,
 "Process Group Name":"0","Process Group Ranks":"[0, 1]","Seq":1}},
{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":110,"dur":30,"args":{"stream":7}},
{"ph":"X","cat":"gpu_memcpy","name":"Memcpy HtoD","pid":0,"tid":7,"ts":145,"dur":5,"args":{"stream":7,"bytes":64}},
{"ph":"X","cat":"kernel","name":"ncclDevKernel_AllReduce","pid":0,"tid":7,"ts":160,"dur":20,"args":{"stream":7,
 "Collective name":"allreduce","dtype":"Float","In msg nelems":10,"Out msg nelems":10,"Group size":2,
 "Process Group Name":"0","Process Group Ranks":"[0, 1]","Seq":2}}]})";

using Lie = std::pair<const char*, std::function<void(WindowSummary&)>>;

constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();

const std::vector<Lie>& lies()
{
    static const std::vector<Lie> all{
        {"a window of no step", [](WindowSummary& window) { ++window.range.endNs; }},
        {"less than no time", [](WindowSummary& window) { window.activeNs[1] = -1; }},
        {"active for longer than its window",
         [](WindowSummary& window) { window.activeNs[1] = window.range.lengthNs() + 1; }},
        {"sums overflow", [](WindowSummary& window) { window.kernelSumNs = huge; }},
        {"counts overflow", [](WindowSummary& window) { window.communicationCalls = huge; }},
        {"more communication than kernels",
         [](WindowSummary& window) {
             NameBreakdown& own = window.kernels.names.front();
             own.communicationNs = own.ns + 1;
         }},
        {"less than no bytes", [](WindowSummary& window) { window.kernels.copies.front().bytes = -1; }},
        {"less than no time of its own", [](WindowSummary& window) { window.selfNs = -5; }},
        {"parts longer than the window",
         [](WindowSummary& window) { window.partition.computeNs += window.range.lengthNs(); }},
        {"causes do not add up", [](WindowSummary& window) { ++window.partition.idle.front().ns; }},
        {"a cause twice",
         [](WindowSummary& window) {
             window.partition.idle.push_back(window.partition.idle.back());
             window.partition.idle.back().ns = 0;
         }},
        {"a gap outside",
         [](WindowSummary& window) {
             window.partition.idle.front().longest.afterNs = window.range.lengthNs();
         }},
        {"copies longer than the part", [](WindowSummary& window) { ++window.partition.copies.front().ns; }},
        {"an unknown key", [](WindowSummary& window) { window.partition.exposed.front().key = 1000; }},
        {"more continued than calls",
         [](WindowSummary& window) { window.partition.continued = window.partition.calls + 1; }},
        {"more alone than calls",
         [](WindowSummary& window) { window.partition.alone = window.partition.calls + 1; }},
        {"behind by centuries",
         [](WindowSummary& window) {
             window.partition.behindEndNs = std::numeric_limits<std::int64_t>::min();
         }},
        {"overhead longer than the window",
         [](WindowSummary& window) { window.partition.overheadNs = window.range.lengthNs() + 1; }}};
    return all;
}

TraceFragment summarized()
{
    auto fragment = readKineto(trace);
    if (!fragment)
        throw std::runtime_error(fragment.error().message);
    summarizeEvents(*fragment);
    return std::move(*fragment);
}

bool isTaken(TraceFragment fragment, std::uint64_t mostBytes = std::numeric_limits<std::uint64_t>::max())
{
    const PackedFragment packed = packFragment(fragment);
    return unpackFragment(packed.bytes, StoredBytes(packed.stored), mostBytes).has_value();
}

} // namespace

class TestSoundSums : public QObject
{
    Q_OBJECT

private slots:
    void soundSumsAreTaken()
    {
        const TraceFragment fragment = summarized();
        const TimelineSummary& summary = *fragment.timelines.front().summary;
        QCOMPARE(summary.steps.count, 2U);
        const PartitionSummary& whole = summary.whole.partition;
        QVERIFY(!whole.idle.empty() && !whole.copies.empty() && !whole.exposed.empty());
        QVERIFY(isTaken(summarized()));
    }
    void liesAreRefused_data()
    {
        QTest::addColumn<std::size_t>("number");
        for (std::size_t i = 0; i < lies().size(); ++i)
            QTest::newRow(lies()[i].first) << i;
    }
    void liesAreRefused()
    {
        QFETCH(const std::size_t, number);
        const auto& tell = lies()[number].second;
        TraceFragment ofAll = summarized();
        tell(ofAll.timelines.front().summary->whole);
        QVERIFY(!isTaken(std::move(ofAll)));
        TraceFragment ofStep = summarized();
        TimelineSummary& summary = *ofStep.timelines.front().summary;
        std::vector<WindowSummary> steps = *unpackSteps(summary);
        tell(steps.back());
        summary.steps = packSteps(std::move(steps));
        QVERIFY(!isTaken(std::move(ofStep)));
    }
    /// As many windows as are claimed, and no more memory than allowed.
    void claimsAreChecked()
    {
        TraceFragment fragment = summarized();
        TimelineSummary& summary = *fragment.timelines.front().summary;
        std::vector<WindowSummary> steps = *unpackSteps(summary);
        steps.push_back(steps.back());
        summary.steps = packSteps(std::move(steps));
        summary.steps.count = 2;
        QVERIFY(!isTaken(std::move(fragment)));
        QVERIFY(isTaken(summarized(), 1 << 20));
        QVERIFY(!isTaken(summarized(), 1 << 10));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestSoundSums)
#include "tst_sound_sums.moc"
