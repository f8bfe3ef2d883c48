// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Locations (model/queries/location_text.h) in the views of a run.

#include "model/queries/location_text.h"
#include "model/result.h"
#include "views/state/view_state.h"

namespace collscope {

/// The location of the selected slice, else of the selected range, else of the visible range.
Location locationOf(const ViewState& state);
/// Shows the location and selects its slice or range. Error NotFound, with a message for the user, if the run
/// does not have it.
Status goTo(ViewState& state, const Location& location);

} // namespace collscope
