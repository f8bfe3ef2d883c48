// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/matching/call_endings.h"

#include "metrics/core/step_rows.h"
#include "metrics/matching/call_slots.h"

#include <algorithm>

namespace collscope {

bool haveOneClock(const Call& a, const Call& b)
{
    return a.timeline->source == b.timeline->source || (a.timeline->hasWallClock && b.timeline->hasWallClock);
}

bool areOfOneHost(const Call& a, const Call& b)
{
    return haveOneClock(a, b) && a.timeline->host && a.timeline->host == b.timeline->host;
}

std::optional<std::int64_t> farthestApart(const Call& a, const Call& b)
{
    if (!haveOneClock(a, b))
        return std::nullopt;
    return areOfOneHost(a, b) ? 0 : farClocksNs;
}

EndingCall endingOf(const Call& call, const ProcessGroup& group)
{
    const Step* const step = call.timeline->stepSource == StepSource::WholeTrace
        ? nullptr
        : stepAround(*call.timeline, call.range.beginNs);
    EndingCall ending{signatureOf(call), call.range.endNs, step ? std::optional(step->number) : std::nullopt};
    const bool isGuess = group.kind == ProcessGroup::Kind::Stream;
    if (isGuess && isSizedAlike(call.kind)) // a rank may end a long call slightly later than the rest
        ending.barNs = std::clamp(call.durationNs() / 5, closeEndsNs, farthestEndsNs);
    return ending;
}

} // namespace collscope
