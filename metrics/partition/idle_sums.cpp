// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/partition/idle_sums.h"

#include "metrics/idle/thread_reader.h"

#include <cmath>
#include <utility>

namespace collscope {

namespace {

std::vector<IdleSum> idleOf(const PartitionSummary& summary, std::int32_t rank, TimeRange window)
{
    std::vector<IdleSum> sums;
    for (const IdleSummary& own : summary.idle) {
        IdleSum& sum = sums.emplace_back();
        sum.cause = own.cause;
        sum.ns = own.ns;
        sum.gaps = own.gaps;
        sum.insideGraphNs = own.insideGraphNs;
        sum.queuedNs = own.queuedNs;
        sum.shownNs = own.shownNs;
        sum.names = own.names;
        sum.longest = own.longest.in(window);
        sum.places.add({rank, sum.longest, {}});
        sum.words = own.words;
    }
    return sums;
}

} // namespace

GapWords wordsOf(const TraceModel& model, const Timeline& timeline, const GpuGap& gap)
{
    GapWords words;
    if (gap.cause != IdleCause::CpuBound)
        return words;
    if (gap.shown && model.track(gap.shown.track).slices.category[gap.shown.row] == SliceCategory::Runtime)
        words.driverCall = model.track(gap.shown.track).slices.name[gap.shown.row];
    if (!gap.thread)
        return words;
    const RepeatedCalls calls = ThreadReader(model, timeline).repeated(gap.thread, gap.range);
    if (calls.count >= fewestRepeats) {
        words.repeated = calls.name;
        words.repeats = calls.count;
        words.under = calls.under;
    }
    return words;
}

std::vector<IdleSum> IdleMeter::of(std::int32_t rank, const TimelineGaps& gaps, TimeRange window)
{
    std::array<IdleSum, idleCauseCount> all;
    gaps.forEachIn(window, [&](const GpuGap& gap, TimeRange inside) {
        IdleSum& sum = all[static_cast<std::size_t>(gap.cause)];
        const std::int64_t ns = inside.lengthNs();
        sum.cause = gap.cause;
        sum.ns += ns;
        ++sum.gaps;
        sum.insideGraphNs += gap.isInsideGraph ? ns : 0;
        sum.queuedNs += gap.wasQueued ? ns : 0;
        // Products of long gaps exceed 64 bits.
        sum.shownNs += std::llround(static_cast<double>(gap.shownNs) * static_cast<double>(ns)
                                    / static_cast<double>(gap.range.lengthNs()));
        if (gap.name) {
            std::int64_t& ofName = m_nsByName[static_cast<std::size_t>(gap.cause)][gap.name];
            if (ofName == 0)
                sum.names.emplace_back(gap.name, 0);
            ofName += ns;
        }
        if (!sum.longestGap || ns > sum.longest.lengthNs()) {
            sum.longestGap = &gap;
            sum.longest = inside;
        }
        sum.places.add({rank, inside, gap.shown ? gap.shown : gap.next});
    });
    std::vector<IdleSum> sums;
    for (std::size_t cause = 0; cause < idleCauseCount; ++cause) {
        for (auto& [name, ns] : all[cause].names)
            ns = std::exchange(m_nsByName[cause][name], 0);
        if (all[cause].ns > 0)
            sums.push_back(std::move(all[cause]));
    }
    return sums;
}

std::vector<IdleSum> IdleMeter::of(const RankShare& rank, const StepShare& step, const RankSums& sums)
{
    const PartitionSummary* const summary = sums.of(step);
    return summary ? idleOf(*summary, rank.rank, step.step.range)
                   : of(rank.rank, rank.gaps[step.part], step.step.range);
}

} // namespace collscope
