// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the end of a call tells of the clocks of two ranks (end_agreement.h).

#include "metrics/multirank/end_agreement.h"
#include "metrics/multirank/process_groups.h"

namespace collscope {

/// Ends of two ranks say the same without any offset: wall clocks, or the clock of one file.
bool haveOneClock(const Call& a, const Call& b);

/// How far apart the clocks of two ranks are looked for; nullopt: anywhere. Processes of one computer share
/// one.
std::optional<std::int64_t> farthestApart(const Call& a, const Call& b);
bool areOfOneHost(const Call& a, const Call& b);

/// As far as calls of this group tell by their ends. Where the group is a guess, ends must lie closer.
EndingCall endingOf(const Call& call, const ProcessGroup& group);

} // namespace collscope
