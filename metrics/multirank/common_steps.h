// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What numbers over several ranks may count: ranks of one job, and steps that all of them have.

#include "metrics/multirank/rank_windows.h"

namespace collscope {

/// Leaves out copies of other ranks; the warnings say so. A failure where the ranks of the selection were
/// recorded in different jobs (or on clocks as far apart): nothing over all of them means anything.
Selection keepOneJob(const TraceModel& model, Selection selection);

/// Leaves out ranks without step markers where others have them, and steps that not all ranks have; the
/// window and the warnings say so. Steps that are merely counted, without a number of their own, stay.
Selection keepCommonSteps(Selection selection);

} // namespace collscope
