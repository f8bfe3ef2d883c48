// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Restricts a selection to data that can be combined over ranks: ranks of one job, and steps that all of them
// have.

#include "metrics/core/selection.h"

namespace collscope {

/// Excludes copies of other ranks, with warnings. Sets a failure if the ranks of the selection were recorded
/// in different jobs (or on clocks equally far apart): values over all of them have no meaning.
Selection keepOneJob(const TraceModel& model, Selection selection);

/// Excludes ranks without step markers if others have them, and steps that not all ranks have; notes both in
/// the window and the warnings. Steps without numbers in the trace, which are only counted, are kept.
Selection keepCommonSteps(Selection selection);

} // namespace collscope
