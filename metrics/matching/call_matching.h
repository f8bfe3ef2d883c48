// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Matches the calls of several ranks to collectives.
// See matching.md.

#include "metrics/matching/matching.h"

#include <functional>

namespace collscope {

/// Matches calls across ranks, group by group (process_groups.h): by Comms Id and Seq, else by Seq, else by
/// the order of the calls in their group. If the ranks made different calls, their orders are aligned by
/// name, type and sizes (among equal calls the nearest in time), so a dropped call does not shift the rest;
/// if that is too expensive, order within each step is used. Numbers are trusted only if at least 95 % of the
/// collectives that they define agree in name, type and size, or if order finds no more. Point-to-point
/// calls are matched per pair of ranks, in order. Calls matched by order must have ended together
/// (match_evidence.h); if several streams communicate without groups, only the ends count.
Matching matchCalls(
    const TraceModel& model, const std::vector<RankCalls>& ranks,
    const std::function<bool()>& cancelled = [] { return false; });

/// Matches the calls of one group. `group`: with its lanes, not of kind Stream.
Matching matchGroup(const TraceModel& model, const std::vector<RankCalls>& ranks, ProcessGroup group);

} // namespace collscope
