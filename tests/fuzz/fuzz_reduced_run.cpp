// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Whatever the folder of a reduced run holds: a plan, a part, or what stands in one.

#include "model/partial/fragment_archive.h"
#include "model/partial/part_file.h"
#include "model/readers/run/reduced_run.h"
#include "tests/fuzz/budget.h"
#include "tests/fuzz/temporary_folder.h"

#include <libdeflate.h>

#include <string>
#include <string_view>

using namespace collscope;

namespace {

constexpr std::uint64_t mostSectionBytes = 8 << 20;

void readPart(const std::string& path, std::size_t bytes)
{
    const Budget budget(bytes);
    const auto index = readPartIndex(path);
    if (!index)
        return;
    for (const auto& section : index->sections)
        (void)readPartSection(section.second, mostSectionBytes);
}

/// A part whose index is these bytes, with the checksum that they have: what follows is not refused for it.
std::string partWithIndex(std::string_view index)
{
    // The layout of partBytes: magic, sections, index, place of the index (8 bytes), its CRC-32 (4), magic.
    const std::string empty = partBytes(0, 0, {});
    constexpr std::size_t magicSize = 8;
    const std::string_view magic = std::string_view(empty).substr(0, magicSize);
    std::string bytes(magic);
    bytes += packSection(0, std::string(64 << 10, 'x'))
                 .packed; // small, and becomes 64 KiB: for places that point at it
    const std::uint64_t place = bytes.size();
    bytes += index;
    const auto append = [&](std::uint64_t number, int count) {
        for (int i = 0; i < count; ++i)
            bytes += static_cast<char>((number >> (8 * i)) & 0xffu);
    };
    append(place, 8);
    append(libdeflate_crc32(0, index.data(), index.size()), 4);
    bytes += magic;
    return bytes;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    {
        const Budget budget(size);
        (void)parsePlan(bytes);
        for (const StoredBytes& stored : {StoredBytes(), StoredBytes(std::string(bytes))}) {
            auto fragment = unpackFragment(bytes, stored);
            if (!fragment)
                continue;
            // What is accepted can be put into a model and packed again.
            std::vector<TraceFragment> fragments;
            fragments.push_back(std::move(*fragment));
            (void)packFragment(fragments.front());
            (void)assemble(std::move(fragments), {}, {});
        }
    }
    static const TemporaryFolder folder;
    const std::string path = folder.file("part.cspart");
    writeBytes(path, {data, size});
    readPart(path, size);
    const std::string part = partWithIndex(bytes);
    writeBytes(path, {reinterpret_cast<const std::uint8_t*>(part.data()), part.size()});
    readPart(path, part.size());
    return 0;
}
