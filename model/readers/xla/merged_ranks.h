// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Files into which another tool merged the traces of several ranks: assigns each process to a rank.

#include "model/building/fragment.h"

#include <functional>
#include <map>
#include <string>

namespace collscope {

using RankOfPid = std::map<std::string, std::int32_t, std::less<>>;

/// The rank of each process of a merged file, by pid; empty if the file has only one rank. Recognised are
/// * TraceLens: each event states its `rank` alongside `pid_raw` (`said`);
/// * SGLang and scripts like its merger: the pid starts with a label, "[TP01-PP00] 4242", "rank1_4242";
/// * others: the processes' names start with a label, "Rank 1".
/// Labels without a plain rank are numbered in the order pipeline, data, expert, tensor.
RankOfPid mergedRanks(const std::vector<FragmentBuilder::Process>& processes, const RankOfPid& said);

/// The ranks without duplicates, ascending.
std::vector<std::int32_t> distinctRanks(const RankOfPid& ranks);

/// Makes a timeline for each rank of a file that contains several; processes without a rank go to the first.
/// `timelineOf` describes the timeline of a rank's events, all but its rank. Returns false if
/// `shouldContinue` did.
bool finishRanks(TraceFragment& fragment, FragmentBuilder& builder, const RankOfPid& ranks,
                 const std::function<Timeline(FragmentBuilder&)>& timelineOf, const Parallel& parallel,
                 const std::function<bool(double)>& shouldContinue);

/// The device of the first kernel; -1 = none.
std::int32_t firstDeviceOf(FragmentBuilder& builder);

} // namespace collscope
