// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "metrics/findings/finding.h"
#include "views/state/view_state.h"

#include <optional>

namespace collscope {

/// Shows where something happens: its rank, the range with its surroundings, and the slice if there is one.
/// The range becomes the selected one.
void showPlace(ViewState& state, const FindingPlace& place);

/// The rank whose trace shows most of a finding: that of its worst place, or the only one that it is about.
std::optional<std::int32_t> worstRankOf(const Finding& finding);

} // namespace collscope
