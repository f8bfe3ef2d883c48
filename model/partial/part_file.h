// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The file that one task of a distributed run leaves: a section per file of the run, deflated and with a
// checksum, and an index at its end.

#include "model/result.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace collscope {

/// Where a section is in a part, and what it must be.
struct PartLocation
{
    std::string part; ///< path
    std::uint64_t offset = 0;
    std::uint64_t packedBytes = 0; ///< deflated
    std::uint64_t bytes = 0;
    std::uint32_t checksum = 0; ///< CRC-32 of the deflated bytes
    std::string failure; ///< why the file could not be read; then there are no bytes
    std::uint64_t failureOffset = 0; ///< byte in that file, 0 = unknown
};

struct PartIndex
{
    std::uint64_t plan = 0; ///< hash of the plan
    std::uint32_t task = 0;
    /// By place in the plan's list of files, ascending.
    std::vector<std::pair<std::uint32_t, PartLocation>> sections;
};

/// One file of the run on its way into a part.
struct PackedSection
{
    std::uint32_t file = 0; ///< place in the plan's list of files
    std::string packed;
    PartLocation place; ///< all but part and offset
};
PackedSection packSection(std::uint32_t file, std::string_view bytes);
PackedSection failedSection(std::uint32_t file, const Error& error);

/// The whole part. The sections come in the order of the plan's files, so that the same task always leaves
/// the same bytes.
std::string partBytes(std::uint64_t plan, std::uint32_t task, std::vector<PackedSection> sections);

/// Reads only the end of the part. Error Format for what is no part, is cut off or was changed.
Result<PartIndex> readPartIndex(const std::string& path);
/// One section, checked before it is inflated. `mostBytes`: of memory that it may take. Error Format if it
/// was changed, TooLarge if it says that it takes more; memory grows with what really comes out of it, not
/// with what it says.
Result<std::string> readPartSection(const PartLocation& place,
                                    std::uint64_t mostBytes = std::numeric_limits<std::uint64_t>::max());

} // namespace collscope
