// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Files into which another tool merged the traces of several ranks: assigns each process to a rank.

#include "model/building/fragment.h"

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

} // namespace collscope
