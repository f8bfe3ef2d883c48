// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the steps of all ranks were made of: as one bar, and as one picture of all steps and ranks.

#include "metrics/export/page/html_writer.h"
#include "metrics/findings/finding.h"

namespace collscope {

/// The parts side by side; an unknown one is left out.
void writePartsBar(HtmlWriter& html, const Findings& findings);
/// The colour of a part.
void writeSwatch(HtmlWriter& html, Part part);
/// What the colours mean, with the times.
void writePartsLegend(HtmlWriter& html, const Findings& findings);
/// A row for each rank, a column for each step, in a cell its parts side by side, as long as the step took.
/// Many ranks or steps are folded: of several, the one that computes the smallest share is
/// shown.
void writeStepsPicture(HtmlWriter& html, const Findings& findings);

} // namespace collscope
