// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the steps of all ranks were made of: as one bar, and as one picture of all steps and ranks.

#include "metrics/export/page/svg_shapes.h"
#include "metrics/findings/finding.h"

namespace collscope {

/// "6.9 %".
std::string partPercentText(std::int64_t ns, std::int64_t wholeNs);
/// "computing 6.5 ms (61 %)" and so on, of all parts.
std::string partsSentence(const PartTimes& parts);
/// The parts side by side, and a table of them. `findings`: for what is known.
void writePartsBar(HtmlWriter& html, const Findings& findings);
/// A row for each rank, a column for each step, in a cell its parts side by side, as long as the step took.
/// Many ranks or steps are folded: of several, the one that computes least is shown.
void writeStepsPicture(HtmlWriter& html, const Findings& findings);

} // namespace collscope
