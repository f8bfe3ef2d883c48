// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Options that many commands share: the run to read, and the selection that metrics are computed from.

#include "app/cli/command_options.h"
#include "metrics/definitions/metric_catalog.h"
#include "model/readers/run/trace_directory.h"
#include "model/trace_model.h"

#include <functional>

namespace collscope {

/// The run, or runs, that a command reads.
struct RunInput
{
    std::vector<std::string> paths;
    std::vector<std::string> names; ///< run names, in order; "" or missing = named after the folder
    bool demo = false;
    LoadOptions load;

    void declare(CommandOptions& options);
    /// Checks the run names, which become folder and column names.
    Status check();
};

/// The input of a command behind --batch.
struct BatchInput : RunInput
{
    std::vector<std::string> definitionFiles; ///< of metrics and kernel rules
    int threads = 0; ///< 0 = one per core
    bool verbose = false;
    bool isParts = false; ///< the run is a folder of parts that reduce wrote
    bool allowMissing = false; ///< use the available parts
    /// Where runs come from; without it, each comes from its files.
    std::function<Result<TraceModelPtr>(const std::vector<std::string>& paths, const LoadOptions& load)>
        source;

    void declare(CommandOptions& options);
    /// Checks the input and reads the kernel rules.
    Status check();
};

/// The selection that metrics are computed from.
struct MetricSelection
{
    MetricOptions options; ///< without hardware data
    std::optional<std::int32_t> rank, gpu; ///< as given; check() puts them into `options`
    std::optional<int> peaks; ///< --top, if given
    std::string hardwareFile; ///< device peaks that override the built-in ones

    void declare(CommandOptions& options);
    /// Parts of declare(): which rank, which steps or range, and which clocks.
    void declareRank(CommandOptions& options);
    void declareWindow(CommandOptions& options);
    void declareClocks(CommandOptions& options);
    Status check();
};

/// Adds the options that limit what is loaded of a run: iteration, ranks, card and configuration.
void declareLoading(CommandOptions& options, LoadOptions& load);
/// Declares --max-memory.
void declareMemory(CommandOptions& options, LoadOptions& load, const std::string& description);
/// Adds --export-nsys.
void declareNsysExport(CommandOptions& options, bool& exportsReports);

} // namespace collscope
