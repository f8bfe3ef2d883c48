// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A large run made in memory, for what happens after loading.

#include "model/trace_model.h"

namespace collscope::bench {

/// `slices` in all, over 8 ranks of 4 GPU streams (one of them communicates) and 4 CPU threads with nested
/// calls.
TraceModelPtr syntheticModel(std::size_t slices);

/// `collectives` per rank in tensor-parallel groups of 8 ranks and the data-parallel groups across them, each
/// rank late at random, clocks up to 5 ms apart.
TraceModelPtr syntheticJob(int ranks, int collectives, bool withSequence);

} // namespace collscope::bench
