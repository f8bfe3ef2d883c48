// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/queries/end_evidence.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace collscope {

namespace {

/// A timeline's calls on a group.
struct NumberedCalls
{
    std::size_t timeline = 0; ///< index into the model's timelines
    const JobGroupCalls* group = nullptr;

    std::size_t size() const { return group->numbered.size(); }
    std::int64_t number(std::size_t i) const { return group->numbered.number[i]; }
    TimeRange range(std::size_t i) const { return group->numbered.range(i); }
    const JobCallKind& kind(std::size_t i) const { return group->kinds[group->numbered.kind[i]]; }
};
using NumberedByGroup = std::map<JobGroupKey, NumberedCalls>;

NumberedByGroup numberedCallsOf(const std::vector<JobCalls>& calls, std::size_t timeline)
{
    NumberedByGroup groups;
    for (const JobGroupCalls& group : calls[timeline].groups) {
        if (group.numbered.size() > 0)
            groups[{group.group, group.ranks}] = {timeline, &group};
    }
    return groups;
}

/// The calls of two ranks that are one collective according to their numbers.
struct NumberedPair
{
    TimeRange first, second;
    double atNs() const { return static_cast<double>(second.endNs); }
    double aheadNs() const { return static_cast<double>(second.endNs - first.endNs); }
    /// The allowed distance between the ends of one collective, at least leastNs. Large messages end earlier
    /// on some ranks than on others.
    double barNs(double leastNs) const
    {
        return std::max(leastNs, static_cast<double>(std::min(first.lengthNs(), second.lengthNs())) / 4);
    }
    /// Time from the end of one call to the start of the other; negative if they overlap.
    std::int64_t gapNs() const
    {
        return std::max(first.beginNs, second.beginNs) - std::min(first.endNs, second.endNs);
    }
};

/// Empty if the numbers contradict kinds and sizes, that is, if the ranks do not count the same calls.
std::vector<NumberedPair> pairsOf(const NumberedCalls& a, const NumberedCalls& b)
{
    std::vector<NumberedPair> pairs;
    std::size_t differ = 0;
    std::size_t other = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        while (other < b.size() && b.number(other) < a.number(i))
            ++other;
        if (other == b.size())
            break;
        if (b.number(other) != a.number(i))
            continue;
        const JobCallKind& first = a.kind(i);
        const JobCallKind& second = b.kind(other);
        if (first.kind == second.kind && first.elements == second.elements)
            pairs.push_back({a.range(i), b.range(other)});
        else
            ++differ;
    }
    if (differ * 20 > pairs.size())
        pairs.clear();
    std::sort(pairs.begin(), pairs.end(),
              [](const NumberedPair& x, const NumberedPair& y) { return x.atNs() < y.atNs(); });
    return pairs;
}

double middleOf(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// Slope through the medians of up to 16 pieces, which outliers and a jump of the clock hardly affect. 0 for
/// too few pairs.
double slopeThrough(const std::vector<NumberedPair>& pairs)
{
    constexpr std::size_t fewest = 16;
    if (pairs.size() < fewest)
        return 0;
    const std::size_t pieces = std::min<std::size_t>(16, pairs.size() / 2);
    std::vector<std::pair<double, double>> middles;
    for (std::size_t piece = 0; piece < pieces; ++piece) {
        std::vector<double> at, ahead;
        for (std::size_t i = pairs.size() * piece / pieces; i < pairs.size() * (piece + 1) / pieces; ++i) {
            at.push_back(pairs[i].atNs());
            ahead.push_back(pairs[i].aheadNs());
        }
        middles.emplace_back(middleOf(std::move(at)), middleOf(std::move(ahead)));
    }
    std::vector<double> slopes;
    for (std::size_t i = 0; i < middles.size(); ++i) {
        for (std::size_t j = i + 1; j < middles.size(); ++j) {
            if (middles[j].first > middles[i].first)
                slopes.push_back((middles[j].second - middles[i].second)
                                 / (middles[j].first - middles[i].first));
        }
    }
    return slopes.empty() ? 0 : middleOf(std::move(slopes));
}

/// The ends of one collective may scatter by this much.
constexpr double wideBarNs = 500'000;
/// The ends of one collective usually do not scatter by more than this.
constexpr double closeBarNs = 100'000;

/// The share of pairs that end together if the second clock gains `slope` on the first, for the offset that
/// fits most of them.
double shareTogether(const std::vector<NumberedPair>& pairs, double slope, double leastBarNs)
{
    std::vector<std::pair<double, int>> borders; // limits of the offsets that fit each pair
    const double pivotNs = pairs.front().atNs();
    for (const NumberedPair& pair : pairs) {
        const double offsetNs = pair.aheadNs() - slope * (pair.atNs() - pivotNs);
        borders.emplace_back(offsetNs - pair.barNs(leastBarNs), -1); // starts come first at equal offsets
        borders.emplace_back(offsetNs + pair.barNs(leastBarNs), 1);
    }
    std::sort(borders.begin(), borders.end());
    std::ptrdiff_t open = 0, most = 0;
    for (const auto& [offsetNs, kind] : borders)
        most = std::max(most, open -= kind);
    return static_cast<double>(most) / static_cast<double>(pairs.size());
}

/// Whether the ends coincide with a drift that no clock has, but not with one that a clock can have. In a
/// short capture, all ends are within the wide bar. The evidence then is that they follow such a drift
/// closely.
bool needsImpossibleDrift(const std::vector<NumberedPair>& pairs, double slope, double possible)
{
    constexpr double nearlyAll = 0.9;
    const auto isOnlyThat = [&](double barNs, double mostOtherwise) {
        const double otherwise
            = std::max(shareTogether(pairs, 0, barNs), shareTogether(pairs, possible, barNs));
        return otherwise < mostOtherwise && shareTogether(pairs, slope, barNs) >= nearlyAll;
    };
    return possible != slope && (isOnlyThat(wideBarNs, 0.8) || isOnlyThat(closeBarNs, 0.5));
}

/// nullopt: undecided. False: the timelines cannot belong to one job.
using EndVerdict = std::optional<bool>;

EndVerdict endTogether(const TraceModel&, const NumberedCalls& a, const NumberedCalls& b)
{
    constexpr std::size_t fewest = 8;
    const std::vector<NumberedPair> pairs = pairsOf(a, b);
    if (pairs.size() < fewest)
        return std::nullopt;
    const double slope = slopeThrough(pairs);
    const double possible = std::clamp(slope, -mostClockDrift, mostClockDrift);
    const double share
        = std::max(shareTogether(pairs, 0, wideBarNs), shareTogether(pairs, possible, wideBarNs));
    return share >= 0.5 && !needsImpossibleDrift(pairs, slope, possible);
}

EndVerdict fitOneClock(const TraceModel& model, const NumberedCalls& a, const NumberedCalls& b)
{
    constexpr std::size_t fewest = 4;
    const Timeline& first = model.timelines[a.timeline];
    const Timeline& second = model.timelines[b.timeline];
    if (!first.host || first.host.value != second.host.value || !first.hasWallClock || !second.hasWallClock)
        return std::nullopt;
    const std::vector<NumberedPair> pairs = pairsOf(a, b);
    if (pairs.size() < fewest)
        return std::nullopt;
    const auto apart = static_cast<std::size_t>(std::count_if(
        pairs.begin(), pairs.end(), [](const NumberedPair& pair) { return pair.gapNs() > oneHostApartNs; }));
    return 2 * apart <= pairs.size();
}

using Judge = EndVerdict (*)(const TraceModel&, const NumberedCalls&, const NumberedCalls&);

/// Compares with a part's first timeline on each group.
EndVerdict judged(const TraceModel& model, const NumberedByGroup& part, const NumberedByGroup& own,
                  Judge judge)
{
    EndVerdict found;
    for (const auto& [key, calls] : own) {
        const auto other = part.find(key);
        const EndVerdict one = other == part.end() ? std::nullopt : judge(model, other->second, calls);
        if (one == false)
            return one;
        found = one ? one : found;
    }
    return found;
}

std::vector<std::int32_t> partsBy(const TraceModel& model, const std::vector<JobCalls>& calls,
                                  const std::vector<std::size_t>& timelines, Judge judge)
{
    constexpr std::size_t mostParts = 16;
    std::vector<std::int32_t> result(timelines.size(), 0);
    std::vector<NumberedByGroup> parts;
    for (std::size_t k = 0; k < timelines.size(); ++k) {
        NumberedByGroup own = numberedCallsOf(calls, timelines[k]);
        std::size_t part = parts.size();
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const EndVerdict with = judged(model, parts[i], own, judge);
            part = with.value_or(true) ? std::min(part, i) : part;
            if (with == true) {
                part = i;
                break;
            }
        }
        if (part == mostParts) {
            std::fill(result.begin(), result.end(), 0);
            return result;
        }
        if (part == parts.size())
            parts.emplace_back();
        parts[part].merge(own); // keeps existing entries
        result[k] = static_cast<std::int32_t>(part);
    }
    return result;
}

} // namespace

std::vector<std::int32_t> partsByEnds(const TraceModel& model, const std::vector<JobCalls>& calls,
                                      const std::vector<std::size_t>& timelines)
{
    return partsBy(model, calls, timelines, endTogether);
}

std::vector<std::int32_t> partsByHostClock(const TraceModel& model, const std::vector<JobCalls>& calls,
                                           const std::vector<std::size_t>& timelines)
{
    return partsBy(model, calls, timelines, fitOneClock);
}

} // namespace collscope
