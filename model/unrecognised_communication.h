// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A run in which no kernel was recognised as communication: whether that is worth a question.

#include "model/trace_model.h"

namespace collscope {

/// The world size, if the trace, the workload card, the TOML or gpu_count.txt says it. nullopt where it is
/// only counted, for instance because one file was found.
std::optional<std::int32_t> toldWorldSize(const TraceModel& model);

/// Adds the finding `communication_not_recognised` to the run's problems if it has kernels, none of them is
/// known as communication, and something speaks for it that there was some: several ranks, or a stream beside
/// the busiest one on which much time passes while that one works. It asks, and does not claim that these
/// kernels communicate. O(slices) for runs without communication, else O(1) per timeline.
void noteUnrecognisedCommunication(TraceModel& model);

} // namespace collscope
