// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Ends of calls as evidence about the clocks of two ranks (end_agreement.h).

#include "metrics/calls/process_groups.h"
#include "metrics/matching/end_agreement.h"

namespace collscope {

/// Whether times of two ranks can be compared without an offset: wall clocks, or the clock of one file.
bool haveOneClock(const Call& a, const Call& b);

/// Largest clock offset between two ranks that is considered; nullopt: any. Processes of one host share a
/// clock.
std::optional<std::int64_t> farthestApart(const Call& a, const Call& b);
bool areOfOneHost(const Call& a, const Call& b);

/// The end of a call of this group. If the group is a guess, ends must agree more closely.
EndingCall endingOf(const Call& call, const ProcessGroup& group);

} // namespace collscope
