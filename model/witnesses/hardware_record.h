// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The state of GPUs, links and network cards over time, and errors that the system reported.

#include "model/diagnostics.h"
#include "model/ids.h"

namespace collscope {

struct HardwareRecord
{
    /// Adds what a file says; `source` is the file.
    void take(HardwareRecord&& other, SourceId source);
    /// Puts everything into order, once all files are taken, and reports what contradicts itself.
    void settle(Diagnostics& problems);
};

} // namespace collscope
