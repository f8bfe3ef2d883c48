// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The plots of a comparison, and the page that contains them.

#include "app/files/comparison_files.h"

namespace collscope {

/// A ComparisonDrawer: writes plots/*.png and one page with all of them. Fails without a font.
Status drawComparison(const std::vector<RunSheets>& runs, const std::vector<ComparisonReport>& finals,
                      const ReportChoices& choices, const FileSink& sink);

} // namespace collscope
