// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the machine can do with the same bytes: the other half of every ratio.

#include <filesystem>
#include <string>
#include <vector>

namespace collscope::bench {

double median(std::vector<double> values);

/// Median seconds of simdjson's on-demand front end over every field of every event, the file in memory.
double simdjsonIterate(const std::filesystem::path& file, int runs);
/// Names of the simdjson kernels that this CPU can run ("icelake", "haswell", ...).
std::vector<std::string> simdjsonKernels();
/// Median seconds of libdeflate inflating a gzip file of known size in memory.
double libdeflateInflate(const std::filesystem::path& file, std::uint64_t inflatedBytes, int runs);
/// Median seconds of adding up the bytes of the file in memory, one thread.
double memoryRead(const std::filesystem::path& file, int runs);
/// Median seconds of stepping through the columns of the kernel table that the reader uses with the SQLite C
/// API.
double sqliteScan(const std::filesystem::path& database, int runs);

} // namespace collscope::bench
