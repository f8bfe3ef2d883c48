// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Findings in a few words, for tables and cards. Finding::title is the whole sentence.

#include "metrics/findings/finding.h"

#include <QString>

namespace collscope {

/// "The others wait for rank 7: slower kernels", "GPU idle: the CPU waits for input data, mostly aten::to". A
/// finding that is not about time keeps its sentence.
QString findingLabel(const Finding& finding);

} // namespace collscope
