// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/partial/part_file.h"

#include "model/partial/archive.h"
#include "model/partial/checksum.h"
#include "model/partial/deflated.h"

#include <algorithm>
#include <functional>

namespace collscope {

namespace {

// Layout of a part: magic, sections, index (an archive), and a tail of fixed size: offset of the index, its
// CRC-32, magic. The number in the magic is the version of the format.
constexpr std::string_view magic = "CSPART6\n", anyMagic = magic.substr(0, 6);
constexpr std::size_t tailBytes = 8 + 4 + magic.size();

Error notAPart(const std::string& path, const std::string& why)
{
    return {Error::Kind::Format,
            path + " is a damaged part of a reduced run, or not a part at all: " + why + ".", path};
}

Error tooLarge(const PartLocation& place)
{
    return {
        Error::Kind::TooLarge,
        place.file->path() + " is a damaged part of a reduced run, or it needs more memory than is allowed: "
            + std::to_string(place.packedBytes) + " bytes of it decompress to " + std::to_string(place.bytes)
            + " bytes. Increase the limit (--max-memory), or reduce the run again.",
        place.file->path()};
}

/// Copies bytes from the file that holds a section, and checks them meanwhile.
Status copyBytes(const OpenedFile& file, std::uint64_t offset, std::uint64_t size, std::uint32_t expected,
                 const PieceSink& write)
{
    constexpr std::uint64_t mostAtOnce = 1 << 20;
    std::uint32_t checksum = 0;
    for (std::uint64_t done = 0; done < size;) {
        const std::uint64_t count = std::min(mostAtOnce, size - done);
        const std::string bytes = file.read(offset + done, static_cast<std::size_t>(count));
        if (bytes.size() != count)
            return Error{Error::Kind::Io, file.path() + " cannot be read.", file.path()};
        checksum = checksumOf(bytes, checksum);
        if (const Status written = write(bytes); !written)
            return written;
        done += count;
    }
    if (checksum != expected)
        return notAPart(file.path(), "the checksum of a section does not match");
    return {};
}

Status copySection(const PartLocation& place, const PieceSink& write)
{
    const Status packed = copyBytes(*place.file, place.offset, place.packedBytes, place.checksum, write);
    return packed ? copyBytes(*place.file, place.offset + place.packedBytes, place.storedBytes,
                              place.storedChecksum, write)
                  : packed;
}

template<typename Archive>
void transfer(Archive& archive, PartIndex& index)
{
    archive(index.plan, index.tasks);
    auto count = static_cast<std::uint32_t>(index.sections.size());
    archive(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        if constexpr (Archive::reads) {
            if (archive.failed())
                return;
            index.sections.emplace_back();
        }
        auto& [file, place] = index.sections[i];
        archive(file, place.offset, place.packedBytes, place.bytes, place.checksum, place.storedBytes,
                place.storedChecksum, place.failure, place.failureOffset);
    }
}

} // namespace

bool isPlausible(const PartLocation& place)
{
    return isPossibleSize(place.packedBytes, place.bytes);
}

bool isSectionSound(const PartLocation& place)
{
    return isPlausible(place)
        && copySection(place, [](std::string_view) -> Status { return {}; }).has_value();
}

PackedSection packSection(std::uint32_t file, std::string_view bytes, std::string_view stored)
{
    PackedSection section{file, deflated(bytes), {}};
    section.place.packedBytes = section.packed.size();
    section.place.bytes = bytes.size();
    section.place.checksum = checksumOf(section.packed);
    section.place.storedBytes = stored.size();
    section.place.storedChecksum = checksumOf(stored);
    section.packed += stored;
    return section;
}

PackedSection failedSection(std::uint32_t file, const Error& error)
{
    PackedSection section{file, {}, {}};
    section.place.failure = error.message;
    section.place.failureOffset = error.offset;
    return section;
}

Status writePart(std::uint64_t plan, std::vector<std::uint32_t> tasks, std::vector<PackedSection> sections,
                 const PieceSink& write)
{
    std::sort(sections.begin(), sections.end(),
              [](const PackedSection& a, const PackedSection& b) { return a.file < b.file; });
    PartIndex index{plan, std::move(tasks), {}};
    std::uint64_t offset = magic.size();
    if (const Status written = write(magic); !written)
        return written;
    for (PackedSection& section : sections) {
        const Status written = section.place.file ? copySection(section.place, write) : write(section.packed);
        if (!written)
            return written;
        section.packed = {};
        section.place.offset = offset;
        offset += section.place.allBytes();
        index.sections.emplace_back(section.file, std::move(section.place));
    }
    ArchiveWriter archive;
    transfer(archive, index);
    std::string end = archive.takeBytes();
    const std::uint32_t checksum = checksumOf(end);
    appendFixed(end, offset, 8);
    appendFixed(end, checksum, 4);
    end += magic;
    return write(end);
}

std::string partBytes(std::uint64_t plan, std::uint32_t task, std::vector<PackedSection> sections)
{
    std::string bytes;
    (void)writePart(plan, {task}, std::move(sections), [&](std::string_view piece) -> Status {
        bytes += piece;
        return {};
    });
    return bytes;
}

Result<PartIndex> readPartIndex(const std::string& path)
{
    auto opened = OpenedFile::open(path);
    if (!opened)
        return opened.error();
    const std::shared_ptr<const OpenedFile> file = std::move(*opened);
    const std::uint64_t size = file->size();
    if (size < magic.size() + tailBytes)
        return notAPart(path, "its header is missing");
    const std::string head = file->read(0, magic.size());
    const std::string tail = file->read(size - tailBytes, tailBytes);
    if (head != magic && head.starts_with(anyMagic) && tail.ends_with(head))
        return Error{Error::Kind::Unsupported,
                     path
                         + " was written by another version of the program, in another format: reduce the "
                           "run again.",
                     path};
    if (head != magic)
        return notAPart(path, "its header does not match");
    if (!tail.ends_with(magic))
        return notAPart(path, "it is truncated");
    const std::uint64_t offset = fixedAt(tail, 0, 8);
    if (offset < magic.size() || offset > size - tailBytes)
        return notAPart(path, "the offset of its index is out of range");
    const std::string bytes = file->read(offset, static_cast<std::size_t>(size - tailBytes - offset));
    if (checksumOf(bytes) != fixedAt(tail, 8, 4))
        return notAPart(path, "the checksum of its index does not match");
    PartIndex index;
    ArchiveReader archive(bytes, {});
    transfer(archive, index);
    const auto isLater = [](const auto& a, const auto& b) { return a.first >= b.first; };
    const bool isSound = !archive.failed() && archive.isAtEnd() && !index.tasks.empty()
        && std::adjacent_find(index.tasks.begin(), index.tasks.end(), std::greater_equal())
            == index.tasks.end()
        && std::adjacent_find(index.sections.begin(), index.sections.end(), isLater) == index.sections.end()
        && std::all_of(index.sections.begin(), index.sections.end(), [&](const auto& section) {
               const PartLocation& place = section.second;
               const std::uint64_t left = place.offset <= offset ? offset - place.offset : 0;
               return place.offset <= offset && place.packedBytes <= left
                   && place.storedBytes <= left - place.packedBytes && isPlausible(place);
           });
    if (!isSound)
        return notAPart(path, "its index is inconsistent");
    for (auto& section : index.sections)
        section.second.file = file;
    return index;
}

Result<std::string> readPartSection(const PartLocation& place, std::uint64_t mostBytes)
{
    const std::string& path = place.file->path();
    const std::string packed = place.file->read(place.offset, static_cast<std::size_t>(place.packedBytes));
    if (packed.size() != place.packedBytes)
        return notAPart(path, "it is truncated");
    if (checksumOf(packed) != place.checksum)
        return notAPart(path, "the checksum of a section does not match");
    std::string bytes;
    switch (inflate(packed, place.bytes, mostBytes, bytes)) {
    case Inflation::Done:
        return bytes;
    case Inflation::TooLarge:
        return tooLarge(place);
    case Inflation::Damaged:
        break;
    }
    return notAPart(path, "the size of a section differs from the size in the index");
}

StoredBytes storedBytesOf(const PartLocation& place)
{
    return {place.file, place.offset + place.packedBytes, place.storedBytes};
}

} // namespace collscope
