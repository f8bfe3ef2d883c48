// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What costs time, as cards: the cost, the sentence, what to do, and a picture of the worst place.

#include "metrics/analysis/analysis.h"
#include "metrics/export/page/html_writer.h"
#include "metrics/findings/finding.h"

namespace collscope {

/// Facts about the run that are not about time, as notices.
void writeFacts(HtmlWriter& html, const Findings& findings);
/// The findings with a cost of at least smallShare, the largest first, then the others in a line.
void writeCards(HtmlWriter& html, Analysis& analysis, const Findings& findings);

} // namespace collscope
