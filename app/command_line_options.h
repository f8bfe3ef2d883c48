// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// The options of the command line and what they say of themselves; what they mean together is
// command_line.cpp's.

#include "app/command_line_outputs.h"

namespace CLI { // NOLINT(readability-identifier-naming): CLI11's
class App;
}

namespace collscope {

/// The text of every option that needs more than a look at its type.
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

/// Declares all options; what needs no more than a look at its type goes straight into `result`.
void addOptions(CLI::App& app, CommandLine& result, RawOptions& raw);

} // namespace collscope
