// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/partial/part_file.h"

#include "model/partial/archive.h"

#include <algorithm>
#include <fstream>

#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>

namespace collscope {

namespace {

// A part is: magic, sections, index (an archive), and a tail of fixed size: offset of the index, its CRC-32,
// magic. The number is the version of the format.
constexpr std::string_view magic = "CSPART1\n";
constexpr std::size_t tailBytes = 8 + 4 + magic.size();
constexpr std::uint64_t deflateRatio = 1040; ///< no deflated byte gives more

std::uint32_t checksumOf(std::string_view bytes)
{
    constexpr std::size_t chunk = std::size_t{1} << 30; // the library counts in int
    std::uint32_t sum = 0;
    for (; !bytes.empty(); bytes.remove_prefix(std::min(chunk, bytes.size())))
        sum = crc32_gzip_refl(sum, reinterpret_cast<const unsigned char*>(bytes.data()),
                              std::min(chunk, bytes.size()));
    return sum;
}

void appendFixed(std::string& bytes, std::uint64_t value, int size)
{
    for (int i = 0; i < size; ++i, value >>= 8)
        bytes += static_cast<char>(value);
}

std::uint64_t fixedAt(std::string_view bytes, std::size_t at, int size)
{
    std::uint64_t value = 0;
    for (int i = size - 1; i >= 0; --i)
        value = value << 8 | static_cast<unsigned char>(bytes[at + static_cast<std::size_t>(i)]);
    return value;
}

Error notAPart(const std::string& path, const std::string& why)
{
    return {Error::Kind::Format, path + " is no part of a reduced run, or was damaged: " + why + ".", path};
}

/// Bytes [offset, offset + size) of a file; empty if it does not have them.
std::string bytesAt(std::ifstream& file, std::uint64_t offset, std::uint64_t size)
{
    std::string bytes(static_cast<std::size_t>(size), '\0');
    file.clear();
    file.seekg(static_cast<std::streamoff>(offset));
    file.read(bytes.data(), static_cast<std::streamsize>(size));
    return file.gcount() == static_cast<std::streamsize>(size) ? bytes : std::string();
}

std::string deflated(std::string_view bytes)
{
    // Level 1: level 3 takes twice the time for a tenth fewer bytes.
    std::vector<std::uint8_t> work(ISAL_DEF_LVL1_DEFAULT);
    isal_zstream stream{};
    isal_deflate_init(&stream);
    stream.level = 1;
    stream.level_buf = work.data();
    stream.level_buf_size = static_cast<std::uint32_t>(work.size());
    std::string packed;
    constexpr std::size_t chunk = std::size_t{1} << 20;
    std::string out(chunk, '\0');
    do {
        const std::string_view part = bytes.substr(0, chunk);
        bytes.remove_prefix(part.size());
        // The library only reads its input.
        stream.next_in = const_cast<std::uint8_t*>(reinterpret_cast<const std::uint8_t*>(part.data()));
        stream.avail_in = static_cast<std::uint32_t>(part.size());
        stream.end_of_stream = bytes.empty() ? 1 : 0;
        do {
            stream.next_out = reinterpret_cast<std::uint8_t*>(out.data());
            stream.avail_out = static_cast<std::uint32_t>(out.size());
            isal_deflate(&stream);
            packed.append(out, 0, out.size() - stream.avail_out);
        } while (stream.avail_out == 0);
    } while (!bytes.empty());
    return packed;
}

/// nullopt if the bytes are not so many, or not deflated.
std::optional<std::string> inflated(const std::string& packed, std::uint64_t bytes)
{
    std::string result(static_cast<std::size_t>(bytes), '\0');
    inflate_state state{};
    isal_inflate_init(&state);
    constexpr std::size_t chunk = std::size_t{1} << 30;
    std::size_t in = 0, out = 0;
    while (state.block_state != ISAL_BLOCK_FINISH) {
        const std::size_t someIn = std::min(chunk, packed.size() - in);
        const std::size_t someOut = std::min(chunk, result.size() - out);
        state.next_in = const_cast<std::uint8_t*>(reinterpret_cast<const std::uint8_t*>(packed.data() + in));
        state.avail_in = static_cast<std::uint32_t>(someIn);
        state.next_out = reinterpret_cast<std::uint8_t*>(result.data() + out);
        state.avail_out = static_cast<std::uint32_t>(someOut);
        if (isal_inflate(&state) != ISAL_DECOMP_OK)
            return std::nullopt;
        const std::size_t usedIn = someIn - state.avail_in;
        const std::size_t usedOut = someOut - state.avail_out;
        in += usedIn;
        out += usedOut;
        if (usedIn == 0 && usedOut == 0 && state.block_state != ISAL_BLOCK_FINISH)
            return std::nullopt;
    }
    return in == packed.size() && out == result.size() ? std::optional(std::move(result)) : std::nullopt;
}

template<typename Archive>
void transfer(Archive& archive, PartIndex& index)
{
    archive(index.plan, index.task);
    auto count = static_cast<std::uint32_t>(index.sections.size());
    archive(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        if constexpr (Archive::reads) {
            if (archive.failed())
                return;
            index.sections.emplace_back();
        }
        auto& [file, place] = index.sections[i];
        archive(file, place.offset, place.packedBytes, place.bytes, place.checksum, place.failure,
                place.failureOffset);
    }
}

} // namespace

PackedSection packSection(std::uint32_t file, std::string_view bytes)
{
    PackedSection section{file, deflated(bytes), {}};
    section.place.packedBytes = section.packed.size();
    section.place.bytes = bytes.size();
    section.place.checksum = checksumOf(bytes);
    return section;
}

PackedSection failedSection(std::uint32_t file, const Error& error)
{
    PackedSection section{file, {}, {}};
    section.place.failure = error.message;
    section.place.failureOffset = error.offset;
    return section;
}

std::string partBytes(std::uint64_t plan, std::uint32_t task, std::vector<PackedSection> sections)
{
    std::sort(sections.begin(), sections.end(),
              [](const PackedSection& a, const PackedSection& b) { return a.file < b.file; });
    std::string bytes(magic);
    PartIndex index{plan, task, {}};
    for (PackedSection& section : sections) {
        section.place.offset = bytes.size();
        bytes += section.packed;
        section.packed = {};
        index.sections.emplace_back(section.file, std::move(section.place));
    }
    ArchiveWriter archive;
    transfer(archive, index);
    const std::string indexBytes = archive.takeBytes();
    const std::uint64_t offset = bytes.size();
    bytes += indexBytes;
    appendFixed(bytes, offset, 8);
    appendFixed(bytes, checksumOf(indexBytes), 4);
    bytes += magic;
    return bytes;
}

Result<PartIndex> readPartIndex(const std::string& path)
{
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    if (!file)
        return Error{Error::Kind::Io, path + " cannot be read.", path};
    const auto size = static_cast<std::uint64_t>(file.tellg());
    if (size < magic.size() + tailBytes || bytesAt(file, 0, magic.size()) != magic)
        return notAPart(path, "its beginning is another");
    const std::string tail = bytesAt(file, size - tailBytes, tailBytes);
    if (!std::string_view(tail).ends_with(magic))
        return notAPart(path, "it is cut off");
    const std::uint64_t offset = fixedAt(tail, 0, 8);
    if (offset < magic.size() || offset > size - tailBytes)
        return notAPart(path, "its index is nowhere");
    const std::string bytes = bytesAt(file, offset, size - tailBytes - offset);
    if (checksumOf(bytes) != fixedAt(tail, 8, 4))
        return notAPart(path, "the checksum of its index is another");
    PartIndex index;
    ArchiveReader archive(bytes, {});
    transfer(archive, index);
    const bool isSound = !archive.failed() && archive.isAtEnd()
        && std::all_of(index.sections.begin(), index.sections.end(), [&](const auto& section) {
               const PartPlace& place = section.second;
               return place.offset <= offset && place.packedBytes <= offset - place.offset
                   && place.bytes / deflateRatio <= place.packedBytes;
           });
    if (!isSound)
        return notAPart(path, "its index makes no sense");
    for (auto& section : index.sections)
        section.second.part = path;
    return index;
}

Result<std::string> readPartSection(const PartPlace& place)
{
    std::ifstream file(place.part, std::ios::binary);
    if (!file)
        return Error{Error::Kind::Io, place.part + " cannot be read.", place.part};
    const std::string packed = bytesAt(file, place.offset, place.packedBytes);
    if (packed.size() != place.packedBytes)
        return notAPart(place.part, "it is cut off");
    auto bytes = inflated(packed, place.bytes);
    if (!bytes || checksumOf(*bytes) != place.checksum)
        return notAPart(place.part, "the checksum of a section is another");
    return std::move(*bytes);
}

} // namespace collscope
