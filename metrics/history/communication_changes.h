// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Since when the collectives of a communicator take longer, and whether they transfer or wait.

#include "metrics/history/change_points.h"
#include "metrics/history/collective_rounds.h"

#include <optional>
#include <string>
#include <vector>

namespace collscope {

struct CommunicationChange
{
    enum class Kind
    {
        Transfer, ///< the member that waits for nobody takes longer, too
        Waiting ///< only those that wait do: a member comes later
    };
    std::uint32_t communicator = 0;
    std::string operation;
    std::uint64_t bytes = 0;
    Kind kind = Kind::Transfer;
    double beforeUs = 0, afterUs = 0; ///< medians: of the shortest time, or of the mean time of the members
    std::int64_t earliestNs = 0, latestNs = 0; ///< it lies between these, in UTC; 0: no times are stated
    std::size_t round = 0, rounds = 0; ///< the first collective of the new level, of how many
    std::vector<std::uint32_t> members; ///< indices into JobHistory::members
    bool isOfAll = false; ///< all members of the communicator recorded
    std::vector<double> riseUs; ///< of each member, of its median time
    /// The member that came last in at least three fifths of the collectives after the change, and in far
    /// fewer, or in as many, before. Index into JobHistory::members.
    std::optional<std::uint32_t> lastMember;
    double lastShareBefore = 0, lastShareAfter = 0;
};

/// The bandwidth of one kind and size of collectives over the whole job.
struct BandwidthRow
{
    std::uint32_t communicator = 0;
    std::string operation;
    std::uint64_t bytes = 0;
    std::size_t rounds = 0, members = 0;
    std::vector<std::string> hosts; ///< of the members, in order
    std::int64_t firstNs = 0, lastNs = 0; ///< 0: no times are stated
    bool isOfAll = false;
    double medianUs = 0, slowestTenthUs = 0; ///< of the shortest times
    std::optional<double> busGbPerSecond; ///< median, as stated or by the definition of nccl-tests
    bool busIsStated = false;
    bool isTested = false; ///< enough collectives to see a change, of a kind that all members leave together
    bool transferChanged = false;
    std::optional<GradualChange> gradual; ///< of the shortest times
    std::optional<SlowEnd> slowEnd; ///< of the shortest times
};

/// The same collectives in communicators that follow each other: the job seems to have been restarted.
struct CommunicatorAttempts
{
    std::size_t before = 0, after = 0; ///< places in CommunicationHistory::rows
};

struct CommunicationHistory
{
    std::vector<BandwidthRow> rows; ///< the most collectives first within a communicator
    std::vector<CommunicationChange> changes;
    std::vector<CommunicatorAttempts> attempts; ///< those with a difference of 3 % or more
    std::uint64_t incomplete = 0; ///< collectives that a recorded member lacks
    std::uint64_t notJudged = 0; ///< collectives that members leave at different times
    std::uint64_t untested = 0; ///< operations of kinds and sizes that occur too rarely
    std::int64_t firstNs = 0, lastNs = 0; ///< of all times; 0: none are stated
};

/// What a change of collectives must be to count. All series share the significance; a hundred are assumed.
ChangeRules collectiveRules();

CommunicationHistory communicationHistory(const JobHistory& history);

/// Whether no member can leave the operation before all came: AllReduce, AllGather, ReduceScatter and
/// AllToAll. The root of a Broadcast does not wait for the others; nor does who only sends to a Reduce.
bool leavesTogether(std::string_view operation);

/// The factor from the size that the Inspector states per time to bus bandwidth, as the page on performance
/// of NVIDIA/nccl-tests defines it; the size of all-gather and reduce-scatter is that of one rank's part.
/// nullopt: another operation, or an unknown number of ranks.
std::optional<double> busFactor(std::string_view operation, std::int32_t ranks);

} // namespace collscope
