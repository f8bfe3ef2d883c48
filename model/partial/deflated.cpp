// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/partial/deflated.h"

#include "model/partial/checksum.h"

#include <libdeflate.h>

#include <algorithm>
#include <memory>
#include <new>

namespace collscope {

namespace {

constexpr std::uint64_t usualRatio = 16; ///< few bytes compress better
constexpr std::size_t sealBytes = 4 + 4; ///< size, CRC-32 of it and of the deflated bytes

std::uint32_t sealOf(std::string_view size, std::string_view packed)
{
    return checksumOf(packed, checksumOf(size));
}

} // namespace

std::string deflated(std::string_view bytes)
{
    constexpr int level = 6; // higher levels save one percent in four times the time
    // One for each thread: it takes hundreds of KB, and most of what is deflated has few.
    thread_local const std::unique_ptr<libdeflate_compressor, void (*)(libdeflate_compressor*)> compressor(
        libdeflate_alloc_compressor(level), libdeflate_free_compressor);
    if (!compressor)
        throw std::bad_alloc();
    std::string packed(libdeflate_deflate_compress_bound(compressor.get(), bytes.size()), '\0');
    packed.resize(libdeflate_deflate_compress(compressor.get(), bytes.data(), bytes.size(), packed.data(),
                                              packed.size()));
    packed.shrink_to_fit(); // it is kept until it is written
    return packed;
}

Inflation inflate(std::string_view packed, std::uint64_t size, std::uint64_t mostBytes, std::string& bytes,
                  std::size_t* used)
{
    // One for each thread. Allocated anew for each chunk of calls, it makes the allocator search its free
    // memory.
    thread_local const std::unique_ptr<libdeflate_decompressor, void (*)(libdeflate_decompressor*)>
        decompressor(libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
    if (!decompressor)
        throw std::bad_alloc();
    // A size above the usual ratio is allocated only in steps, as the data requires it.
    for (std::uint64_t room = std::min(size, (packed.size() + 4096) * usualRatio);;
         room = std::min(size, room * 2)) {
        if (room > mostBytes)
            return Inflation::TooLarge;
        bytes.assign(static_cast<std::size_t>(room), '\0');
        std::size_t taken = 0;
        std::size_t made = 0;
        const auto state = libdeflate_deflate_decompress_ex(decompressor.get(), packed.data(), packed.size(),
                                                            bytes.data(), bytes.size(), &taken, &made);
        if (state == LIBDEFLATE_INSUFFICIENT_SPACE && room < size)
            continue;
        if (used)
            *used = taken;
        const bool isWhole = state == LIBDEFLATE_SUCCESS && (used || taken == packed.size()) && made == size;
        return isWhole ? Inflation::Done : Inflation::Damaged;
    }
}

bool isPossibleSize(std::uint64_t packedBytes, std::uint64_t bytes)
{
    constexpr std::uint64_t deflateRatio = 1040; // most bytes from one deflated byte
    return bytes / deflateRatio <= packedBytes;
}

std::string sealed(std::string_view bytes, std::string_view plain)
{
    std::string packed = deflated(bytes);
    packed += plain;
    std::string result;
    appendFixed(result, bytes.size(), 4);
    appendFixed(result, sealOf(result, packed), 4);
    return result + packed;
}

std::optional<std::string> unsealed(std::string_view bytes, std::uint64_t mostBytes, std::string* plain)
{
    if (bytes.size() < sealBytes)
        return std::nullopt;
    const std::string_view packed = bytes.substr(sealBytes);
    const std::uint64_t size = fixedAt(bytes, 0, 4);
    std::string result;
    std::size_t used = 0;
    if (fixedAt(bytes, 4, 4) != sealOf(bytes.substr(0, 4), packed) || !isPossibleSize(packed.size(), size)
        || inflate(packed, size, mostBytes, result, plain ? &used : nullptr) != Inflation::Done)
        return std::nullopt;
    if (plain)
        *plain = packed.substr(used);
    return result;
}

} // namespace collscope
