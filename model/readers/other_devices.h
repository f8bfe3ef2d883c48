// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Events of devices that are no GPUs of CUDA or HIP, in trace files of the same form: they have categories of
// their own, or none.

#include "model/columns.h"

#include <optional>
#include <string_view>

namespace collscope {

/// What an event of such a device is; nullopt if it is of none.
struct DeviceWork
{
    SliceCategory category = SliceCategory::Other;
    KernelClass kernelClass = KernelClass::None;
    bool pidIsRank = false; ///< the file holds several ranks, one per process
    std::string_view lane; ///< what to call the stream, where its number says nothing; empty = nothing
};

/// Knows operations of XLA (by `hloCategory`), of Meta's MTIA ("mtia_ccp_events") and of IBM's AIU
/// ("... Cmpt Exec", "... DmaI"). O(length of the name).
std::optional<DeviceWork> otherDeviceWork(std::string_view category, std::string_view name,
                                          std::string_view hloCategory);

} // namespace collscope
