// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Plan -> fragments (in parallel) -> model. Called by batch mode, the window and tests.

#include "model/readers/run/load_context.h"
#include "model/readers/run/trace_directory.h"

namespace collscope {

/// Whether the files of a plan can be one run: Error Unsupported, with the list of runs, if they cannot.
Status checkOneRun(const LoadPlan& plan);

/// Loads a plan. Error Unsupported for a folder of several runs (with their list), Cancelled, or NotFound if
/// nothing was readable (a card or TOML alone is not enough; the message lists the findings). The same files
/// give the same model for any number of threads.
Result<TraceModelPtr> loadTrace(const LoadPlan& plan, const LoadContext& context);

} // namespace collscope
