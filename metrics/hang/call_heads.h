// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The oldest unfinished call of each stream of a rank. A stream is a process group or, for sends and
// receives of their own, a pair of ranks.

#include "metrics/hang/hang_job.h"

#include <limits>
#include <map>
#include <tuple>

namespace collscope {

/// An unfinished call that has no older unfinished one on its stream.
struct CallHead
{
    static constexpr std::size_t noCall = std::numeric_limits<std::size_t>::max();
    enum class Kind : std::uint8_t
    {
        Collective,
        Pair, ///< a send or a receive
        Batch ///< sends and receives that were coalesced into one call
    };
    Kind kind = Kind::Collective;
    std::uint32_t group = 0; ///< of the job
    std::int64_t number = 0; ///< Collective: its number in the group
    std::size_t call = noCall; ///< row in the dump; none: the counters say that the ring lost it
    /// Row from which the rank is held up: of a Pair whose head is a send, that of the receive behind it.
    std::size_t heldFrom = noCall;
    std::vector<std::uint32_t> receivesFrom; ///< ranks; of Pair and Batch
    std::vector<std::uint32_t> batchSends; ///< Batch: ranks that it sends to
    std::optional<std::uint32_t> sendsTo; ///< Pair: a send that a receive of the same pair follows, or isSoft
    /// A send alone. It need not hold the rank up, but the program may wait for it.
    bool isSoft = false;
    /// The rank made calls after this one that are finished: it does not hold the rank up.
    bool isSide = false;
};

/// A send or a receive that is not finished, for matching.
struct PendingTransfer
{
    std::uint32_t group = 0, peer = 0; ///< of the job
    bool isSend = false;
    std::size_t call = 0; ///< row in the dump; of a batch, that of the whole batch

    std::tuple<std::uint32_t, std::uint32_t, bool> place() const { return {group, peer, isSend}; }
};

struct RankHeads
{
    std::vector<CallHead> heads; ///< oldest first
    std::optional<std::size_t> main; ///< the oldest that holds the rank up, as an index into `heads`
    std::vector<PendingTransfer> transfers; ///< by group, peer and whether they are sends, oldest first
    std::vector<std::size_t> unfinished; ///< rows in the dump, oldest first
    /// Sends and receives of the ring that are finished, by group, peer and whether they are sends.
    std::map<std::tuple<std::uint32_t, std::uint32_t, bool>, std::size_t> finishedTransfers;
    /// By the same: how many are in `transfers`.
    std::map<std::tuple<std::uint32_t, std::uint32_t, bool>, std::size_t> pendingTransfers;
    bool hasLost = false; ///< the ring does not begin with the first call of the process
    /// Behind all that is finished, there are calls of which nobody can tell what they wait for: of a group
    /// that no dump lists, or of a batch that is not complete.
    bool hasStray = false;

    /// The heads that hold the rank up, or that what holds it up may wait for on the GPU: the main one, and
    /// all older ones. Without a main one all of them: the CPU may wait for them.
    std::size_t holding() const { return main ? *main + 1 : heads.size(); }
    /// The head that waits in a point; nullptr if none does.
    const CallHead* at(std::uint32_t point) const;
    std::map<std::uint32_t, std::size_t> byPoint; ///< index into `heads`; filled with the WaitGraph
    /// The oldest one; nullptr if there is none.
    const PendingTransfer* transferWith(std::uint32_t group, std::uint32_t peer, bool isSend) const;
    const CallHead* mainHead() const { return main ? &heads[*main] : nullptr; }
};

/// O(calls of the rank). Empty for a rank without a dump, or whose dump is outdated.
RankHeads headsOf(const HangJob& job, std::uint32_t rank);

} // namespace collscope
