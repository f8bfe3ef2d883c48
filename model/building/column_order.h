// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Orders the columns of a newly read track: sorting, nesting depths, overflow lanes.

#include "model/track.h"

#include <vector>

namespace collscope {

/// Sorts the slices (by start, then by descending duration), sets their depths and splits the track into
/// sibling lanes where slices overlap on a stream or cross on a thread. Nothing is dropped. In almost all
/// cases, the result is the track itself.
std::vector<Track> splitLanes(Track&& track);
void sortInstants(InstantColumns& instants);
void sortFlows(FlowColumns& flows);
void sortCounter(CounterSeries& counter);

} // namespace collscope
