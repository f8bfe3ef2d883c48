// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The one place that knows thread pools for leaf work. Every call has a pool of its own (nesting on one pool
// would hang).

#include "model/readers/load_trace.h"

namespace collscope {

/// A ParallelFor over QtConcurrent with at most `threads` at once (0 = as many as cores).
ParallelFor parallelFor(int threads);

} // namespace collscope
