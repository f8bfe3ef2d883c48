// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Information from the names of files and folders. Content takes precedence; names are used if it is missing
// there.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace collscope {

/// Rank by name: "rank[_\s-]*(\d+)" in the file name, then in the parent folder, then kineto_trace_(\d+) or
/// the trailing integer of the stem; for memory snapshots also "<rank>_step_<n>.pickle".
std::optional<std::int32_t> rankFromPath(std::string_view path);
/// n of an "iteration_<n>" (or "step_<n in 12 digits>") component of the path; -1 if there is none.
std::int64_t iterationFromPath(std::string_view path);

} // namespace collscope
