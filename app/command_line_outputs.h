// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Interprets the output options of --batch together. command_line_options.cpp declares them.

#include "app/command_line_reports.h"

namespace collscope {

/// Text of the output options whose validation needs more than their type.
struct RawOutputs
{
    std::vector<std::string> reports;
    std::string summaryFolder, scriptsFolder, kitFolder, traceBase, format;
    bool examines = false; ///< --doctor
    RawReports books;
    std::string kernelSummary; ///< "" = not requested, "-" = stdout
};

/// Whether a plot path names a single file rather than a folder.
bool isPng(const std::string& path);
/// Determines the job. An error is the first mistake.
Status interpretOutputs(const RawOutputs& raw, CommandLine& result);

} // namespace collscope
