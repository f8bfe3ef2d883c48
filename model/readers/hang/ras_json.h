// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Snapshots of NCCL's RAS subsystem, as "ncclras -f json" of NCCL 2.28.7 and later writes them
// (rasDumpCommsToJSON in src/ras/client_support.cc).

#include "model/hang/hang_evidence.h"

#include <optional>
#include <string>
#include <string_view>

namespace collscope {

/// The snapshot in a JSON text, with members and missing ranks by rank; nullopt if the text is something
/// else. The caller sets source and file. `reason` is set to a sentence about what was not read: why there is
/// none, or that the text is cut off, of which the communicators in front of that place are read.
///
/// Values that cannot be right are left out: ranks outside the communicator, negative counts. A member
/// without a count of an operation has not told it, which does not mean 0.
std::optional<RasSnapshot> rasSnapshotOf(std::string_view json, std::string& reason);

} // namespace collscope
