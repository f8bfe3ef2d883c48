// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The process groups of a job that hung, and how far each rank got in each of them, by its own dump.

#include "model/hang/hang_evidence.h"
#include "model/string_table.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace collscope {

/// A process group of the job: a name may stand for several sets of ranks (new_group in each of them), and
/// one process numbers its groups differently from another.
struct HangGroup
{
    StringId name, description;
    /// Before version 2.0 groups have no name, only this number; nullopt if ranks number it differently.
    std::optional<std::int64_t> number;
    std::vector<std::int32_t> ranks; ///< global, in the order of the group
    std::vector<std::uint32_t> members; ///< the same ranks as indices into HangJob::ranks()
    bool hasPointToPoint = false, hasCollectives = false; ///< by the calls of all ranks
    /// Highest number of a collective that came before a send or a receive of the group; 0 = none.
    std::int64_t collectivesBefore = 0;
    /// Highest number of a call that needs everybody and that some rank has completed; -1 = none.
    std::int64_t finishedByAll = -1;
};

/// How far a rank is with a collective of a group.
enum class CallStage : std::uint8_t
{
    NotCalled,
    Inside, ///< the call is recorded, but the CPU has not returned from it
    Pending,
    Completed,
    Unknown
};

/// Whether all ranks of a group must have made such a call before any of them can finish it.
bool needsEverybody(std::string_view operation);

class HangJob
{
public:
    static constexpr std::uint32_t noIndex = 0xFFFF'FFFFu;

    /// `evidence` and `strings` must outlive the job. O(calls).
    HangJob(const HangEvidence& evidence, const StringTable& strings);

    const HangEvidence& evidence() const { return m_evidence; }
    std::string_view text(StringId id) const { return id ? m_strings.view(id) : std::string_view(); }
    /// All ranks that a dump or a group names, ascending.
    const std::vector<std::int32_t>& ranks() const { return m_ranks; }
    /// noIndex for a rank that nothing names.
    std::uint32_t indexOf(std::int32_t rank) const;
    /// The dump of a rank; nullptr if it left none.
    const FlightRecord* recordOf(std::uint32_t rank) const { return m_records[rank]; }
    /// The ranks as the job numbers them, ascending.
    std::vector<std::int32_t> numbersOf(const std::vector<std::uint32_t>& ranks) const;
    const std::vector<HangGroup>& groups() const { return m_groups; }
    std::string_view operationOf(const FlightRecord& record, std::size_t call) const
    {
        return text(record.signatureOf(call).operation);
    }
    /// The name of a group; of one without a name its number, if it has one.
    std::string nameOf(std::uint32_t group) const;
    /// The group of the job that a group of a rank's dump is; noIndex if its ranks are not known.
    std::uint32_t groupOf(std::uint32_t rank, std::uint16_t local) const { return m_own[rank].groups[local]; }
    /// Whether the dump holds active calls only, so that what is not in it may be done.
    bool isActiveOnly(std::uint32_t rank) const { return m_own[rank].isActiveOnly; }
    /// Whether the ring may have lost calls that are still pending, and nothing else tells.
    bool mayHidePending(std::uint32_t rank) const { return m_own[rank].mayHidePending; }
    /// Whether a call is a send or a receive that may belong to a batch which is done: of such a batch a dump
    /// of active calls has the members only, which never have a state of their own.
    bool mayBeLeftOver(std::uint32_t rank, std::size_t call) const;
    bool hasLeftOvers(std::uint32_t rank) const { return m_own[rank].hasLeftOvers; }
    /// The counters of a rank in a group; nullptr if they are not known.
    const FlightStatus* statusOf(std::uint32_t rank, std::uint32_t group) const;
    /// The same, only where they count collectives.
    const FlightStatus* collectiveStatusOf(std::uint32_t rank, std::uint32_t group) const;
    /// The same, only where they count sends and receives.
    const FlightStatus* transferStatusOf(std::uint32_t rank, std::uint32_t group) const;

    /// The row of a collective in a rank's dump.
    std::optional<std::size_t> callOf(std::uint32_t rank, std::uint32_t group, std::int64_t number) const;
    /// How far a member is with a collective, by its own dump, or by log lines if it left none.
    CallStage stageOf(std::uint32_t rank, std::uint32_t group, std::int64_t number) const;
    /// The newest collective of a group that a rank is known to have made; -1 = none.
    std::int64_t newestOf(std::uint32_t rank, std::uint32_t group) const;
    /// A rank that left no dump, but printed a line when the others were already waiting.
    bool isAliveByLog(std::uint32_t rank) const { return m_own[rank].isAlive; }
    /// Whether the dump of a rank was written before peers went on: what it does not show as finished is not
    /// known.
    bool isOutdated(std::uint32_t rank) const { return m_own[rank].isOutdated; }

private:
    struct Progress
    {
        std::uint16_t local = 0;
        bool isListed = false; ///< among the communicators of the process
        std::int64_t newest = -1; ///< collective in the ring
        std::vector<std::uint32_t> calls; ///< rows of its collectives in the dump
        std::optional<FlightStatus> status;
    };
    struct Own
    {
        std::vector<std::uint32_t> groups; ///< by local group
        std::map<std::uint32_t, Progress> progress; ///< by group of the job
        bool isActiveOnly = false, mayHidePending = false, hasLeftOvers = false, isAlive = false;
        bool isOutdated = false;
    };
    struct LogStatus
    {
        std::int64_t enqueued = -1, completed = -1;
    };

    void findRanks();
    using GroupsByName = std::map<std::string_view, std::vector<std::uint32_t>>;

    void findGroups();
    void findGroupsOfCalls(const GroupsByName& byName);
    std::map<std::vector<std::int32_t>, std::set<StringId>> mixedNames() const;
    void findLeftOvers(std::uint32_t rank);
    void readCalls(std::uint32_t rank);
    void assignStatuses();
    void readOrder(std::uint32_t rank);
    void assignByOrder(std::uint32_t rank);
    void judgeStatuses(std::uint32_t rank);
    void judgeAge(std::uint32_t rank);
    void readLogs();
    const Progress* progressOf(std::uint32_t rank, std::uint32_t group) const;
    CallStage stageInDump(std::uint32_t rank, std::uint32_t group, std::int64_t number) const;
    CallStage stageWithoutCall(std::uint32_t rank, std::uint32_t group, std::int64_t number) const;
    CallStage stageByLog(std::uint32_t rank, std::uint32_t group, std::int64_t number) const;

    const HangEvidence& m_evidence;
    const StringTable& m_strings;
    std::vector<std::int32_t> m_ranks;
    std::vector<const FlightRecord*> m_records; ///< by rank
    std::vector<HangGroup> m_groups;
    std::vector<Own> m_own; ///< by rank
    /// Some dumps have names of groups, others (before version 2.0) have not.
    bool m_areNamesMixed = false;
    /// Every pair of groups is looked at: a process with more of them leaves its counters unassigned.
    static constexpr std::size_t mostOrdered = 256;
    std::set<std::vector<StringId>> m_orders; ///< descriptions as a process created their groups
    std::set<std::pair<StringId, StringId>> m_order; ///< descriptions, of which the first comes before
    std::map<std::pair<std::uint32_t, std::uint32_t>, LogStatus> m_logStatus; ///< by rank and group
};

} // namespace collscope
