// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Nsight Systems' own .nsys-rep files: a proprietary format that only `nsys` can convert to SQLite.

#include "model/readers/reader.h"
#include "model/result.h"

#include <optional>
#include <string>
#include <string_view>

namespace collscope {

/// Recognises a report by its content ("NVIDIA Tegra Profiler Report ...") or by the ending .nsys-rep or
/// .qdrep.
bool looksLikeNsysReport(std::string_view fileName, std::string_view head);

/// Returns an existing export of the report: next to it, or in cacheFolder and made from this version of the
/// file. nullopt if there is none.
std::optional<std::string> existingExport(const std::string& path, const std::string& cacheFolder);
/// Whether nsys is on the PATH, so that a report could be exported here.
bool isNsysInstalled();

/// Returns the SQLite export of a report: the existing one or, if the user allowed it, a new one that
/// `nsys export` writes to the cache folder (never next to the report). Error NotFound, with the command to
/// run, if there is neither; Cancelled if reading must stop, which ends nsys.
Result<std::string> sqliteForNsysReport(const std::string& path, const ReadContext& context);

} // namespace collscope
