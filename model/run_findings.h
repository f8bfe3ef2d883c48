// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What is wrong with a run as a whole, although each of its files can be read: ranks without a file, files of
// several jobs, ranks with other steps.

#include "model/fragment.h"

namespace collscope {

/// Adds what is found to the problems of the model, which is complete but for them.
void noteRunFindings(TraceModel& model, const AssembleOptions& options);

/// Codes of the findings above: a window shows them in its banner.
bool isRunFinding(std::string_view code);

} // namespace collscope
