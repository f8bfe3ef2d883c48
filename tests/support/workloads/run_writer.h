// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A planned run -> the files that profilers and samplers would have written. Same plan, same content.

#include "tests/support/workloads/run_description.h"

#include <filesystem>

namespace collscope {

struct RunFiles
{
    bool gzip = true; ///< rank<r>_trace.json.gz instead of rank<r>_trace.json
    bool kineto = true;
    bool nvlink = true; ///< nvlink_gpu<rank>.bin
    bool nsys = false; ///< nsys_0.sqlite with every GPU of the first host
    bool gpuMetrics = false; ///< and in it what Nsight samples of each GPU
    bool card = true; ///< workload_card.yaml and train_config.toml
};

/// Writes the run directory (made if missing). Throws std::runtime_error if a file cannot be written.
void writeRun(const RunPlan& plan, const std::filesystem::path& folder, const RunFiles& files);

/// The Kineto JSON of one rank.
std::string kinetoJson(const RunPlan& plan, const PlannedRank& rank);
/// The NVF1 file of one GPU.
std::string nvf1Bytes(const RunPlan& plan, const PlannedRank& rank);
void writeNsys(const RunPlan& plan, const std::filesystem::path& path, bool gpuMetrics);
std::string workloadCardYaml(const RunPlan& plan, const RunFiles& files);
std::string trainConfigToml(const RunPlan& plan);

/// RFC 1952 of the text, without a time stamp.
std::string gzipped(std::string_view text);
/// Writes a whole file; throws std::runtime_error if that fails.
void writeFile(const std::filesystem::path& path, std::string_view content);

} // namespace collscope
