// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/whatif/peers.h"

#include <algorithm>

namespace collscope {

namespace {

/// Extends a hash (FNV-1a by 64-bit words).
void mix(std::uint64_t& key, std::uint64_t value)
{
    constexpr std::uint64_t prime = 0x100000001b3;
    key = (key ^ value) * prime;
    key ^= key >> 32;
}
constexpr std::uint64_t emptyKey = 0xcbf29ce484222325;

/// What is made just when a step ends is written a little earlier or later on each rank: it is the next
/// step's.
constexpr std::int64_t boundaryNs = 1'000;

/// Steps and loading begin and end at the same moment, or one a little later than the other.
bool isCallPoint(CpuPoint::Kind kind)
{
    return kind == CpuPoint::Kind::Launch || kind == CpuPoint::Kind::StreamWait
        || kind == CpuPoint::Kind::Waits;
}

} // namespace

std::int64_t medianNs(std::vector<std::int64_t>& values)
{
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 != 0 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

PeerTable::PeerTable(const TraceModel& model, const RunCollectives& collectives, const RunGraph& run)
    : m_collectives(collectives)
    , m_run(run)
    , m_steps(run.ranks.size())
{
    for (std::uint32_t rank = 0; rank < run.ranks.size(); ++rank) {
        for (std::size_t step = 0; step < run.ranks[rank].numbers.size(); ++step)
            m_steps[rank].push_back(readStep(model, rank, step));
    }
}

StepWork PeerTable::readStep(const TraceModel& model, std::uint32_t rank, std::size_t step)
{
    StepWork work;
    readGpu(model, rank, m_run.works[rank].steps[step], work);
    readCpu(rank, step, work);
    addSums(work);
    return work;
}

void PeerTable::readGpu(const TraceModel& model, std::uint32_t rank, Step step, StepWork& work)
{
    const RankWork& own = m_run.works[rank];
    work.gpuKey = work.meetingKey = emptyKey;
    auto next
        = std::partition_point(own.inLaunchOrder.begin(), own.inLaunchOrder.end(), [&](std::uint32_t index) {
              return own.launchNs(own.activities[index]) < step.range.beginNs;
          });
    std::uint32_t segment = 0;
    std::map<Alike, std::uint32_t> occurrences;
    for (; next != own.inLaunchOrder.end(); ++next) {
        const GpuActivity& activity = own.activities[*next];
        if (own.launchNs(activity) >= step.range.endNs)
            break;
        const std::uint32_t node = m_run.ranks[rank].arrivals[*next];
        work.gpuSegments.push_back(segment);
        if (activity.collective != noIndex) {
            mix(work.gpuKey, static_cast<std::uint64_t>(activity.kind));
            mix(work.meetingKey, static_cast<std::uint64_t>(activity.kind));
            work.gpu.push_back(m_run.transfers[activity.collective]);
            const Alike alike = alikeOf(activity.collective);
            work.places.push_back(addToSlot({step.number, alike, occurrences[alike]++}, work.gpu.back()));
            work.meetings.push_back(own.launchNs(activity));
            ++segment;
        } else {
            work.places.push_back(noIndex);
            mix(work.gpuKey,
                std::uint64_t(256) + model.track(activity.slice.track).slices.name[activity.slice.row].value);
            work.gpu.push_back(node);
        }
    }
}

PeerTable::Alike PeerTable::alikeOf(std::uint32_t instance) const
{
    const auto members = m_collectives.matching.membersOf(m_collectives.matching.instances[instance]);
    const Call& call = m_collectives.callOf(members.front());
    return {call.kind, static_cast<std::int32_t>(members.size()), call.bytes};
}

std::uint32_t PeerTable::addToSlot(const SlotKey& key, std::uint32_t transfer)
{
    const auto [found, isNew] = m_slotOf.try_emplace(key, static_cast<std::uint32_t>(m_slots.size()));
    if (isNew)
        m_slots.emplace_back();
    m_slots[found->second].insert(transfer);
    return found->second;
}

/// The pieces of the step's threads, those first that begin first.
void PeerTable::readCpu(std::uint32_t rank, std::size_t index, StepWork& work)
{
    const GraphOfRank& graph = m_run.ranks[rank];
    const Step& step = m_run.works[rank].steps[index];
    const StepEnd& begin = graph.ends[2 * index];
    struct Thread
    {
        std::int64_t beginNs;
        std::uint32_t first, last;
    };
    std::vector<Thread> threads;
    for (std::size_t thread = 0; thread + 1 < graph.threads.size(); ++thread) {
        const auto nodes = m_run.nodes.begin();
        const auto find = [&](std::int64_t ns) {
            const auto found
                = std::partition_point(nodes + graph.threads[thread], nodes + graph.threads[thread + 1],
                                       [&](const RunNode& node) { return node.endNs() <= ns - boundaryNs; });
            return static_cast<std::uint32_t>(found - nodes);
        };
        const Thread found{0, find(step.range.beginNs), find(step.range.endNs)};
        if (found.first < found.last)
            threads.push_back({m_run.nodes[found.first].endNs(), found.first, found.last});
    }
    std::stable_sort(threads.begin(), threads.end(),
                     [](const Thread& a, const Thread& b) { return a.beginNs < b.beginNs; });
    work.cpuKey = emptyKey;
    for (const Thread& thread : threads) {
        mix(work.cpuKey, 0);
        WorkPiece piece{static_cast<std::uint32_t>(m_nodes.size()), 0};
        const auto endPiece = [&](std::int64_t ns) {
            // The collectives launched before it ends.
            const auto meeting = std::lower_bound(work.meetings.begin(), work.meetings.end(), ns);
            work.cpu.push_back(piece);
            work.cpuSegments.push_back(static_cast<std::uint32_t>(meeting - work.meetings.begin()));
            piece = {static_cast<std::uint32_t>(m_nodes.size()), 0};
        };
        for (std::uint32_t i = thread.first; i < thread.last; ++i) {
            const RunNode& node = m_run.nodes[i];
            // What lies between two steps is in none.
            const bool isBetween = std::find(begin.begin(), begin.end(), i) != begin.end();
            if ((node.kind != NodeKind::Cpu && node.kind != NodeKind::Loading) || isBetween)
                continue;
            m_nodes.push_back(i);
            ++piece.count;
            if (!isCallPoint(node.point))
                continue;
            mix(work.cpuKey, static_cast<std::uint64_t>(node.point) + 1);
            endPiece(node.endNs());
        }
        endPiece(step.range.endNs); // what follows the last call
    }
}

Peers PeerTable::peersOf(std::uint32_t rank, std::size_t step) const
{
    const StepWork& own = m_steps[rank][step];
    std::vector<std::uint32_t> same, alike, meeting;
    for (std::uint32_t other = 0; other < m_steps.size(); ++other) {
        if (other == rank || step >= m_steps[other].size())
            continue;
        const StepWork& work = m_steps[other][step];
        if (work.gpuKey == own.gpuKey && work.cpuKey == own.cpuKey)
            same.push_back(other);
        if (work.gpuKey == own.gpuKey)
            alike.push_back(other);
        if (work.meetingKey == own.meetingKey && !work.gpu.empty())
            meeting.push_back(other);
    }
    if (!same.empty())
        return {PeerBasis::Peers, std::move(same)};
    if (!alike.empty())
        return {PeerBasis::GpuOnly, std::move(alike)};
    return {meeting.empty() ? PeerBasis::None : PeerBasis::Segments, std::move(meeting)};
}

void PeerTable::addSums(StepWork& work) const
{
    for (const std::uint32_t node : work.gpu) {
        const bool isOwn = m_run.nodes[node].kind == NodeKind::Gpu;
        (isOwn ? work.ns : work.transfersNs) += m_run.nodes[node].durationNs;
    }
    for (const WorkPiece& piece : work.cpu) {
        for (std::uint32_t i = piece.first; i < piece.first + piece.count; ++i)
            work.ns += m_run.nodes[m_nodes[i]].durationNs;
    }
}

/// Whether a rank does more than is usual among it and its peers.
bool PeerTable::isLate(std::uint32_t rank, std::size_t step, const std::vector<std::uint32_t>& peers) const
{
    if (peers.empty())
        return false;
    const std::int64_t ownNs = m_steps[rank][step].ns;
    std::vector<std::int64_t> all{ownNs};
    for (const std::uint32_t peer : peers)
        all.push_back(m_steps[peer][step].ns);
    return ownNs > medianNs(all);
}

std::int64_t PeerTable::excessNs(std::uint32_t rank) const
{
    std::int64_t ns = 0;
    std::vector<std::int64_t> others;
    for (std::size_t step = 0; step < m_steps[rank].size(); ++step) {
        const Peers peers = peersOf(rank, step);
        for (const auto sum : {&StepWork::ns, &StepWork::transfersNs}) {
            others.clear();
            for (const std::uint32_t peer : peers.ranks)
                others.push_back(m_steps[peer][step].*sum);
            if (!others.empty())
                ns += std::max<std::int64_t>(m_steps[rank][step].*sum - medianNs(others), 0);
        }
    }
    return ns;
}

} // namespace collscope
