// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// The command line options and their help texts. command_line.cpp interprets their combinations.

#include "app/command_line_outputs.h"

namespace CLI { // NOLINT(readability-identifier-naming): CLI11's
class App;
}

namespace collscope {

/// Text of the options whose validation needs more than their type.
struct RawOptions
{
    std::vector<std::string> metrics, listedMetrics, tracePaths, definitionFiles;
    std::string explainId, steps = "inner", range, iteration, direction, profileMode = "auto", maxMemory,
                           attribution = "clip", definition = "std", reduce = "mean", modelParams,
                           clocks = "auto", size, theme = "system", completion;
    std::optional<std::int32_t> rank, gpu;
    std::optional<std::uint32_t> link;
    std::optional<int> maxRanks;
    bool batch = false, manPage = false;
    RawOutputs outputs;
};

/// Declares all options. Options that are validated by their type alone are stored in `result` directly.
void addOptions(CLI::App& app, CommandLine& result, RawOptions& raw);

} // namespace collscope
