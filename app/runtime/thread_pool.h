// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The only place that creates threads for leaf work.

#include "model/parallel.h"

namespace collscope {

/// Returns a pool whose threads wait for work until the last copy of the Parallel is destroyed. `threads`
/// includes the calling thread, which also works; 0 = one per core. Bodies may use the pool again: a waiting
/// thread works, so nesting cannot deadlock. If the system starts fewer threads, the pool is smaller; without
/// any, the caller does all the work.
Parallel threadPool(int threads);
/// Whether the system starts threads for this process. The jobs of a window require them.
bool canStartThreads();

} // namespace collscope
