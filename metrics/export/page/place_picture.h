// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The worst place of a finding: what the GPUs of the ranks concerned, and the CPU thread to blame, did around
// it.

#include "metrics/analysis/analysis.h"
#include "metrics/export/page/svg_shapes.h"
#include "metrics/findings/finding.h"

namespace collscope {

/// At most four ranks. Nothing where the finding has no place. O(slices shown).
void writePlacePicture(HtmlWriter& html, Analysis& analysis, const Finding& finding);

} // namespace collscope
