// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The work per step that the card or the configuration of a run states.

#include "metrics/calls/workload.h"
#include "metrics/reports/run_values.h"

namespace collscope {

/// Excludes assumed values.
DescribedWork describedWork(const Workload& workload);

/// Described_Work: a row with the stated values; empty if nothing is stated.
Sheet describedSheet(const DescribedWork& work);

} // namespace collscope
