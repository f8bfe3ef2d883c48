// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Whether calls with the same profiler number can be one collective: no rank leaves an all-reduce before all
// ranks have arrived, and all ranks leave it at about the same time.

#include "model/trace_model.h"

namespace collscope {

/// Clocks of computers drift apart by some hundred parts per million at most. A fit that needs more is not
/// explained by clocks.
constexpr double mostClockDrift = 1e-3;
/// Processes on one computer read the same clock. Profilers place their events on it to within a fraction of
/// this.
constexpr std::int64_t oneHostApartNs = 5'000'000;

/// Assigns a number to each of these timelines (indices into the model's timelines). Timelines with different
/// numbers cannot belong to one job, because the ends of their calls with the same group and number (Seq) do
/// not fit clocks that differ by an offset and a drift: fewer than half of the calls fit; or fewer than 80 %
/// fit while an impossible drift fits 90 %; or, in a short capture, an impossible drift brings 90 % within
/// 100 us and any other drift fewer than half. A clock that jumps once still fits half of them. The test uses
/// all-reduces, all-gathers and reduce-scatters on GPUs in groups with a complete list of ranks, if two
/// timelines have at least eight in common. `calls`: of all timelines; at most 256 of each group are
/// compared.
std::vector<std::int32_t> partsByEnds(const TraceModel& model, const std::vector<JobCalls>& calls,
                                      const std::vector<std::size_t>& timelines);

/// Like partsByEnds(), for timelines with a wall clock and the same host name: of at least four such calls,
/// more than half are apart by more than oneHostApartNs instead of overlapping.
std::vector<std::int32_t> partsByHostClock(const TraceModel& model, const std::vector<JobCalls>& calls,
                                           const std::vector<std::size_t>& timelines);

} // namespace collscope
