// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What NCCL said about its communicators and transports, and what benchmarks of the network measured.

#include "model/diagnostics.h"
#include "model/ids.h"

namespace collscope {

struct NetworkRecord
{
    /// Adds what a file says; `source` is the file.
    void take(NetworkRecord&& other, SourceId source);
    /// Puts everything into order, once all files are taken, and reports what contradicts itself.
    void settle(Diagnostics& problems);
};

} // namespace collscope
