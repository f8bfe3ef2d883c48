// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Puts the columns of a freshly read track in order: sorting, nesting depths, overflow lanes.

#include "model/track.h"

#include <vector>

namespace collscope {

/// Sorts the slices (by start, then longer first), sets their depths and splits the track into sibling lanes
/// where slices overlap on a stream or cross on a thread. Nothing is dropped. Almost always the answer is the
/// track itself.
std::vector<Track> splitLanes(Track&& track);
void sortInstants(InstantColumns& instants);
void sortFlows(FlowColumns& flows);
void sortCounter(CounterSeries& counter);

} // namespace collscope
