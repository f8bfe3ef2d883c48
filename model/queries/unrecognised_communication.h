// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A run in which no kernel was recognised as communication: whether to ask the user about it.

#include "model/trace_model.h"

namespace collscope {

/// The world size, if the trace, the workload card, the TOML or gpu_count.txt states it. nullopt if it is
/// only counted, for instance because one file was found.
std::optional<std::int32_t> toldWorldSize(const TraceModel& model);

/// Adds the finding `communication_not_recognised` to the run's problems if the run has kernels, none of them
/// is known to be communication, and there are signs of communication: several ranks, or a stream other than
/// the busiest one with much work while the busiest one is active. The finding asks the user; it does not
/// claim that these kernels communicate. O(slices) for runs without communication, else O(1) per timeline.
void noteUnrecognisedCommunication(TraceModel& model);

} // namespace collscope
