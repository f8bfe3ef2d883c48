// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/partial/section_file.h"

#include "model/partial/checksum.h"
#include "model/partial/reduce_plan.h"

namespace collscope {

namespace {

// A file: magic, plan (8 bytes), task (4), CRC-32 of these (4), then sections. A section: number of its file
// in the plan (4), deflated size (8), inflated size (8), CRC-32 of the deflated bytes (4), stored size (8),
// CRC-32 of the stored bytes (4), CRC-32 of these (4), the deflated bytes, the stored bytes.
constexpr std::string_view sectionsMagic = "CSSECT3\n";
constexpr std::size_t headerBytes = 4 + 8 + 8 + 4 + 8 + 4 + 4;

void appendChecksum(std::string& bytes)
{
    appendFixed(bytes, checksumOf(bytes), 4);
}

} // namespace

std::string sectionsPrefix(std::uint32_t task, std::uint64_t plan)
{
    std::string name = partName(task, plan);
    name.resize(name.size() - partEnding.size());
    return name + ".";
}

std::string sectionsHeader(std::uint64_t plan, std::uint32_t task)
{
    std::string bytes(sectionsMagic);
    appendFixed(bytes, plan, 8);
    appendFixed(bytes, task, 4);
    appendChecksum(bytes);
    return bytes;
}

std::string sectionHeader(const PackedSection& section)
{
    std::string bytes;
    appendFixed(bytes, section.file, 4);
    appendFixed(bytes, section.place.packedBytes, 8);
    appendFixed(bytes, section.place.bytes, 8);
    appendFixed(bytes, section.place.checksum, 4);
    appendFixed(bytes, section.place.storedBytes, 8);
    appendFixed(bytes, section.place.storedChecksum, 4);
    appendChecksum(bytes);
    return bytes;
}

std::map<std::uint32_t, PartLocation> readSections(const std::string& path, std::uint64_t plan,
                                                   std::uint32_t task, const std::set<std::uint32_t>& files)
{
    std::map<std::uint32_t, PartLocation> sections;
    const auto file = OpenedFile::open(path);
    if (!file)
        return sections;
    const std::uint64_t size = (*file)->size();
    const std::string header = sectionsHeader(plan, task);
    if ((*file)->read(0, header.size()) != header)
        return sections;
    for (std::uint64_t at = header.size(); size - at >= headerBytes;) {
        const std::string bytes = (*file)->read(at, headerBytes);
        at += headerBytes;
        if (bytes.size() != headerBytes
            || checksumOf(std::string_view(bytes).substr(0, headerBytes - 4))
                != fixedAt(bytes, headerBytes - 4, 4))
            break;
        PartLocation place;
        place.file = *file;
        place.offset = at;
        place.packedBytes = fixedAt(bytes, 4, 8);
        place.bytes = fixedAt(bytes, 12, 8);
        place.checksum = static_cast<std::uint32_t>(fixedAt(bytes, 20, 4));
        place.storedBytes = fixedAt(bytes, 24, 8);
        place.storedChecksum = static_cast<std::uint32_t>(fixedAt(bytes, 32, 4));
        const auto number = static_cast<std::uint32_t>(fixedAt(bytes, 0, 4));
        if (place.packedBytes > size - at || place.storedBytes > size - at - place.packedBytes
            || !files.contains(number) || !isSectionSound(place))
            break;
        at += place.allBytes();
        sections.insert_or_assign(number, std::move(place));
    }
    return sections;
}

} // namespace collscope
