// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// XLA profiles as written by the trace viewer of XProf (*.trace.json.gz of JAX and PyTorch/XLA): processes
// "/device:TPU:0" with lanes "Steps", "XLA Modules", "XLA Ops", and "/host:CPU" with threads.

#include "model/readers/xla/merged_ranks.h"

namespace collscope {

/// Returns the device number of each device's process; empty if the file is not an XLA profile. The lanes of
/// devices are named and become GPU tracks: streams ("XLA Ops", or "Stream #7" of a GPU), the others
/// annotations.
RankOfPid arrangeXlaDevices(FragmentBuilder& builder, StringTable& strings);

} // namespace collscope
