// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Collectives far below the bandwidth that others of their size reach.

#include "metrics/calls/alike_groups.h"
#include "metrics/findings/finding_groups.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace collscope {

namespace {

/// Fewer collectives of a size do not show what it can reach.
constexpr std::size_t fewestAlike = 8;
/// Below this share of the bandwidth of the others, in percent, a collective is slow.
constexpr double slowPercent = 60;
/// Shorter ones are limited by latency.
constexpr std::int64_t shortestJudgedNs = 20'000;

/// What must be alike for two collectives to be compared.
struct Likeness
{
    KernelClass kind = KernelClass::OtherCommunication;
    std::uint64_t bytes = 0;
    std::int32_t groupSize = 0;
    std::string groups; ///< likenessOf()
    std::size_t nodes = 0;
    friend bool operator<(const Likeness& a, const Likeness& b)
    {
        return std::tie(a.kind, a.bytes, a.groupSize, a.groups, a.nodes)
            < std::tie(b.kind, b.bytes, b.groupSize, b.groups, b.nodes);
    }
};

/// Number of nodes that the members are on; 0: unknown.
std::size_t nodesOf(const RunCollectives& run, std::span<const CallRef> members)
{
    std::set<std::string_view> nodes;
    for (const CallRef member : members) {
        const RankPlace* const place = run.mesh.placeOf(run.ranks[member.rank].rank);
        if (place && !place->node.empty())
            nodes.insert(place->node);
    }
    return nodes.size();
}

/// An all-to-all of unequal parts takes as long as its largest part, which its call on another rank does not
/// tell.
bool areOfOneSize(const RunCollectives& run, std::span<const CallRef> members)
{
    return std::all_of(members.begin(), members.end(), [&](const CallRef member) {
        return run.callOf(member).bytes == run.callOf(members.front()).bytes;
    });
}

struct Measured
{
    std::uint32_t instance = 0;
    double bandwidth = 0; ///< bytes per ns
};

} // namespace

std::vector<std::uint8_t> slowCollectives(Analysis& analysis)
{
    const RunCollectives& run = analysis.run();
    std::vector<std::uint8_t> slow(run.matching.instances.size(), 0);
    std::vector<std::string> likenesses;
    for (const ProcessGroup& group : run.matching.groups)
        likenesses.push_back(likenessOf(group));
    std::map<Likeness, std::vector<Measured>> alike;
    CollectiveTimer timer = run.timer(analysis.model(), analysis.clocks());
    for (std::uint32_t i = 0; i < run.matching.instances.size(); ++i) {
        const CollectiveInstance& instance = run.matching.instances[i];
        const auto members = run.matching.membersOf(instance);
        if (members.size() < 2 || !instance.isWhole)
            continue;
        const Call& call = run.callOf(members.front());
        const CollectiveTimes times = timer.of(instance);
        if (!call.bytes || *call.bytes == 0 || !times.tellsTransfer || times.transferNs < 1
            || isPointToPoint(analysis.model(), call) || !areOfOneSize(run, members))
            continue;
        const double bandwidth = static_cast<double>(*call.bytes) / static_cast<double>(times.transferNs);
        Likeness likeness{call.kind, *call.bytes, call.groupSize, likenesses[instance.group],
                          nodesOf(run, members)};
        alike[std::move(likeness)].push_back({i, bandwidth});
        if ((i & 0xFFFu) == 0 && analysis.options().cancelled())
            return slow;
    }
    for (auto& [key, all] : alike) {
        if (all.size() < fewestAlike)
            continue;
        // Nearly the best: the best itself may be a mistake of a clock.
        const auto best = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 10);
        std::nth_element(all.begin(), best, all.end(),
                         [](const Measured& a, const Measured& b) { return a.bandwidth > b.bandwidth; });
        const double reached = best->bandwidth;
        const auto bytes = static_cast<double>(key.bytes);
        for (const Measured& one : all) {
            const double percent = 100 * one.bandwidth / reached;
            if (percent < slowPercent && bytes / one.bandwidth >= static_cast<double>(shortestJudgedNs))
                slow[one.instance] = static_cast<std::uint8_t>(std::max(percent, 1.0));
        }
    }
    return slow;
}

} // namespace collscope
