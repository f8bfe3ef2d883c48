// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Where the numbers of a page come from: the program, the command, and the digests of the files.

#include "metrics/core/metric.h"
#include "metrics/export/page/page_frame.h"
#include "model/parallel.h"
#include "model/readers/run/trace_directory.h"

#include <functional>

namespace collscope {

/// Reads the files of the run again. One that cannot be read, or has changed its size, has no digest.
/// `command`: the words that make the same page.
PageOrigin originOf(const TraceModel& model, std::vector<std::string> command, const Parallel& parallel,
                    const std::function<bool()>& cancelled);
/// Without files.
PageOrigin originOf(std::vector<std::string> command);

/// A run as a window shows it.
struct ShownRun
{
    std::vector<std::string> paths;
    LoadOptions load = {};
    std::vector<std::string> definitionFiles = {};
    ClockChoice clocks = ClockChoice::Auto;
};
/// The words that make the page of such a run. Ranks that the user gave to files are not among them: no
/// option has them.
std::vector<std::string> pageCommandOf(const ShownRun& run, const std::string& file);

} // namespace collscope
