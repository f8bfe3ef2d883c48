// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Gaps that another analysis of the run has judged.

#include "metrics/partition/partition.h"

#include <map>
#include <memory>

namespace collscope {

/// The gaps of a timeline and the time that they cover.
struct KnownGaps
{
    TimeRange domain; ///< see gapDomainOf()
    TimelineGaps gaps;
};

/// What partitionOf() takes instead of finding it again.
using GapsByTimeline = std::map<const Timeline*, KnownGaps>;

/// Ends an analysis with a partition, and leaves its gaps to one of the same model whose partition nobody has
/// asked for yet: they are those of the whole trace, whatever the windows are.
void passGapsOn(std::unique_ptr<Analysis> from, Analysis& to);

} // namespace collscope
