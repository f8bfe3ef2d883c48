// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How much slower a GPU computes while a collective transfers, and what that means for a replay in which the
// transfers lie elsewhere.

#include "metrics/whatif/run_replay.h"

namespace collscope {

class Contention
{
public:
    /// `baseEnds`: of the replay as recorded. The run must outlive this. O(n log n).
    Contention(const TraceModel& model, const RunGraph& run, const RunTimes& base,
               std::span<const std::int64_t> baseEnds);

    /// Additional time of a kernel that is under a transfer from begin to end, as a share: 0.05. 0: none is
    /// seen, there is too little to compare, or other work lies under the transfers.
    double slowdown() const { return m_slowdown; }
    /// Replays with other durations, so that kernels are slower where they are under a transfer. `times` are
    /// the same afterwards.
    void replay(RunTimes& times, std::vector<std::int64_t>& ends) const;

private:
    struct RankNodes
    {
        std::vector<std::uint32_t> transfers; ///< places of the rank's collectives
        std::vector<std::uint32_t> kernels; ///< places of its kernels that compute
    };
    std::vector<double> shares(const RankNodes& rank, const RunTimes& times,
                               std::span<const std::int64_t> ends) const;
    void measure(const TraceModel& model);

    const RunGraph& m_run;
    std::vector<RankNodes> m_ranks;
    std::vector<std::vector<double>> m_baseShares; ///< under transfers, by rank, by kernel
    double m_slowdown = 0;
};

} // namespace collscope
