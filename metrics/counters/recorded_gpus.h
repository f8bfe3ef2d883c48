// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// GPUs of a hardware record on the axis of the traces: clock, power, temperature, and what held them back.

#include "metrics/counters/gpu_counters.h"

namespace collscope {

/// Whether a GPU was sampled at the time of the traces, as far as its times tell. O(devices).
bool hasRecordedGpus(const TraceModel& model);
/// Appends these GPUs with their samples in the time of the traces and shortly before and after it.
/// O(devices + samples in that time).
void addRecordedGpus(const TraceModelPtr& model, SampledGpus& gpus);

} // namespace collscope
