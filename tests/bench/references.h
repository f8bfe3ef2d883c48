// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the machine can do with the same bytes: the other half of every ratio.

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace collscope::bench {

double median(std::vector<double> values);
double millisecondsSince(std::chrono::steady_clock::time_point start);

/// Work of a reference, ready to run again and again; the answer: seconds of one run.
using Reference = std::function<double()>;
/// simdjson's on-demand front end over every field of every event, the file in memory.
Reference simdjsonIterate(const std::filesystem::path& file);
/// libdeflate inflating a gzip file of known size in memory.
Reference libdeflateInflate(const std::filesystem::path& file, std::uint64_t inflatedBytes);
/// Adding up the bytes of the file in memory, one thread.
Reference memoryRead(const std::filesystem::path& file);
/// Stepping through the columns of the kernel table that the reader uses with the SQLite C API.
Reference sqliteScan(const std::filesystem::path& database);
/// Names of the simdjson kernels that this CPU can run ("icelake", "haswell", ...).
std::vector<std::string> simdjsonKernels();

} // namespace collscope::bench
