// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The file written by one task of a distributed run, or joined from those of several: a section per file of
// the run, deflated and with a checksum, and an index at its end. A section is followed by its stored bytes,
// which are read on demand. See reduce-and-merge.md.

#include "model/result.h"
#include "model/stored_bytes.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace collscope {

/// Location of a section in a part, and its expected properties.
struct PartLocation
{
    std::shared_ptr<const OpenedFile> file; ///< the part; nullptr: the section is in memory
    std::uint64_t offset = 0;
    std::uint64_t packedBytes = 0; ///< deflated
    std::uint64_t bytes = 0;
    std::uint32_t checksum = 0; ///< CRC-32 of the deflated bytes
    std::uint64_t storedBytes = 0; ///< behind the deflated bytes, as they are
    std::uint32_t storedChecksum = 0;
    std::string failure; ///< why the file could not be read; its section is then empty
    std::uint64_t failureOffset = 0; ///< byte in that file, 0 = unknown
    std::uint64_t allBytes() const { return packedBytes + storedBytes; }
};

struct PartIndex
{
    std::uint64_t plan = 0; ///< hash of the plan
    std::vector<std::uint32_t> tasks; ///< ascending; several: their parts were joined
    bool isOf(std::uint64_t ofPlan, std::uint32_t ofTask) const
    {
        return plan == ofPlan && tasks.size() == 1 && tasks.front() == ofTask;
    }
    /// By index in the plan's list of files, ascending.
    std::vector<std::pair<std::uint32_t, PartLocation>> sections;
};

/// One file of the run, to be stored in a part.
struct PackedSection
{
    std::uint32_t file = 0; ///< index in the plan's list of files
    std::string packed; ///< and behind it the stored bytes
    PartLocation place; ///< file and offset: only if the section was saved
};
PackedSection packSection(std::uint32_t file, std::string_view bytes, std::string_view stored = {});
PackedSection failedSection(std::uint32_t file, const Error& error);

/// Whether the size that is claimed for the inflated section is possible.
bool isPlausible(const PartLocation& place);
/// Reads a section piece by piece, without inflating it: whether its bytes are those that were written.
bool isSectionSound(const PartLocation& place);

/// Takes the next piece of a file that is written.
using PieceSink = std::function<Status(std::string_view)>;
/// Writes a complete part. The sections are in the order of the plan's files, so that the same tasks always
/// give the same bytes. A section that was saved is copied from its file; the others are in memory. Error:
/// what `write` returns, or Io or Format of a section that is not there any more.
Status writePart(std::uint64_t plan, std::vector<std::uint32_t> tasks, std::vector<PackedSection> sections,
                 const PieceSink& write);
/// The part of one task, as bytes.
std::string partBytes(std::uint64_t plan, std::uint32_t task, std::vector<PackedSection> sections);

/// Reads only both ends of the part, which stays open as long as the places of its sections. Error Format for
/// a file that is not a part, is truncated or was changed; Unsupported for a part in another format.
Result<PartIndex> readPartIndex(const std::string& path);
/// Reads one section, and checks it before it is inflated. `mostBytes`: limit of the memory that it may take.
/// Error Format if the section was changed, TooLarge if it takes more than the limit. Memory grows with the
/// actual inflated size, not with the stated size.
Result<std::string> readPartSection(const PartLocation& place,
                                    std::uint64_t mostBytes = std::numeric_limits<std::uint64_t>::max());
/// The stored bytes of a section in a part. They are not checked: whoever stored them
/// has checksums in them.
StoredBytes storedBytesOf(const PartLocation& place);

} // namespace collscope
