// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Number of ranks of the run: as stated by its files, else a lower bound from the visible data.

#include <cstdint>
#include <optional>
#include <set>
#include <string>

namespace collscope {

struct TraceModel;

/// The size stated by the traces, the card (its total, or all its degrees), the TOML or gpu_count.txt, in
/// this order.
struct StatedWorldSize
{
    std::int64_t size = 0;
    std::string source; ///< in words
    bool isByTraces = false; ///< the other sources may belong to another run
};
std::optional<StatedWorldSize> statedWorldSize(const TraceModel& model);

/// Ranks listed by process groups, from lists that use the run's numbering.
std::set<std::int32_t> listedRanks(const TraceModel& model);

/// Sets worldSize, its source and isWorldSizeLeast. Needs the recordings. worldSize stays empty if one file
/// contains one rank of a larger run whose size is not stated.
void findWorldSize(TraceModel& model);

/// Whether the run may have this number of ranks; false if its size is unknown.
bool canHaveRanks(const TraceModel& model, std::int64_t ranks);

/// "4", "at least 4", "an unknown number".
std::string worldSizeText(const TraceModel& model);

} // namespace collscope
