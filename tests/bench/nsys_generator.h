// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A big Nsight Systems export with the tables and columns of a recent nsys, from a seed.

#include <cstdint>
#include <filesystem>

namespace collscope::bench {

void writeNsysExport(const std::filesystem::path& file, std::uint64_t kernels);

} // namespace collscope::bench
