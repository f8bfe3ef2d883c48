// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The whole job: its steps and the speed of its communicators over hours.

#include "model/diagnostics.h"
#include "model/ids.h"

namespace collscope {

struct JobHistory
{
    /// Adds what a file says; `source` is the file.
    void take(JobHistory&& other, SourceId source);
    /// Puts everything into order, once all files are taken, and reports what contradicts itself.
    void settle(Diagnostics& problems);
};

} // namespace collscope
