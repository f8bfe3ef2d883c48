// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The one place that knows threads for leaf work.

#include "model/parallel.h"

namespace collscope {

/// Threads that wait for work until the last copy of the Parallel is gone. `threads` counts the caller's,
/// which works too; 0 = one per core. Bodies may call it again: whoever waits works, so nesting cannot hang.
/// Where the system starts fewer threads, there are fewer: without any, the caller does all the work.
Parallel threadPool(int threads);
/// False where the system starts none for this process. The jobs of a window cannot do without.
bool canStartThreads();

} // namespace collscope
