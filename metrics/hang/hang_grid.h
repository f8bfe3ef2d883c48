// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How far each rank of a group is with the group's last calls, and how one rank's wait leads to another.

#include "metrics/hang/hang_case.h"

namespace collscope {

enum class HangCell : std::uint8_t
{
    NotCalled,
    Inside, ///< recorded, but the CPU has not returned from the call
    Waiting,
    Started, ///< on the GPU; only where start times were recorded
    Done,
    OtherArguments, ///< called, with arguments that do not fit
    Unknown
};
/// "N", "E", "P", "S", "C", "!", "?": never colour alone.
char letterOf(HangCell cell);

struct HangGrid
{
    /// Ranks whose cells are all the same.
    struct Row
    {
        std::vector<std::uint32_t> ranks; ///< of the job
        bool isNamed = false; ///< accused, or a candidate
        std::size_t distance = 0; ///< how many waits lead from here to one of those; 0 = none does
        std::vector<HangCell> cells; ///< by column
    };
    std::uint32_t group = 0; ///< of the job
    std::vector<std::int64_t> numbers; ///< of the calls, one per column
    std::vector<Row> rows; ///< who is named first, then by distance, then by rank
};
/// O(members * columns).
HangGrid gridOf(const HangCase& own, std::uint32_t group, std::size_t mostColumns);

/// The groups in which somebody waits, with the number of ranks that do; those of the findings first.
struct StuckGroup
{
    std::uint32_t group = 0;
    std::size_t waiting = 0;
};
std::vector<StuckGroup> stuckGroups(const HangCase& own);

/// One rank waits in a point for another.
struct WaitStep
{
    std::uint32_t rank = 0, point = 0;
    std::uint32_t next = HangJob::noIndex; ///< the rank that is waited for; noIndex: nobody in particular
};
/// Ranks that wait in one call for the same rank.
struct WaitsAlike
{
    std::vector<std::uint32_t> ranks; ///< of the job
    WaitStep step; ///< of the first of them
    std::size_t distance = 0; ///< as HangGrid::Row::distance
};
/// All waits that lead to who is named, the nearest first.
std::vector<WaitsAlike> allWaits(const HangCase& own);
/// The shortest way from a rank to one that is named; empty if none leads there.
std::vector<WaitStep> waitPath(const HangCase& own, std::uint32_t rank);
/// Who is waited for: "rank 7"; "" for nobody in particular.
std::string awaitedText(const HangCase& own, const WaitStep& step);

/// The call in a rank's dump: operation, sizes, types, time, file and number; or that it is not there.
std::string callDetail(const HangCase& own, std::uint32_t rank, std::uint32_t group, std::int64_t number);

} // namespace collscope
