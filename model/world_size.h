// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How many ranks the run has: what its files state, else what can be seen of it, which is a lower bound.

#include <cstdint>
#include <optional>
#include <set>
#include <string>

namespace collscope {

struct TraceModel;

/// What the traces, the card (its total, or all its degrees), the TOML or gpu_count.txt state, in this order.
struct StatedWorldSize
{
    std::int64_t size = 0;
    std::string source; ///< in words
    bool isByTraces = false; ///< the others may be of another run
};
std::optional<StatedWorldSize> statedWorldSize(const TraceModel& model);

/// Ranks that process groups list, of the lists that count ranks as the run does.
std::set<std::int32_t> listedRanks(const TraceModel& model);

/// Sets worldSize, its source and isWorldSizeLeast; recordings must be known. None where one file shows one
/// rank of a larger run and nobody says how large it is.
void findWorldSize(TraceModel& model);

/// Whether the run may have this number of ranks; false where nothing is known about its size.
bool canHaveRanks(const TraceModel& model, std::int64_t ranks);

/// "4", "at least 4", "an unknown number".
std::string worldSizeText(const TraceModel& model);

} // namespace collscope
