// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Files that must not be replaced by outputs: inputs of the program, and files recognised as traces.

#include "model/result.h"

#include <string>

namespace collscope {

struct LoadPlan;

/// Marks the file at `path` as an input of this process, regardless of the name used to access it. Any
/// thread.
void protectInput(const std::string& path);
/// Marks all files of a plan, including files from which nothing can be read.
void protectInputs(const LoadPlan& plan);
/// Whether an output may be written to `path`: the file does not exist, or is neither an input nor a trace.
/// The error is a sentence that names the path and the file it would replace.
Status checkReplaceable(const std::string& path);

} // namespace collscope
