// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the collectives of a run reach of what nccl-tests measured on these machines.

#include "metrics/analysis/analysis.h"

#include <vector>

namespace collscope {

/// The calls of one type and size in groups of one size.
struct CeilingRow
{
    KernelClass kind = KernelClass::OtherCommunication;
    std::int32_t ranks = 0; ///< of the group
    std::uint64_t bytes = 0;
    std::size_t calls = 0;
    double reached = 0; ///< bytes/s: median of the bus bandwidths, as nccl-tests defines them
    double ceiling = 0; ///< bytes/s that nccl-tests measured at this size
    SourceId source; ///< of the measurement
};

struct MeasuredCeiling
{
    std::vector<CeilingRow> rows; ///< by type, ranks and size
    /// Why measurements were not compared, one sentence each.
    std::vector<std::string> notes;
};

/// Compares the calls in the window of `analysis` with the measurements for the same type and number of
/// ranks, on as many nodes as far as both say it. Between two measured sizes the ceiling is interpolated,
/// over the logarithm of the size; above the largest it is that of the largest if the curve is flat
/// there; else it is not known.
MeasuredCeiling measuredCeiling(Analysis& analysis);

} // namespace collscope
