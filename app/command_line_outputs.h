// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// What the output options of --batch mean together. The options themselves are declared in
// command_line_options.cpp.

#include "app/command_line_reports.h"

namespace collscope {

/// The text of the output options that need more than a look at their type.
struct RawOutputs
{
    std::vector<std::string> reports;
    std::string summaryFolder, scriptsFolder, kitFolder, traceBase, format;
    bool examines = false; ///< --doctor
    RawReports books;
    std::string kernelSummary; ///< "" = not asked for, "-" = stdout
};

/// Whether a plot is to go into this very file, rather than into a folder of this name.
bool isPng(const std::string& path);
/// Decides the job; the text of the first mistake, or "".
std::string interpretOutputs(const RawOutputs& raw, CommandLine& result);

} // namespace collscope
