// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Findings about idle time and copies.

#include "metrics/core/duration_text.h"
#include "metrics/core/value.h"
#include "metrics/findings/finding_groups.h"
#include "metrics/idle/thread_reader.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace collscope {

namespace {

/// Idle time of one cause, and the names that it is blamed on.
struct CauseGroup
{
    Finding finding;
    std::vector<std::int64_t> nsByName; ///< by StringId; empty: no name yet
    std::map<std::int64_t, std::int64_t> nsByStep; ///< by number
    const GpuGap* longest = nullptr;
    const Timeline* longestTimeline = nullptr;
    std::int64_t longestNs = 0;
    std::int64_t insideGraphNs = 0; ///< between two kernels of one launch
    std::int64_t queuedNs = 0; ///< before work that was launched before the gap began
    std::int64_t shownNs = 0; ///< covered by the recorded events of the cause
};

void addGap(const FindingInput& input, std::int32_t rank, const Timeline& timeline, const GpuGap& gap,
            TimeRange inside, CauseGroup& group)
{
    const TraceModel& model = input.analysis.model();
    group.finding.pay(rank, inside.lengthNs());
    ++group.finding.count;
    group.insideGraphNs += gap.isInsideGraph ? inside.lengthNs() : 0;
    group.queuedNs += gap.wasQueued ? inside.lengthNs() : 0;
    // Products of long gaps exceed 64 bits.
    group.shownNs += std::llround(static_cast<double>(gap.shownNs) * static_cast<double>(inside.lengthNs())
                                  / static_cast<double>(gap.range.lengthNs()));
    if (gap.name) {
        if (group.nsByName.empty())
            group.nsByName.resize(model.strings.size(), 0);
        group.nsByName[gap.name.value] += inside.lengthNs();
    }
    if (!group.longest || inside.lengthNs() > group.longestNs) {
        group.longest = &gap;
        group.longestTimeline = &timeline;
        group.longestNs = inside.lengthNs();
    }
    const FindingPlace place{rank, inside, gap.shown ? gap.shown : gap.next};
    if (group.finding.places.wants(place)) {
        const TimeRange range = input.analysis.clocks().toAxis(model.indexOf(timeline), inside);
        group.finding.places.add({rank, range, place.slice});
    }
}

/// "1,231 x": with separators of thousands, for readers.
std::string groupedDigits(std::int64_t count)
{
    std::string text = std::to_string(count);
    for (std::size_t at = text.size(); at > 3; at -= 3)
        text.insert(at - 3, ",");
    return text;
}

/// " (in the longest gap 1,231 x "assert_size_stride" under ...)"; empty without calls that repeat.
std::string repeatsText(const FindingInput& input, const CauseGroup& group)
{
    if (!group.longest || !group.longest->thread)
        return {};
    const TraceModel& model = input.analysis.model();
    ThreadReader reader(model, *group.longestTimeline);
    const RepeatedCalls calls = reader.repeated(group.longest->thread, group.longest->range);
    constexpr std::int64_t few = 10;
    if (calls.count < few)
        return {};
    return " (in the longest gap " + groupedDigits(calls.count) + " \u00d7 "
        + quotedName(model.text(calls.name))
        + (calls.under ? " under " + quotedName(model.text(calls.under)) : std::string()) + ")";
}

/// Whether the name of a group is a call of the runtime or driver: the program's own code is not to blame.
bool isDriverCall(const FindingInput& input, const CauseGroup& group)
{
    const SliceRef shown = group.longest ? group.longest->shown : SliceRef();
    if (!shown || group.longest->cause != IdleCause::CpuBound)
        return false;
    const TraceModel& model = input.analysis.model();
    return model.track(shown.track).slices.category[shown.row] == SliceCategory::Runtime
        && model.nameOf(shown) == group.finding.name;
}

void finishCause(const FindingInput& input, IdleCause cause, CauseGroup& group)
{
    Finding& finding = group.finding;
    finding.kind = kindOfIdle(cause);
    finding.idleCause = cause;
    finding.cause = idleCauseName(cause);
    finding.ranks = finding.payers();
    if (!group.nsByName.empty()) {
        const auto most = std::max_element(group.nsByName.begin(), group.nsByName.end());
        finding.name = input.analysis.model().text(
            StringId{static_cast<std::uint32_t>(most - group.nsByName.begin())});
    }
    finding.title = "The GPU is idle " + costText(input.findings, finding) + payersText(input, finding)
        + loneStepText(input.partition, group.nsByStep) + ": " + std::string(idleCauseText(cause));
    if (!finding.name.empty())
        finding.title += (blamesNextEvent(cause)           ? ", mostly before "
                              : isDriverCall(input, group) ? ", mostly in the call "
                                                           : ", mostly ")
            + quotedName(finding.name);
    finding.isInsideGraph = 2 * group.insideGraphNs > finding.ns;
    if (cause == IdleCause::LaunchOverhead && 10 * group.insideGraphNs >= finding.ns)
        finding.title
            += "; " + percentText(group.insideGraphNs, finding.ns) + " of it between kernels of one graph";
    else if (cause == IdleCause::LaunchOverhead && 10 * group.queuedNs >= finding.ns)
        finding.title
            += "; " + percentText(group.queuedNs, finding.ns) + " of it before work that was already queued";
    // A cause gets whole gaps. Where it does not cover nearly all of them, the text says so. After a wait for
    // the GPU the rest is what it takes to launch again.
    if (cause != IdleCause::Synchronises && group.shownNs > 0 && 10 * group.shownNs < 9 * finding.ns)
        finding.title += ", recorded for " + percentText(group.shownNs, finding.ns) + " of it";
    if (cause == IdleCause::CpuBound)
        finding.title += repeatsText(input, group);
    finding.title += ".";
}

} // namespace

void addIdleTime(const FindingInput& input)
{
    std::vector<CauseGroup> groups(idleCauseCount);
    for (const RankShare& rank : input.partition.ranks) {
        for (const StepShare& step : rank.steps) {
            rank.gaps[step.part].forEachIn(step.step.range, [&](const GpuGap& gap, TimeRange inside) {
                addGap(input, rank.rank, *rank.timelines[step.part], gap, inside,
                       groups[static_cast<std::size_t>(gap.cause)]);
            });
            for (std::size_t cause = 0; cause < idleCauseCount; ++cause)
                groups[cause].nsByStep[step.step.number] += step.idle[cause];
        }
    }
    for (std::size_t cause = 0; cause < idleCauseCount; ++cause) {
        if (groups[cause].finding.ns == 0)
            continue;
        finishCause(input, static_cast<IdleCause>(cause), groups[cause]);
        input.findings.all.push_back(std::move(groups[cause].finding));
    }
}

void addCopies(const FindingInput& input)
{
    const TraceModel& model = input.analysis.model();
    std::map<std::uint32_t, Finding> byName;
    for (const RankShare& rank : input.partition.ranks) {
        for (const CopyShare& copies : rank.copies) {
            if (copies.ns == 0)
                continue;
            Finding& finding = byName[copies.name.value];
            finding.pay(rank.rank, copies.ns);
            finding.count += copies.count;
            for (FindingPlace place : copies.places.all()) {
                const std::size_t timeline = model.indexOf(model.timelineOf(place.slice));
                place.range = input.analysis.clocks().toAxis(timeline, place.range);
                finding.places.add(place);
            }
        }
    }
    for (auto& [name, finding] : byName) {
        finding.kind = FindingKind::ExposedCopies;
        finding.name = model.text(StringId{name});
        finding.ranks = finding.payers();
        finding.title = "Copies that nothing hides take " + costText(input.findings, finding)
            + payersText(input, finding) + ": " + quotedName(finding.name) + ".";
        input.findings.all.push_back(std::move(finding));
    }
}

} // namespace collscope
