// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Network cards that had to wait far more than others that carried as much, in what Nsight Systems sampled.

#include "metrics/hardware/hardware_troubles.h"

namespace collscope {

/// Appends a trouble for each such card. Waiting is usual in a loaded network, and how long a tick is no
/// export says: a card is named only beside at least two others that carried at least half as much in the
/// same time. At least three samples of each end in that time. Nothing is said of switches, and of cards
/// whose hosts the files do not tell apart. O(samples in the time + counters).
void addCongestedCards(Analysis& analysis, const TroubleScope& scope, std::vector<HardwareTrouble>& troubles);

} // namespace collscope
