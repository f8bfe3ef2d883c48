// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One word for everything a load produced: equal models have equal digests.

#include "model/trace_model.h"

#include <string>

namespace collscope {

/// 16 hexadecimal digits over all tracks, slices (with their names as text), instants, flows, counters,
/// collectives, links, steps, NVLink series and counts.
std::string modelDigest(const TraceModel& model);

} // namespace collscope
