// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How the parts of a step lead from the time of the baseline to that of the test.

#include "metrics/comparison/step_comparison.h"
#include "metrics/export/page/svg_shapes.h"

namespace collscope {

/// Nothing if the steps of the two runs cannot be compared, or have no parts.
void writeWaterfall(HtmlWriter& html, const RunSheets& base, const RunSheets& test);

} // namespace collscope
