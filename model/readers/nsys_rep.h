// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Nsight Systems' own .nsys-rep files: a proprietary format that only `nsys` can turn into SQLite.

#include "model/result.h"

#include <functional>
#include <string>
#include <string_view>

namespace collscope {

/// By content ("NVIDIA Tegra Profiler Report ...") or by the ending .nsys-rep or .qdrep.
bool looksLikeNsysReport(std::string_view fileName, std::string_view head);

/// The SQLite export of a report: the one that lies beside it, else one made by `nsys export` in cacheFolder
/// (never beside the report; made once per version of the file). Error NotFound, with what to run, if there
/// is neither, Cancelled if `cancelled` (polled while nsys runs) says so.
Result<std::string> sqliteForNsysReport(const std::string& path, const std::string& cacheFolder,
                                        const std::function<bool()>& cancelled);

} // namespace collscope
