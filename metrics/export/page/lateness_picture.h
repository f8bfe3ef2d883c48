// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which rank was late, and in which collective.

#include "metrics/export/page/html_writer.h"
#include "metrics/matching/lateness_grid.h"

namespace collscope {

/// A row for each rank, a column for each collective, in the colours of the window. Many ranks or collectives
/// are folded: of several, the largest lateness is shown. `isErrorKnown`: that of the clocks. Precondition:
/// the grid has columns.
void writeLatenessPicture(HtmlWriter& html, const LatenessGrid& grid, bool isErrorKnown);

} // namespace collscope
