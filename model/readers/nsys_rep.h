// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Nsight Systems' own .nsys-rep files: a proprietary format that only `nsys` can turn into SQLite.

#include "model/result.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace collscope {

/// By content ("NVIDIA Tegra Profiler Report ...") or by the ending .nsys-rep or .qdrep.
bool looksLikeNsysReport(std::string_view fileName, std::string_view head);

/// An export of the report that is there already: beside it, or in cacheFolder, made of this version of the
/// file. nullopt if there is none.
std::optional<std::string> existingExport(const std::string& path, const std::string& cacheFolder);
/// True if nsys is on the PATH: a report could be exported here.
bool isNsysInstalled();

/// The SQLite export of a report: the existing one, else, if `mayExport`, one that `nsys export` makes now in
/// cacheFolder (never beside the report). Error NotFound, with what to run, if there is neither, Cancelled if
/// `cancelled` (polled while nsys runs) says so.
Result<std::string> sqliteForNsysReport(const std::string& path, const std::string& cacheFolder,
                                        bool mayExport, const std::function<bool()>& cancelled);

} // namespace collscope
