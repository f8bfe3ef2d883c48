// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Events of devices other than CUDA and HIP GPUs, in trace files of the same format: their categories differ
// or are missing.

#include "model/columns.h"

#include <optional>
#include <string_view>

namespace collscope {

/// The meaning of an event of such a device.
struct DeviceWork
{
    SliceCategory category = SliceCategory::Other;
    KernelClass kernelClass = KernelClass::None;
    bool pidIsRank = false; ///< the file contains several ranks, one per process
    std::string_view lane; ///< name of the stream if its number is meaningless; otherwise empty
};

/// Recognises operations of XLA (by `hloCategory`), of Meta's MTIA ("mtia_ccp_events") and of IBM's AIU ("...
/// Cmpt Exec", "... DmaI"); nullopt for any other event. O(length of the name).
std::optional<DeviceWork> otherDeviceWork(std::string_view category, std::string_view name,
                                          std::string_view hloCategory);

} // namespace collscope
