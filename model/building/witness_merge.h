// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Puts together what the files say of the job, its hardware and its network.

#include "model/building/fragment.h"

#include <vector>

namespace collscope {

/// Moves the witnesses of the fragments, which are in the order of TraceModel::sources, into the model.
void mergeWitnesses(TraceModel& model, std::vector<TraceFragment>& fragments, Diagnostics& problems);

} // namespace collscope
