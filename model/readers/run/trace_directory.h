// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Walks a run directory, determines by content what each file is, and plans the load. Pure: reads only the
// heads of files.

#include "model/readers/run/load_plan.h"

#include <stop_token>

namespace collscope {

/// The title of a file's format, determined by content, if planLoad() would read the file for its events or
/// samples. "" for any other file, including cards and configurations.
std::string_view traceFormat(const std::string& path);

/// Plans the load of these paths. Error NotFound if a path or the requested iteration does not exist,
/// Cancelled if a stop is requested (polled for each file); an empty plan (with problems) if nothing is
/// recognised.
Result<LoadPlan> planLoad(const std::vector<std::string>& paths, const LoadOptions& options,
                          const std::stop_token& stop = {});

} // namespace collscope
