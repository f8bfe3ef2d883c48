// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Lines that PyTorch's NCCL watchdog and torchrun print when a job hangs, among any other lines of a log. The
// wordings are those of torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp, and of
// torch/distributed/elastic/multiprocessing (api.py, errors/__init__.py), from version 2.0 on.

#include "model/hang/hang_evidence.h"

#include <optional>
#include <string_view>
#include <vector>

namespace collscope {

/// What a line says, with any text in front of it; nullopt if it is not a line of the watchdog or of
/// torchrun. The caller sets source, file and line.
///
/// The rank of the job is only what "[rankN]:" says. "[Rank n]" and "Rank n]" behind "PG" are ranks in the
/// group: WatchdogLine::groupRank. A number that the line no longer shows in full is left out.
///
/// Of Stuck, ranMs is the time without progress. Two lines of torchrun's table of failures are Exit: "rank :
/// 5 (local_rank: 1)" gives the ranks, "exitcode : -9 (pid: 7)" the code; joinExitLines() joins them.
std::optional<WatchdogLine> watchdogLineOf(std::string_view line);

/// Joins the line with the ranks and the next line of the file with the code, where torchrun's table of
/// failures has them. `lines` are in the order of file and line.
void joinExitLines(std::vector<WatchdogLine>& lines);

/// Whether a line of this text is such a line.
bool isWatchdogLog(std::string_view head);

} // namespace collscope
