// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the record of the hardware adds to the answer to "Why slow?".

#include "metrics/causes/cause_chain.h"

namespace collscope {

/// Ends a chain with the hardware, as far as samples lie in the time concerned: that the GPU of the rank with
/// slower kernels ran slower than the others, and what else other programs recorded in that time. `step`: the
/// step asked about, or nullopt for the time of the chain's own clauses. `axis`: where the sentences lead to.
/// Nothing without a record. O(samples in that time).
void addHardware(Analysis& analysis, std::optional<std::int64_t> step, TimeRange axis, CauseChain& chain);

} // namespace collscope
