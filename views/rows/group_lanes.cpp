// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/rows/group_lanes.h"

#include "metrics/matching/collective_times.h"
#include "metrics/matching/wait_rule.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

namespace collscope {

namespace {

int placeOf(ParallelismKind parallelismKind)
{
    constexpr std::array order{ParallelismKind::TensorParallel,   ParallelismKind::ContextParallel,
                               ParallelismKind::ExpertParallel,   ParallelismKind::DataParallel,
                               ParallelismKind::PipelineParallel, ParallelismKind::Global};
    return static_cast<int>(std::find(order.begin(), order.end(), parallelismKind) - order.begin());
}

bool hasLane(const ProcessGroup& group)
{
    return group.kind == ProcessGroup::Kind::Collective || group.kind == ProcessGroup::Kind::Stream;
}

CollectiveSpan spanOf(const TraceModel& model, const RunCollectives& run, const CollectiveInstance& instance,
                      std::int64_t significantNs, CollectiveTimer& timer, std::vector<std::int64_t>& ends)
{
    const CollectiveTimes times = timer.of(instance);
    ends.clear();
    for (const TimeRange& member : timer.members())
        ends.push_back(member.endNs);
    const auto middle = ends.begin() + static_cast<std::ptrdiff_t>(ends.size() / 2);
    std::nth_element(ends.begin(), middle, ends.end());
    CollectiveSpan span;
    span.beginNs = times.arrivals.beginNs;
    const Call& call = run.callOf(run.matching.membersOf(instance).back());
    const WaitRule rule = waitRuleOf(model, call);
    span.arrivedNs = !times.tellsWaits ? times.arrivals.beginNs
        : rule == WaitRule::AllForAll  ? times.arrivals.endNs
                                       : timer.members()[times.awaited].beginNs;
    span.endNs = std::max(*middle, times.arrivals.endNs);
    span.kind = call.kind;
    span.waits = times.tellsWaits;
    if (rule == WaitRule::RootForAll && times.tellsWaits)
        span.onlyWaiter = run.callOf(run.matching.membersOf(instance)[times.longest]).slice;
    span.contradicts = rule == WaitRule::AllForAll && times.tellsWaits
        && times.contradictionNs() > std::max(significantNs, run.matching.groupOf(instance).endsBarNs);
    return span;
}

/// Assigns each collective of a lane, in order of start, to the first free level.
void fillLevels(GroupLane& lane, const std::vector<std::uint32_t>& instances,
                std::vector<CollectiveSpan>& spans)
{
    for (const std::uint32_t instance : instances) {
        CollectiveSpan& span = spans[instance];
        std::size_t level = 0;
        while (level < lane.levels.size() && lane.levels[level].reachNs.back() > span.beginNs
               && level + 1 < maxLaneLevels)
            ++level;
        if (level == lane.levels.size())
            lane.levels.emplace_back().coveredNs.push_back(0);
        LaneLevel& at = lane.levels[level];
        span.level = static_cast<std::uint8_t>(level);
        at.reachNs.push_back(at.reachNs.empty() ? span.endNs : std::max(at.reachNs.back(), span.endNs));
        at.instances.push_back(instance);
        at.beginNs.push_back(span.beginNs);
        at.endNs.push_back(span.endNs);
        at.kind.push_back(span.kind);
        at.coveredNs.push_back(at.coveredNs.back() + span.endNs - span.beginNs);
    }
}

/// Returns the longest of adjacent collectives; samples a few of them if there are many.
std::size_t longestOf(const LaneLevel& level, std::size_t first, std::size_t last)
{
    constexpr std::size_t samples = 4;
    std::size_t longest = first;
    const std::size_t stride = std::max<std::size_t>(1, (last - first) / samples);
    for (std::size_t i = first; i < last; i += stride) {
        if (level.endNs[i] - level.beginNs[i] > level.endNs[longest] - level.beginNs[longest])
            longest = i;
    }
    return longest;
}

/// Returns the index of the first time at or after position `from` that is at least ns. Searches near `from`
/// first.
std::size_t firstFrom(const std::vector<std::int64_t>& times, std::int64_t ns, std::size_t from)
{
    std::size_t step = 1;
    std::size_t last = from;
    while (last < times.size() && times[last] < ns) {
        from = last + 1;
        last += step;
        step *= 2;
    }
    const auto at = [&](std::size_t i) { return times.begin() + static_cast<std::ptrdiff_t>(i); };
    return static_cast<std::size_t>(std::lower_bound(at(from), at(std::min(last, times.size())), ns)
                                    - times.begin());
}

void drawLevel(const GroupLanes& groups, const LaneLevel& level, int number, const TimeAxis& axis,
               std::vector<DrawCollective>& drawn)
{
    const TimeRange visible = axis.range();
    std::size_t i = firstFrom(level.reachNs, visible.beginNs + 1, 0);
    while (i < level.instances.size() && level.beginNs[i] < visible.endNs) {
        const double x = std::max(axis.xOf(level.beginNs[i]), 0.0);
        DrawCollective entry;
        entry.level = number;
        if (axis.xOf(level.endNs[i]) - x >= 1.5) {
            const CollectiveSpan& span = *groups.span(level.instances[i]);
            entry.x = x;
            entry.endX = std::min(axis.xOf(span.endNs), axis.width());
            entry.arrivedX = std::clamp(axis.xOf(span.arrivedNs), x, entry.endX);
            entry.instance = level.instances[i];
            entry.kind = span.kind;
            entry.contradicts = span.contradicts;
            drawn.push_back(entry);
            ++i;
            continue;
        }
        const double pixel = std::floor(x);
        const std::int64_t pixelEnd = std::max(axis.timeAt(pixel + 1), level.beginNs[i] + 1);
        std::size_t next = firstFrom(level.beginNs, pixelEnd, i);
        if (next > i + 1 && axis.xOf(level.endNs[next - 1]) - pixel >= 2)
            --next; // wide enough to be drawn individually
        const auto covered = static_cast<double>(level.coveredNs[next] - level.coveredNs[i]);
        const std::size_t longest = longestOf(level, i, next);
        entry.x = entry.arrivedX = pixel;
        entry.endX = pixel + 1;
        entry.instance = level.instances[longest];
        entry.kind = level.kind[longest];
        entry.coverage = static_cast<float>(std::min(covered / static_cast<double>(axis.nsPerPixel()), 0.99));
        drawn.push_back(entry);
        i = next;
    }
}

} // namespace

GroupLanes::GroupLanes(const TraceModel& model, const RunCollectives& run, const ClockMap& clocks,
                       std::int64_t significantNs)
{
    const Matching& matching = run.matching;
    // Groups of several profiler iterations share a lane if they look identical on screen.
    using Key = std::tuple<int, std::vector<std::int32_t>, std::string, std::string>;
    struct Found
    {
        GroupLane lane;
        std::vector<std::uint32_t> instances;
    };
    std::map<Key, Found> found;
    std::vector<Found*> ofGroup(matching.groups.size(), nullptr);
    m_spans.resize(matching.instances.size());
    CollectiveTimer timer = run.timer(model, clocks);
    std::vector<std::int64_t> ends;
    std::vector<std::vector<std::int32_t>> loaded(matching.groups.size());
    for (const CollectiveInstance& instance : matching.instances) {
        std::vector<std::int32_t>& ranks = loaded[instance.group];
        for (const CallRef member : matching.membersOf(instance)) {
            const std::int32_t rank = run.ranks[member.rank].rank;
            const auto at = std::lower_bound(ranks.begin(), ranks.end(), rank);
            if (at == ranks.end() || *at != rank)
                ranks.insert(at, rank);
        }
    }
    for (std::uint32_t i = 0; i < matching.instances.size(); ++i) {
        const CollectiveInstance& instance = matching.instances[i];
        const ProcessGroup& group = matching.groupOf(instance);
        if (!hasLane(group) || instance.memberCount < 2)
            continue;
        Found*& entry = ofGroup[instance.group];
        if (!entry) {
            const auto& ranks = group.ranks.empty() ? loaded[instance.group] : group.ranks;
            entry = &found[{placeOf(group.parallelismKind), ranks, group.name, group.description}];
            if (entry->instances.empty())
                entry->lane = {group.parallelismKind, instance.group, ranks, {}, {}};
            std::vector<std::int32_t> both;
            std::set_union(entry->lane.loaded.begin(), entry->lane.loaded.end(),
                           loaded[instance.group].begin(), loaded[instance.group].end(),
                           std::back_inserter(both));
            entry->lane.loaded = std::move(both);
        }
        m_spans[i] = spanOf(model, run, instance, significantNs, timer, ends);
        entry->instances.push_back(i);
    }
    for (auto& [key, entry] : found) {
        std::sort(entry.instances.begin(), entry.instances.end(), [this](std::uint32_t a, std::uint32_t b) {
            return std::pair(m_spans[a].beginNs, a) < std::pair(m_spans[b].beginNs, b);
        });
        for (const std::uint32_t instance : entry.instances)
            m_spans[instance].lane = static_cast<std::uint32_t>(m_lanes.size());
        fillLevels(entry.lane, entry.instances, m_spans);
        m_lanes.push_back(std::move(entry.lane));
    }
}

std::vector<DrawCollective> drawLane(const GroupLanes& groups, const GroupLane& lane, const TimeAxis& axis)
{
    std::vector<DrawCollective> drawn;
    for (std::size_t level = 0; level < lane.levels.size(); ++level)
        drawLevel(groups, lane.levels[level], static_cast<int>(level), axis, drawn);
    return drawn;
}

std::optional<std::uint32_t> collectiveAt(const GroupLanes& groups, const GroupLane& lane,
                                          std::int64_t timeNs, int level, std::int64_t toleranceNs)
{
    if (level < 0 || static_cast<std::size_t>(level) >= lane.levels.size())
        return std::nullopt;
    const LaneLevel& at = lane.levels[static_cast<std::size_t>(level)];
    const auto after = static_cast<std::size_t>(std::upper_bound(at.beginNs.begin(), at.beginNs.end(), timeNs)
                                                - at.beginNs.begin());
    std::optional<std::uint32_t> best;
    std::int64_t bestDistance = toleranceNs + 1;
    const auto consider = [&](std::size_t i) {
        const CollectiveSpan& span = *groups.span(at.instances[i]);
        const auto distance = std::max<std::int64_t>({0, span.beginNs - timeNs, timeNs - span.endNs});
        if (distance < bestDistance) {
            bestDistance = distance;
            best = at.instances[i];
        }
    };
    // The collective that started last lies on top. An earlier one can only reach further on a shared level.
    for (std::size_t i = after; i > 0 && bestDistance > 0 && at.reachNs[i - 1] >= timeNs - toleranceNs; --i)
        consider(i - 1);
    if (after < at.instances.size())
        consider(after);
    return best;
}

CallRef lastArriver(const TraceModel& model, const RunCollectives& run, const ClockMap& clocks,
                    std::uint32_t instance)
{
    const CollectiveInstance& of = run.matching.instances[instance];
    const CollectiveTimes times = run.timer(model, clocks).of(of);
    return run.matching.membersOf(of)[times.last];
}

GroupDensity::GroupDensity(const GroupLanes& groups, const std::vector<std::size_t>& lanes)
    : m_groups(static_cast<double>(std::max<std::size_t>(lanes.size(), 1)))
{
    std::map<KernelClass, std::vector<std::pair<std::int64_t, std::int32_t>>> changes;
    for (const std::size_t lane : lanes) {
        for (const LaneLevel& level : groups.lanes()[lane].levels) {
            for (const std::uint32_t instance : level.instances) {
                const CollectiveSpan& span = *groups.span(instance);
                changes[span.kind].emplace_back(span.beginNs, 1);
                changes[span.kind].emplace_back(span.endNs, -1);
            }
        }
    }
    for (auto& [kind, list] : changes) {
        std::sort(list.begin(), list.end());
        Busy& busy = m_busy.emplace_back();
        busy.kind = kind;
        std::int32_t running = 0;
        std::int64_t sum = 0;
        for (const auto& [ns, change] : list) {
            if (busy.timeNs.empty() || busy.timeNs.back() != ns) {
                sum += busy.timeNs.empty() ? 0 : running * (ns - busy.timeNs.back());
                busy.timeNs.push_back(ns);
                busy.sumNs.push_back(sum);
                busy.running.push_back(0);
            }
            running += change;
            busy.running.back() = running;
        }
    }
}

std::int64_t GroupDensity::Busy::upTo(std::int64_t ns) const
{
    const auto after = std::upper_bound(timeNs.begin(), timeNs.end(), ns);
    if (after == timeNs.begin())
        return 0;
    const auto i = static_cast<std::size_t>(after - timeNs.begin()) - 1;
    return sumNs[i] + running[i] * (ns - timeNs[i]);
}

std::vector<DrawRect> GroupDensity::draw(const TimeAxis& axis) const
{
    std::vector<DrawRect> rects;
    std::vector<std::int64_t> before;
    for (const Busy& busy : m_busy)
        before.push_back(busy.upTo(axis.range().beginNs));
    std::int64_t begin = axis.range().beginNs;
    const auto steps = static_cast<int>(std::ceil(axis.width() / densityStep));
    for (int step = 0; step < steps; ++step) {
        const double x = step * densityStep;
        const std::int64_t end = std::max(axis.timeAt(x + densityStep), begin + 1);
        std::int64_t all = 0;
        std::int64_t most = 0;
        DrawRect rect;
        for (std::size_t i = 0; i < m_busy.size(); ++i) {
            const std::int64_t now = m_busy[i].upTo(end);
            const std::int64_t own = now - before[i];
            before[i] = now;
            all += own;
            if (own > most) {
                most = own;
                rect.kernelClass = m_busy[i].kind;
            }
        }
        const double share = static_cast<double>(all) / static_cast<double>(end - begin) / m_groups;
        begin = end;
        if (all == 0)
            continue;
        rect.x = x;
        rect.width = std::min(densityStep, axis.width() - x);
        rect.coverage = static_cast<float>(std::min(1.0, share));
        rects.push_back(rect);
    }
    return rects;
}

LaidOutGroupsPtr layOutGroups(const TraceModel& model, const RunCollectivesPtr& run, ClockChoice clocks,
                              const std::function<bool()>& cancelled)
{
    const auto isCancelled = [&] { return cancelled && cancelled(); };
    if (isCancelled())
        return nullptr;
    auto groups = std::make_shared<LaidOutGroups>();
    groups->run = run;
    groups->clocks = clocks;
    groups->lanes = GroupLanes(model, *run, run->clocks.map(clocks), run->clocks.significantNs(clocks));
    const std::vector<GroupLane>& lanes = groups->lanes.lanes();
    for (std::size_t first = 0; first < lanes.size();) {
        std::vector<std::size_t> alike;
        for (std::size_t i = first;
             i < lanes.size() && lanes[i].parallelismKind == lanes[first].parallelismKind; ++i)
            alike.push_back(i);
        first += alike.size();
        if (isCancelled())
            return nullptr;
        groups->densities.try_emplace(alike, groups->lanes, alike);
    }
    return groups;
}

} // namespace collscope
