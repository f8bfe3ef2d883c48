// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The samples that Nsight Systems took of network cards and switches, arranged like those of GPUs.

#include "metrics/counters/gpu_counters.h"

#include <functional>

namespace collscope {

/// Appends an entry for each card and switch, without rank and peaks: no kernel of one GPU explains them.
/// Devices that several files recorded have the host and, if that is not enough, the rank of the file in
/// their label. O(samples).
void addNetworkDevices(const TraceModelPtr& model, SampledGpus& gpus, const std::function<bool()>& cancelled);

} // namespace collscope
