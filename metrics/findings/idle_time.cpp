// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Findings about idle time and copies.

#include "metrics/core/duration_text.h"
#include "metrics/core/value.h"
#include "metrics/findings/finding_groups.h"
#include "metrics/partition/idle_sums.h"

#include <map>

namespace collscope {

namespace {

/// Idle time of one cause, and the names that it is blamed on.
struct CauseGroup
{
    Finding finding;
    std::vector<std::int64_t> nsByName; ///< by StringId; empty: no name yet
    std::map<std::int64_t, std::int64_t> nsByStep; ///< by number
    IdleSum sum; ///< of all windows, without names and places; of its longest gap
    const Timeline* longestTimeline = nullptr;
};

void addSum(const FindingInput& input, const RankShare& rank, const StepShare& step, const IdleSum& sum,
            CauseGroup& group)
{
    const TraceModel& model = input.analysis.model();
    const Timeline& timeline = *rank.timelines[step.part];
    group.finding.pay(rank.rank, sum.ns);
    group.finding.count += sum.gaps;
    group.nsByStep[step.step.number] += sum.ns;
    group.sum.insideGraphNs += sum.insideGraphNs;
    group.sum.queuedNs += sum.queuedNs;
    group.sum.shownNs += sum.shownNs;
    if (!sum.names.empty() && group.nsByName.empty())
        group.nsByName.resize(model.strings.size(), 0);
    for (const auto& [name, ns] : sum.names)
        group.nsByName[name.value] += ns;
    if (!group.longestTimeline || sum.longest.lengthNs() > group.sum.longest.lengthNs()) {
        group.sum.longest = sum.longest;
        group.sum.longestGap = sum.longestGap;
        group.sum.words = sum.words;
        group.longestTimeline = &timeline;
    }
    for (FindingPlace place : sum.places.all()) {
        if (!group.finding.places.wants(place))
            continue;
        place.range = input.analysis.clocks().toAxis(model.indexOf(timeline), place.range);
        group.finding.places.add(place);
    }
}

/// The name with most of the time; of equal ones the first by its letters.
std::string_view mostBlamed(const TraceModel& model, const std::vector<std::int64_t>& nsByName)
{
    std::uint32_t most = 0;
    for (std::uint32_t name = 1; name < nsByName.size(); ++name) {
        if (nsByName[name] > nsByName[most]
            || (nsByName[name] > 0 && nsByName[name] == nsByName[most]
                && model.text(StringId{name}) < model.text(StringId{most})))
            most = name;
    }
    return model.text(StringId{most});
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
std::string repeatsText(const TraceModel& model, const GapWords& words)
{
    if (!words.repeated || words.repeats < fewestRepeats)
        return {};
    return " (in the longest gap " + groupedDigits(words.repeats) + " \u00d7 "
        + quotedName(model.text(words.repeated))
        + (words.under ? " under " + quotedName(model.text(words.under)) : std::string()) + ")";
}

void finishCause(const FindingInput& input, IdleCause cause, CauseGroup& group)
{
    Finding& finding = group.finding;
    finding.kind = kindOfIdle(cause);
    finding.idleCause = cause;
    finding.cause = idleCauseName(cause);
    finding.ranks = finding.payers();
    const TraceModel& model = input.analysis.model();
    if (!group.nsByName.empty())
        finding.name = mostBlamed(model, group.nsByName);
    const IdleSum& sum = group.sum;
    const GapWords words
        = sum.longestGap ? wordsOf(model, *group.longestTimeline, *sum.longestGap) : sum.words;
    // A call of the runtime or driver: the program's own code is not to blame.
    const bool isDriverCall = words.driverCall && model.text(words.driverCall) == finding.name;
    finding.title = "The GPU is idle " + costText(input.findings, finding) + payersText(input, finding)
        + loneStepText(input.partition, group.nsByStep) + ": " + std::string(idleCauseText(cause));
    if (!finding.name.empty())
        finding.title += (blamesNextEvent(cause) ? ", mostly before "
                              : isDriverCall     ? ", mostly in the call "
                                                 : ", mostly ")
            + quotedName(finding.name);
    finding.isInsideGraph = 2 * sum.insideGraphNs > finding.ns;
    if (cause == IdleCause::LaunchOverhead && 10 * sum.insideGraphNs >= finding.ns)
        finding.title
            += "; " + percentText(sum.insideGraphNs, finding.ns) + " of it between kernels of one graph";
    else if (cause == IdleCause::LaunchOverhead && 10 * sum.queuedNs >= finding.ns)
        finding.title
            += "; " + percentText(sum.queuedNs, finding.ns) + " of it before work that was already queued";
    // A cause gets whole gaps. Where it does not cover nearly all of them, the text says so. After a wait for
    // the GPU the rest is what it takes to launch again.
    if (cause != IdleCause::Synchronises && sum.shownNs > 0 && 10 * sum.shownNs < 9 * finding.ns)
        finding.title += ", recorded for " + percentText(sum.shownNs, finding.ns) + " of it";
    if (cause == IdleCause::CpuBound)
        finding.title += repeatsText(model, words);
    finding.title += ".";
}

} // namespace

void addIdleTime(const FindingInput& input)
{
    std::vector<CauseGroup> groups(idleCauseCount);
    IdleMeter meter;
    for (const RankShare& rank : input.partition.ranks) {
        const RankSums sums(rank);
        for (const StepShare& step : rank.steps) {
            for (const IdleSum& sum : meter.of(rank, step, sums))
                addSum(input, rank, step, sum, groups[static_cast<std::size_t>(sum.cause)]);
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
    std::map<std::string_view, Finding> byName;
    for (const RankShare& rank : input.partition.ranks) {
        for (const CopyShare& copies : rank.copies) {
            if (copies.ns == 0)
                continue;
            Finding& finding = byName[model.text(copies.name)];
            finding.pay(rank.rank, copies.ns);
            finding.count += copies.count;
            for (FindingPlace place : copies.places.all()) {
                place.range = input.analysis.clocks().toAxis(model.indexOf(*copies.timeline), place.range);
                finding.places.add(place);
            }
        }
    }
    for (auto& [name, finding] : byName) {
        finding.kind = FindingKind::ExposedCopies;
        finding.name = name;
        finding.ranks = finding.payers();
        finding.title = "Copies that nothing hides take " + costText(input.findings, finding)
            + payersText(input, finding) + ": " + quotedName(finding.name) + ".";
        input.findings.all.push_back(std::move(finding));
    }
}

} // namespace collscope
