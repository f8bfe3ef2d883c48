// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The calls of a timeline as evidence of its job.

#include "model/trace_model.h"

namespace collscope {

/// Counts the calls of a timeline that has its events: those of kernels and of CPU backends. At most 256
/// numbered calls of each group are kept, the same numbers on every rank. O(calls log calls).
JobCalls listJobCalls(const TraceModel& model, const Timeline& timeline);

} // namespace collscope
