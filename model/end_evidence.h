// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Whether calls that the profiler gives one number can have been one collective: nobody leaves an all-reduce
// before everybody has come, and all leave it at about one moment.

#include "model/trace_model.h"

namespace collscope {

/// Clocks of computers run apart by some hundred parts in a million at most. What fits only with more is not
/// a clock.
constexpr double mostClockDrift = 1e-3;
/// Processes of one computer read one clock. Profilers place their events on it within a fraction of this.
constexpr std::int64_t oneHostApartNs = 5'000'000;

/// Of each of these timelines (indices into the model's) a number; those with different numbers cannot be of
/// one job, because the ends of their calls of one group and number (Seq) fit no clocks that are apart by an
/// offset and a drift: less than half of them do, or less than 80 % while a drift that no clock has fits
/// them, or, where a capture is short, a drift that no clock has brings 90 % of them within 100 us and any
/// other less than half. A clock that jumps once still fits half of them. Looked at are all-reduces,
/// all-gathers and reduce-scatters on GPUs in groups with a whole list of ranks, at least eight that two
/// timelines have both. O(calls).
std::vector<std::int32_t> partsByEnds(const TraceModel& model, const std::vector<std::size_t>& timelines);

/// The same of timelines with a wall clock and the name of one host: of at least four such calls more than
/// half did not overlap, by more than oneHostApartNs. O(calls).
std::vector<std::int32_t> partsByHostClock(const TraceModel& model,
                                           const std::vector<std::size_t>& timelines);

} // namespace collscope
