// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/counters/nvlink_traffic.h"

#include "metrics/counters/needed_bytes.h"
#include "metrics/counters/nvlink_intervals.h"
#include "model/interval_set.h"
#include "model/text/lower_case.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <tuple>

namespace collscope {

namespace {

bool isPeerCopy(std::string_view name)
{
    return holdsAnyOf(lowered(name), {"ptop", "peertopeer", "peer to peer"});
}

/// Copies between GPUs, by node: one that a rank launches uses the links of another GPU, too, and its name
/// does not say of which. If the host of any rank is not known, all ranks may share a node.
class PeerCopies
{
public:
    explicit PeerCopies(const TraceModel& model)
        : m_model(model)
    {
        for (const Timeline& timeline : model.timelines)
            m_areHostsKnown &= static_cast<bool>(timeline.host);
        std::map<std::string, std::vector<TimeRange>> copies;
        for (const Timeline& timeline : model.timelines)
            addCopies(timeline, copies[nodeOf(timeline)]);
        for (auto& [node, ranges] : copies)
            m_byNode.emplace(node, IntervalSet(std::move(ranges)));
    }
    /// Times with copies that may use the links of a timeline's GPU: sorted and apart.
    std::span<const TimeRange> near(const Timeline& timeline, TimeRange range) const
    {
        const auto found = m_byNode.find(nodeOf(timeline));
        if (found == m_byNode.end())
            return {};
        const std::vector<TimeRange>& copies = found->second.intervals();
        const auto first = std::partition_point(
            copies.begin(), copies.end(), [&](const TimeRange& own) { return own.endNs <= range.beginNs; });
        const auto last = std::partition_point(
            first, copies.end(), [&](const TimeRange& own) { return own.beginNs < range.endNs; });
        return {first, last};
    }

private:
    std::string nodeOf(const Timeline& timeline) const
    {
        return m_areHostsKnown ? shortHostName(m_model.text(timeline.host)) : std::string();
    }
    void addCopies(const Timeline& timeline, std::vector<TimeRange>& copies) const
    {
        const TraceModel& model = m_model;
        std::map<std::uint32_t, bool> isPeer; // by name
        for (const TrackId id : timeline.tracks) {
            const Track& track = model.track(id);
            if (track.kind != TrackKind::GpuStream)
                continue;
            for (std::size_t row = 0; row < track.slices.kernelClass.size(); ++row) {
                if (track.slices.kernelClass[row] != KernelClass::Copy)
                    continue;
                const StringId name = track.slices.name[row];
                const auto [known, isNew] = isPeer.try_emplace(name.value);
                if (isNew)
                    known->second = isPeerCopy(model.text(name));
                if (known->second)
                    copies.push_back(track.slices.range(row));
            }
        }
    }

    const TraceModel& m_model;
    bool m_areHostsKnown = true;
    std::map<std::string, IntervalSet> m_byNode;
};

/// The calls of a rank that something else on the links of its GPU overlaps.
class RankLinks
{
public:
    RankLinks(const PeerCopies& copies, const RankCalls& rank)
        : m_overlaps(rank.calls.size(), false)
    {
        for (std::size_t i = 0; i < rank.calls.size(); ++i) {
            const Call& call = rank.calls[i];
            m_uses.push_back({call.range, i});
            m_overlaps[i] = !copies.near(*call.timeline, call.range).empty();
        }
        markOverlaps();
    }
    bool overlaps(std::size_t call) const { return m_overlaps[call]; }

private:
    struct Use
    {
        TimeRange range;
        std::size_t call = 0;
    };

    void markOverlaps()
    {
        std::sort(m_uses.begin(), m_uses.end(),
                  [](const Use& a, const Use& b) { return a.range.beginNs < b.range.beginNs; });
        const auto mark = [&](const Use& use) { m_overlaps[use.call] = true; };
        const Use* last = nullptr; // the one that ends last so far
        for (const Use& use : m_uses) {
            if (last && use.range.beginNs < last->range.endNs) {
                mark(use);
                mark(*last);
            }
            if (!last || use.range.endNs > last->range.endNs)
                last = &use;
        }
    }

    std::vector<Use> m_uses;
    std::vector<bool> m_overlaps; ///< by call
};

class TrafficCounting
{
public:
    explicit TrafficCounting(Analysis& analysis)
        : m_analysis(analysis)
        , m_model(analysis.model())
        , m_needs(analysis, nvlinkRanksOf(analysis))
        , m_copies(analysis.model())
    {
        m_traffic.ranks = nvlinkRanksOf(analysis);
        for (const NvlinkDevice& device : m_model.nvlink)
            m_counted.emplace_back(device);
        findUnreadable();
        if (const NodeMap::Peak& peak = m_needs.nodes().peakOf(NodeSpan::OneNode)) {
            m_traffic.peakPerDirection = peak.gigabytesPerSecond;
            m_traffic.peakSource = peak.source;
        }
    }

    NvlinkTraffic count()
    {
        for (const RankCalls& rank : m_analysis.calls())
            m_links.emplace_back(m_copies, rank);
        for (const CollectiveInstance* instance : m_analysis.instancesInWindow()) {
            if (m_analysis.options().cancelled()) {
                m_traffic.isCancelled = true;
                return std::move(m_traffic);
            }
            addInstance(*instance);
        }
        for (std::size_t rank = 0; rank < m_analysis.calls().size(); ++rank)
            addTotal(rank);
        notePeriods();
        m_traffic.isOneNodeGuessed = m_needs.isOneNodeGuessed();
        for (auto& [key, link] : m_byLink)
            m_traffic.links.push_back(link);
        return std::move(m_traffic);
    }

private:
    /// Counters that could never be read have no series; each failed read of the others has an entry in its.
    void findUnreadable()
    {
        std::map<std::string_view, std::uint64_t> failed;
        for (const Diagnostic& problem : m_model.problems.entries()) {
            if (problem.code == "nvml_error" || problem.code == "single_sample")
                failed[problem.file] += problem.count;
        }
        for (const NvlinkDevice& device : m_model.nvlink) {
            std::uint64_t placed = 0;
            for (const LinkSeries& series : device.series)
                placed += series.failedReads.size();
            const auto all = device.source.value < m_model.sources.size()
                ? failed.find(m_model.sources[device.source.value].path)
                : failed.end();
            m_isUnreadable.push_back(all != failed.end() && all->second > placed);
        }
    }

    /// Why counters cannot tell of a range, whatever ran in it.
    TrafficDoubt doubtOf(std::size_t device, TimeRange range) const
    {
        const CountedBytes& counted = m_counted[device];
        return !counted.counts(LinkDirection::Tx) ? TrafficDoubt::NotCounted
            : m_isUnreadable[device]              ? TrafficDoubt::Unreadable
            : !counted.covers(range)              ? TrafficDoubt::NotSampled
            : !counted.tells(range)               ? TrafficDoubt::TooShort
            : counted.mayHaveReset(range)         ? TrafficDoubt::Reset
                                                  : TrafficDoubt::None;
    }
    std::optional<ByteBounds> receivedOf(std::size_t device, TimeRange range) const
    {
        const CountedBytes& counted = m_counted[device];
        return counted.counts(LinkDirection::Rx) ? std::optional(counted.bytes(range, LinkDirection::Rx))
                                                 : std::nullopt;
    }

    /// The file of a rank that covers a range, else its first one; nullopt without a file.
    std::optional<std::size_t> deviceOf(std::int32_t rank, TimeRange range)
    {
        const auto [known, isNew] = m_devices.try_emplace(rank);
        if (isNew)
            known->second = m_traffic.ranks.devicesOf(rank);
        for (const std::size_t device : known->second) {
            if (m_counted[device].covers(range))
                return device;
        }
        return known->second.empty() ? std::nullopt : std::optional(known->second.front());
    }

    void addInstance(const CollectiveInstance& instance)
    {
        const auto members = m_analysis.matching().membersOf(instance);
        std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
        for (const CallRef member : members)
            shortest = std::min(shortest, m_analysis.callOf(member).durationNs());
        for (const CallRef member : members) {
            CallTraffic own;
            own.call = member;
            // Without all ranks, even the shortest kernel may have waited.
            const TrafficDoubt doubt = measure(own, instance.isWhole ? shortest : 0);
            ++m_traffic.doubts[static_cast<std::size_t>(doubt)];
            if (doubt != TrafficDoubt::None)
                continue;
            addLinks(own);
            m_traffic.calls.push_back(own);
        }
    }

    TrafficDoubt measure(CallTraffic& own, std::int64_t transferNs)
    {
        const Call& call = m_analysis.callOf(own.call);
        const auto device = deviceOf(m_analysis.calls()[own.call.rank].rank, call.range);
        if (!device)
            return TrafficDoubt::NoCounters;
        if (!call.timeline->hasWallClock)
            return TrafficDoubt::NoWallClock;
        const NeededBytes::Need need = m_needs.of(call);
        if (need.doubt != TrafficDoubt::None)
            return need.doubt;
        own.neededBytes = need.bytes;
        if (m_links[own.call.rank].overlaps(own.call.call))
            return TrafficDoubt::Overlapping;
        own.device = *device;
        const CountedBytes& counted = m_counted[*device];
        if (const TrafficDoubt doubt = doubtOf(*device, call.range); doubt != TrafficDoubt::None)
            return doubt;
        own.sent = counted.bytes(call.range, LinkDirection::Tx);
        own.received = receivedOf(*device, call.range);
        const TimeRange transfer{call.range.endNs - transferNs, call.range.endNs};
        for (const LinkDirection direction : {LinkDirection::Tx, LinkDirection::Rx}) {
            if (const auto rate = counted.gigabytesPerSecond(transfer, direction))
                own.gigabytesPerSecond = std::max(own.gigabytesPerSecond.value_or(0), *rate);
        }
        return TrafficDoubt::None;
    }

    void addLinks(const CallTraffic& own)
    {
        const std::int32_t rank = m_analysis.calls()[own.call.rank].rank;
        const CountedBytes& counted = m_counted[own.device];
        std::set<std::uint32_t> numbers;
        for (const CountedBytes::Link& link : counted.links())
            numbers.insert(link.series->link);
        for (const CountedBytes::Link& link : counted.links()) {
            LinkTraffic& sum = m_byLink[{rank, own.device, link.series->link}];
            sum.rank = rank;
            sum.device = own.device;
            sum.link = link.series->link;
            const ByteBounds bytes = link.bytes(m_analysis.callOf(own.call).range);
            if (link.series->direction == LinkDirection::Rx && !sum.received)
                sum.received.emplace();
            ByteBounds& direction = link.series->direction == LinkDirection::Tx ? sum.sent : *sum.received;
            direction.least += bytes.least;
            direction.most += bytes.most;
        }
        for (const std::uint32_t number : numbers) {
            LinkTraffic& sum = m_byLink[{rank, own.device, number}];
            ++sum.calls;
            sum.neededBytes += own.neededBytes / static_cast<double>(numbers.size());
        }
    }

    void addTotal(std::size_t index)
    {
        const RankCalls& rank = m_analysis.calls()[index];
        std::optional<TimeRange> range;
        for (const Call& call : rank.aroundWindow()) {
            if (call.inWindow())
                range = range ? range->united(call.range) : call.range;
        }
        const auto device = range ? deviceOf(rank.rank, *range) : std::nullopt;
        if (!device)
            return;
        GpuTraffic total;
        total.rank = rank.rank;
        total.device = *device;
        total.range = *range;
        const auto doubtBy = [&](TrafficDoubt doubt, std::int64_t count) {
            if (count > 0 && (total.doubt == TrafficDoubt::None || total.doubt == doubt)) {
                total.doubt = doubt;
                total.doubtful += count;
            }
        };
        for (const Call& call : rank.calls) {
            if (!call.range.overlaps(*range))
                continue;
            ++total.calls;
            if (!call.timeline->hasWallClock) {
                doubtBy(TrafficDoubt::NoWallClock, 1);
                continue;
            }
            const NeededBytes::Need need = m_needs.of(call);
            if (need.doubt != TrafficDoubt::OneRank)
                doubtBy(need.doubt, 1);
            total.neededBytes += need.bytes;
        }
        const auto copies = m_copies.near(*rank.calls.front().timeline, *range);
        doubtBy(TrafficDoubt::Overlapping, static_cast<std::int64_t>(copies.size()));
        if (const TrafficDoubt doubt = doubtOf(*device, *range); doubt != TrafficDoubt::None)
            doubtBy(doubt, total.calls);
        if (total.doubt == TrafficDoubt::None) {
            total.sent = m_counted[*device].bytes(*range, LinkDirection::Tx);
            total.received = receivedOf(*device, *range);
        }
        m_traffic.gpus.push_back(total);
    }

    void notePeriods()
    {
        for (const CountedBytes& counted : m_counted) {
            for (const CountedBytes::Link& link : counted.links()) {
                const std::int64_t period = link.series->medianPeriodNs;
                std::int64_t& shortest = m_traffic.shortestPeriodNs;
                shortest = shortest == 0 ? period : std::min(shortest, period);
                m_traffic.longestPeriodNs = std::max(m_traffic.longestPeriodNs, period);
                m_traffic.longestLagNs = std::max(m_traffic.longestLagNs, link.lagNs);
            }
        }
    }

    Analysis& m_analysis;
    const TraceModel& m_model;
    NeededBytes m_needs;
    NvlinkTraffic m_traffic;
    std::vector<CountedBytes> m_counted; ///< by device
    std::vector<bool> m_isUnreadable; ///< by device
    const PeerCopies m_copies;
    std::vector<RankLinks> m_links; ///< by index of rank
    std::map<std::int32_t, std::vector<std::size_t>> m_devices; ///< by rank
    std::map<std::tuple<std::int32_t, std::size_t, std::uint32_t>, LinkTraffic> m_byLink;
};

} // namespace

NvlinkTraffic nvlinkTrafficOf(Analysis& analysis)
{
    return TrafficCounting(analysis).count();
}

} // namespace collscope
