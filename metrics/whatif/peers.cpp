// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/whatif/peers.h"

#include <algorithm>
#include <set>

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

/// The middle value, or the mean of the two in the middle. Precondition: not empty.
std::int64_t medianNs(std::vector<std::int64_t>& values)
{
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 != 0 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

/// What is made just when a step ends is written a little earlier or later on each rank: it is the next
/// step's.
constexpr std::int64_t boundaryNs = 1'000;

/// Steps and loading begin and end at the same moment, or one a little later than the other.
bool isCall(CpuPoint::Kind kind)
{
    return kind == CpuPoint::Kind::Launch || kind == CpuPoint::Kind::StreamWait
        || kind == CpuPoint::Kind::Waits;
}

} // namespace

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
            if (!isCall(node.point))
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

/// All that a rank did in a step itself.
std::int64_t PeerTable::workNs(std::uint32_t rank, std::size_t step) const
{
    const StepWork& work = m_steps[rank][step];
    std::int64_t ns = 0;
    for (const std::uint32_t node : work.gpu)
        ns += m_run.nodes[node].kind == NodeKind::Gpu ? m_run.nodes[node].durationNs : 0;
    for (const WorkPiece& piece : work.cpu) {
        for (std::uint32_t i = piece.first; i < piece.first + piece.count; ++i)
            ns += m_run.nodes[m_nodes[i]].durationNs;
    }
    return ns;
}

/// Whether a rank does more than is usual among it and its peers.
bool PeerTable::isLate(std::uint32_t rank, std::size_t step, const std::vector<std::uint32_t>& peers) const
{
    if (peers.empty())
        return false;
    const std::int64_t ownNs = workNs(rank, step);
    std::vector<std::int64_t> all{ownNs};
    for (const std::uint32_t peer : peers)
        all.push_back(workNs(peer, step));
    return ownNs > medianNs(all);
}

/// Sets durations of one rank in one step, from those of others.
class PeerComparer
{
public:
    PeerComparer(const PeerTable& table, RunTimes& times)
        : m_table(table)
        , m_run(table.m_run)
        , m_times(times)
    { }

    /// The work of GPU and threads. `withOwn`: the usual duration of all, not of the others.
    void workLike(std::uint32_t rank, std::size_t step, const Peers& peers, bool withOwn);
    /// That these were compared, and nothing has to change.
    void note(const Peers& peers);
    PeerTable::Comparison result() const;
    /// Returns the duration of those that cannot be compared.
    std::int64_t transfersLike(std::uint32_t rank, std::size_t step, const std::vector<std::uint32_t>& peers);

private:
    using Ranks = std::vector<std::uint32_t>;

    void gpuLike(std::uint32_t rank, std::size_t step, const Ranks& peers, bool withOwn);
    void cpuLike(std::uint32_t rank, std::size_t step, const Ranks& peers, bool withOwn);
    /// By the sums of the work between collectives.
    void segmentsLike(std::uint32_t rank, std::size_t step, const Ranks& peers);
    std::int64_t recordedNs(std::uint32_t node) const { return m_run.nodes[node].durationNs; }
    std::int64_t recordedNs(const WorkPiece& piece, NodeKind kind) const;
    void setPiece(const WorkPiece& piece, NodeKind kind, std::int64_t ownNs, std::int64_t wantedNs);
    std::int64_t usual(std::int64_t ownNs, bool withOwn);
    std::vector<std::int64_t> segmentSums(std::uint32_t rank, std::size_t step, bool ofGpu) const;
    void set(std::uint32_t node, std::int64_t ns)
    {
        std::int64_t& own = m_times.durationsNs[m_run.graph.placeOf(node)];
        m_savedNs += own - ns;
        own = ns;
    }

    const PeerTable& m_table;
    const RunGraph& m_run;
    RunTimes& m_times;
    std::vector<std::int64_t> m_values;
    std::int64_t m_savedNs = 0;
    PeerBasis m_basis = PeerBasis::None; ///< the weakest
    std::set<std::int32_t> m_compared; ///< ranks
};

std::int64_t PeerComparer::recordedNs(const WorkPiece& piece, NodeKind kind) const
{
    std::int64_t ns = 0;
    for (std::uint32_t i = piece.first; i < piece.first + piece.count; ++i) {
        const std::uint32_t node = m_table.m_nodes[i];
        ns += m_run.nodes[node].kind == kind ? recordedNs(node) : 0;
    }
    return ns;
}

std::int64_t PeerComparer::usual(std::int64_t ownNs, bool withOwn)
{
    if (withOwn)
        m_values.push_back(ownNs);
    return medianNs(m_values);
}

void PeerComparer::gpuLike(std::uint32_t rank, std::size_t step, const std::vector<std::uint32_t>& peers,
                           bool withOwn)
{
    const StepWork& own = m_table.m_steps[rank][step];
    for (std::size_t i = 0; i < own.gpu.size(); ++i) {
        if (m_run.nodes[own.gpu[i]].kind != NodeKind::Gpu)
            continue;
        m_values.clear();
        for (const std::uint32_t peer : peers)
            m_values.push_back(recordedNs(m_table.m_steps[peer][step].gpu[i]));
        set(own.gpu[i], usual(recordedNs(own.gpu[i]), withOwn));
    }
}

void PeerComparer::cpuLike(std::uint32_t rank, std::size_t step, const std::vector<std::uint32_t>& peers,
                           bool withOwn)
{
    const StepWork& own = m_table.m_steps[rank][step];
    for (std::size_t i = 0; i < own.cpu.size(); ++i) {
        for (const NodeKind kind : {NodeKind::Cpu, NodeKind::Loading}) {
            m_values.clear();
            for (const std::uint32_t peer : peers)
                m_values.push_back(recordedNs(m_table.m_steps[peer][step].cpu[i], kind));
            const std::int64_t ownNs = recordedNs(own.cpu[i], kind);
            setPiece(own.cpu[i], kind, ownNs, usual(ownNs, withOwn));
        }
    }
}

/// Distributes a duration as it was over the nodes of a kind.
void PeerComparer::setPiece(const WorkPiece& piece, NodeKind kind, std::int64_t ownNs, std::int64_t wantedNs)
{
    std::int64_t doneNs = 0; // of the recorded durations
    std::int64_t givenNs = 0;
    std::uint32_t last = noIndex;
    for (std::uint32_t i = piece.first; i < piece.first + piece.count; ++i) {
        const std::uint32_t node = m_table.m_nodes[i];
        if (m_run.nodes[node].kind != kind)
            continue;
        last = node;
        doneNs += recordedNs(node);
        const double share = ownNs > 0 ? static_cast<double>(doneNs) / static_cast<double>(ownNs) : 0;
        const auto untilNs = static_cast<std::int64_t>(share * static_cast<double>(wantedNs));
        set(node, untilNs - givenNs);
        givenNs = untilNs;
    }
    if (last != noIndex && givenNs < wantedNs) // nothing was recorded there, or rounding
        set(last, m_times.durationsNs[m_run.graph.placeOf(last)] + wantedNs - givenNs);
}

std::vector<std::int64_t> PeerComparer::segmentSums(std::uint32_t rank, std::size_t step, bool ofGpu) const
{
    const StepWork& work = m_table.m_steps[rank][step];
    std::vector<std::int64_t> sums(work.meetings.size() + 1);
    for (std::size_t i = 0; ofGpu && i < work.gpu.size(); ++i)
        sums[work.gpuSegments[i]]
            += m_run.nodes[work.gpu[i]].kind == NodeKind::Gpu ? recordedNs(work.gpu[i]) : 0;
    for (std::size_t i = 0; !ofGpu && i < work.cpu.size(); ++i)
        sums[work.cpuSegments[i]]
            += recordedNs(work.cpu[i], NodeKind::Cpu) + recordedNs(work.cpu[i], NodeKind::Loading);
    return sums;
}

/// Scales all work between two collectives, so that it takes as long as usual on the others.
void PeerComparer::segmentsLike(std::uint32_t rank, std::size_t step, const std::vector<std::uint32_t>& peers)
{
    constexpr double largestFactor = 5;
    const StepWork& own = m_table.m_steps[rank][step];
    for (const bool ofGpu : {true, false}) {
        const std::vector<std::int64_t> ownSums = segmentSums(rank, step, ofGpu);
        std::vector<std::vector<std::int64_t>> others(ownSums.size());
        for (const std::uint32_t peer : peers) {
            const std::vector<std::int64_t> sums = segmentSums(peer, step, ofGpu);
            for (std::size_t i = 0; i < sums.size(); ++i)
                others[i].push_back(sums[i]);
        }
        std::vector<double> factors(ownSums.size(), 1);
        for (std::size_t i = 0; i < ownSums.size(); ++i) {
            if (ownSums[i] > 0)
                factors[i]
                    = std::min(largestFactor,
                               static_cast<double>(medianNs(others[i])) / static_cast<double>(ownSums[i]));
        }
        const auto scale = [&](std::uint32_t node, std::uint32_t segment) {
            set(node, static_cast<std::int64_t>(static_cast<double>(recordedNs(node)) * factors[segment]));
        };
        for (std::size_t i = 0; ofGpu && i < own.gpu.size(); ++i) {
            if (m_run.nodes[own.gpu[i]].kind == NodeKind::Gpu)
                scale(own.gpu[i], own.gpuSegments[i]);
        }
        for (std::size_t i = 0; !ofGpu && i < own.cpu.size(); ++i) {
            for (std::uint32_t k = own.cpu[i].first; k < own.cpu[i].first + own.cpu[i].count; ++k)
                scale(m_table.m_nodes[k], own.cpuSegments[i]);
        }
    }
}

std::int64_t PeerComparer::transfersLike(std::uint32_t rank, std::size_t step,
                                         const std::vector<std::uint32_t>& peers)
{
    const StepWork& own = m_table.m_steps[rank][step];
    std::int64_t uncomparedNs = 0;
    for (std::size_t i = 0; i < own.gpu.size(); ++i) {
        if (m_run.nodes[own.gpu[i]].kind != NodeKind::Transfer)
            continue;
        std::set<std::uint32_t> others; // each collective counts once
        const bool isAligned = m_table.m_steps[peers.front()][step].gpuKey == own.gpuKey;
        for (const std::uint32_t peer : peers) {
            if (isAligned)
                others.insert(m_table.m_steps[peer][step].gpu[i]);
        }
        others.erase(own.gpu[i]);
        if (others.empty())
            others = m_table.m_slots[own.places[i]];
        others.erase(own.gpu[i]);
        if (others.empty()) {
            uncomparedNs += recordedNs(own.gpu[i]);
            continue;
        }
        m_values.clear();
        for (const std::uint32_t other : others)
            m_values.push_back(recordedNs(other));
        set(own.gpu[i], medianNs(m_values));
    }
    return uncomparedNs;
}

void PeerComparer::workLike(std::uint32_t rank, std::size_t step, const Peers& peers, bool withOwn)
{
    if (peers.basis == PeerBasis::Peers || peers.basis == PeerBasis::GpuOnly)
        gpuLike(rank, step, peers.ranks, withOwn);
    if (peers.basis == PeerBasis::Peers)
        cpuLike(rank, step, peers.ranks, withOwn);
    if (peers.basis == PeerBasis::Segments)
        segmentsLike(rank, step, peers.ranks);
    note(peers);
}

void PeerComparer::note(const Peers& peers)
{
    m_basis = std::max(m_basis, peers.basis);
    for (const std::uint32_t peer : peers.ranks)
        m_compared.insert(m_run.ranks[peer].rank);
}

PeerTable::Comparison PeerComparer::result() const
{
    return {.basis = m_basis, .peers = {m_compared.begin(), m_compared.end()}, .savedNs = m_savedNs};
}

PeerTable::Comparison PeerTable::likePeers(std::uint32_t rank, RunTimes& times) const
{
    PeerComparer comparer(*this, times);
    double uncomparedNs = 0;
    for (std::size_t step = 0; step < m_steps[rank].size(); ++step) {
        const Peers peers = peersOf(rank, step);
        comparer.workLike(rank, step, peers, false);
        if (peers.basis != PeerBasis::None)
            uncomparedNs += static_cast<double>(comparer.transfersLike(rank, step, peers.ranks));
    }
    Comparison result = comparer.result();
    if (!m_steps[rank].empty())
        result.uncomparedTransfersNs = uncomparedNs / static_cast<double>(m_steps[rank].size());
    return result;
}

PeerTable::Comparison PeerTable::nobodyLate(RunTimes& times) const
{
    PeerComparer comparer(*this, times);
    for (std::uint32_t rank = 0; rank < m_steps.size(); ++rank) {
        for (std::size_t step = 0; step < m_steps[rank].size(); ++step) {
            const Peers peers = peersOf(rank, step);
            // Half of what makes one of two ranks late would be usual: the one that does less work is.
            if (isLate(rank, step, peers.ranks))
                comparer.workLike(rank, step, peers, peers.ranks.size() > 1);
            else
                comparer.note(peers);
        }
    }
    return comparer.result();
}

} // namespace collscope
