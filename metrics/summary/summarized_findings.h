// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The findings of a run, also if it was merged from summaries: then clocks and late ranks are told by the
// fold of the calls.

#include "metrics/findings/finding.h"

namespace collscope {

/// findCosts() for any run. Of summaries: with FindingKind::Straggler, and with a warning that says which
/// kinds were not looked for, why, and how to find them.
Result<Findings> findCostsOfRun(Analysis& analysis);

} // namespace collscope
