// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Gives ranks the durations of their peers.

#include "metrics/whatif/peers.h"

#include <algorithm>
#include <set>

namespace collscope {

/// Sets durations of one rank in one step, from those of others.
class PeerComparer
{
public:
    PeerComparer(const PeerTable& table, RunTimes& times)
        : m_table(table)
        , m_run(table.m_run)
        , m_times(times)
    { }

    /// The usual durations in a step.
    struct Usual
    {
        std::vector<std::int64_t> gpu; ///< by piece of GPU work; of transfers: not used
        std::vector<std::int64_t> cpu, loading; ///< by piece of the threads
        std::vector<std::int64_t> gpuSums, cpuSums; ///< between collectives
    };
    /// Medians over ranks that are compared in this way.
    Usual usualOf(const std::vector<std::uint32_t>& ranks, std::size_t step, PeerBasis basis);
    /// Gives a rank these durations of GPU and threads.
    void workLike(std::uint32_t rank, std::size_t step, PeerBasis basis, const Usual& usual);
    /// That these were compared, and nothing has to change.
    void note(const Peers& peers);
    PeerTable::Comparison result() const;
    /// Returns the duration of those that cannot be compared.
    std::int64_t transfersLike(std::uint32_t rank, std::size_t step, const std::vector<std::uint32_t>& peers);

private:
    using Ranks = std::vector<std::uint32_t>;

    /// By the sums of the work between collectives.
    void segmentsLike(std::uint32_t rank, std::size_t step, const Usual& usual, bool ofGpu);
    std::vector<std::int64_t> usualSums(const Ranks& ranks, std::size_t step, bool ofGpu);
    std::vector<std::int64_t> usualPieces(const Ranks& ranks, std::size_t step, NodeKind kind);
    std::int64_t recordedNs(std::uint32_t node) const { return m_run.nodes[node].durationNs; }
    std::int64_t recordedNs(const WorkPiece& piece, NodeKind kind) const;
    void setPiece(const WorkPiece& piece, NodeKind kind, std::int64_t ownNs, std::int64_t wantedNs);
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

std::vector<std::int64_t> PeerComparer::usualPieces(const Ranks& ranks, std::size_t step, NodeKind kind)
{
    std::vector<std::int64_t> usual(m_table.m_steps[ranks.front()][step].cpu.size());
    for (std::size_t i = 0; i < usual.size(); ++i) {
        m_values.clear();
        for (const std::uint32_t rank : ranks)
            m_values.push_back(recordedNs(m_table.m_steps[rank][step].cpu[i], kind));
        usual[i] = medianNs(m_values);
    }
    return usual;
}

std::vector<std::int64_t> PeerComparer::usualSums(const Ranks& ranks, std::size_t step, bool ofGpu)
{
    std::vector<std::vector<std::int64_t>> all;
    for (const std::uint32_t rank : ranks)
        all.push_back(segmentSums(rank, step, ofGpu));
    std::vector<std::int64_t> usual(all.front().size());
    for (std::size_t i = 0; i < usual.size(); ++i) {
        m_values.clear();
        for (const std::vector<std::int64_t>& sums : all)
            m_values.push_back(sums[i]);
        usual[i] = medianNs(m_values);
    }
    return usual;
}

PeerComparer::Usual PeerComparer::usualOf(const Ranks& ranks, std::size_t step, PeerBasis basis)
{
    Usual usual;
    if (basis == PeerBasis::Segments) {
        usual.gpuSums = usualSums(ranks, step, true);
        usual.cpuSums = usualSums(ranks, step, false);
    }
    if (basis == PeerBasis::Peers) {
        usual.cpu = usualPieces(ranks, step, NodeKind::Cpu);
        usual.loading = usualPieces(ranks, step, NodeKind::Loading);
    }
    if (basis == PeerBasis::Segments || basis == PeerBasis::None)
        return usual;
    const std::vector<std::uint32_t>& pieces = m_table.m_steps[ranks.front()][step].gpu;
    usual.gpu.resize(pieces.size());
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (m_run.nodes[pieces[i]].kind != NodeKind::Gpu)
            continue;
        m_values.clear();
        for (const std::uint32_t rank : ranks)
            m_values.push_back(recordedNs(m_table.m_steps[rank][step].gpu[i]));
        usual.gpu[i] = medianNs(m_values);
    }
    return usual;
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
void PeerComparer::segmentsLike(std::uint32_t rank, std::size_t step, const Usual& usual, bool ofGpu)
{
    constexpr double largestFactor = 5;
    const StepWork& own = m_table.m_steps[rank][step];
    const std::vector<std::int64_t> ownSums = segmentSums(rank, step, ofGpu);
    const std::vector<std::int64_t>& sums = ofGpu ? usual.gpuSums : usual.cpuSums;
    std::vector<double> factors(ownSums.size(), 1);
    for (std::size_t i = 0; i < ownSums.size(); ++i) {
        if (ownSums[i] > 0)
            factors[i]
                = std::min(largestFactor, static_cast<double>(sums[i]) / static_cast<double>(ownSums[i]));
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

void PeerComparer::workLike(std::uint32_t rank, std::size_t step, PeerBasis basis, const Usual& usual)
{
    const StepWork& own = m_table.m_steps[rank][step];
    for (std::size_t i = 0; i < usual.gpu.size(); ++i) {
        if (m_run.nodes[own.gpu[i]].kind == NodeKind::Gpu)
            set(own.gpu[i], usual.gpu[i]);
    }
    for (std::size_t i = 0; i < usual.cpu.size(); ++i) {
        setPiece(own.cpu[i], NodeKind::Cpu, recordedNs(own.cpu[i], NodeKind::Cpu), usual.cpu[i]);
        setPiece(own.cpu[i], NodeKind::Loading, recordedNs(own.cpu[i], NodeKind::Loading), usual.loading[i]);
    }
    if (basis == PeerBasis::Segments) {
        segmentsLike(rank, step, usual, true);
        segmentsLike(rank, step, usual, false);
    }
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
        comparer.note(peers);
        if (peers.basis == PeerBasis::None)
            continue;
        comparer.workLike(rank, step, peers.basis, comparer.usualOf(peers.ranks, step, peers.basis));
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
    const std::size_t steps = m_steps.empty() ? 0 : m_steps.front().size();
    for (std::size_t step = 0; step < steps; ++step) {
        std::map<std::pair<PeerBasis, std::vector<std::uint32_t>>, PeerComparer::Usual>
            usual; // the same for all ranks that are compared with each other
        for (std::uint32_t rank = 0; rank < m_steps.size(); ++rank) {
            Peers peers = peersOf(rank, step);
            comparer.note(peers);
            if (!isLate(rank, step, peers.ranks))
                continue;
            // Half of what makes one of two ranks late would be usual: the one that does less work is.
            if (peers.ranks.size() > 1)
                peers.ranks.insert(std::lower_bound(peers.ranks.begin(), peers.ranks.end(), rank), rank);
            const auto [found, isNew] = usual.try_emplace({peers.basis, peers.ranks});
            if (isNew)
                found->second = comparer.usualOf(peers.ranks, step, peers.basis);
            comparer.workLike(rank, step, peers.basis, found->second);
        }
    }
    return comparer.result();
}

} // namespace collscope
