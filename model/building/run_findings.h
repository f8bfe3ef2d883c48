// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Problems of a run as a whole, even if each of its files can be read: ranks without a file, files of several
// jobs, ranks with different steps.

#include "model/building/fragment.h"

namespace collscope {

/// Adds the findings to the problems of the model, which must be complete otherwise.
void noteRunFindings(TraceModel& model, const AssembleOptions& options);

/// Whether a code is one of these findings, which a window shows in its banner.
bool isRunFinding(std::string_view code);

} // namespace collscope
