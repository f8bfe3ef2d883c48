// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "metrics/partition/worst_places.h"
#include "views/state/view_state.h"

namespace collscope {

/// Shows where something happens: its rank, the range with its surroundings, and the slice if there is one.
/// The range becomes the selected one.
void showPlace(ViewState& state, const FindingPlace& place);

} // namespace collscope
