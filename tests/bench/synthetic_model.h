// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A large run made in memory, for what happens after loading.

#include "model/trace_model.h"

namespace collscope::bench {

/// `slices` in all, over 8 ranks of 4 GPU streams (one of them communicates) and 4 CPU threads with nested
/// calls.
TraceModelPtr syntheticModel(std::size_t slices);

/// `ranks` with one communication stream each, in groups of eight neighbours (mesh_tp), of every eighth rank
/// (mesh_dp_shard) and of all; `calls` collectives per rank, each rank late by up to a tenth of a period.
TraceModelPtr syntheticCollectives(int ranks, std::size_t calls);

} // namespace collscope::bench
