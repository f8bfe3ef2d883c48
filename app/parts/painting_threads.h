// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/runtime/thread_pool.h"

#include <algorithm>
#include <thread>

namespace collscope {

/// Threads of its own for a timeline (TimelineView::setParallel()), so that it never waits for long work. At
/// most four: the picture of a row takes less time than waking many threads.
inline Parallel paintingThreads()
{
    return threadPool(static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1U, 4U)));
}

} // namespace collscope
