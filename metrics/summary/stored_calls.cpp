// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/summary/stored_calls.h"

#include "model/partial/checksum.h"
#include "model/partial/deflated.h"

namespace collscope {

namespace {

constexpr std::uint64_t mostHeadBytes = std::uint64_t{1} << 26; // a million calls take some 100 KB
constexpr std::uint64_t sizeBytes = 4;
/// Five numbers a call, of at most ten bytes each.
constexpr std::uint64_t mostChunkBytes = CallChunks::mostCalls * 64;

/// A chunk's place among the stored bytes.
struct ChunkPlace
{
    std::uint64_t offset = 0;
    std::uint32_t size = 0;
};

class StoredChunks : public CallChunks
{
public:
    StoredChunks(StoredBytes bytes, std::vector<std::vector<ChunkPlace>> places, std::size_t kinds)
        : m_bytes(std::move(bytes))
        , m_places(std::move(places))
        , m_kinds(kinds)
    { }

    Result<CallColumns> read(std::size_t group, std::size_t chunk) const override
    {
        const ChunkPlace place = m_places.at(group).at(chunk);
        const auto calls = unsealed(m_bytes.read(place.offset, place.size), mostChunkBytes);
        if (!calls)
            return damagedCalls();
        return decodeChunk(*calls, m_kinds);
    }

private:
    StoredBytes m_bytes;
    std::vector<std::vector<ChunkPlace>> m_places; ///< by group
    std::size_t m_kinds;
};

} // namespace

std::string storeCalls(const EncodedCalls& calls)
{
    ChunkSizes sizes;
    std::string chunks;
    for (const std::vector<std::string>& group : calls.chunks) {
        sizes.emplace_back();
        for (const std::string& chunk : group) {
            const std::string own = sealed(chunk);
            sizes.back().push_back(static_cast<std::uint32_t>(own.size()));
            chunks += own;
        }
    }
    const std::string head = sealed(encodeHead(calls.head, sizes));
    std::string bytes;
    appendFixed(bytes, head.size(), static_cast<int>(sizeBytes));
    return bytes + head + chunks;
}

Result<RankSummary> openCalls(const StoredBytes& bytes)
{
    if (bytes.size() < sizeBytes)
        return damagedCalls();
    const std::uint64_t headBytes = fixedAt(bytes.read(0, sizeBytes), 0, static_cast<int>(sizeBytes));
    if (headBytes > bytes.size() - sizeBytes)
        return damagedCalls();
    const auto text = unsealed(bytes.read(sizeBytes, headBytes), mostHeadBytes);
    if (!text)
        return damagedCalls();
    auto read = decodeHead(*text);
    if (!read)
        return read.error();
    auto& [head, sizes] = *read;
    std::uint64_t offset = sizeBytes + headBytes;
    std::vector<std::vector<ChunkPlace>> places;
    for (const std::vector<std::uint32_t>& group : sizes) {
        places.emplace_back();
        for (const std::uint32_t size : group) {
            places.back().push_back({offset, size});
            offset += size; // sums of so few sizes do not overflow
        }
    }
    if (offset != bytes.size())
        return damagedCalls();
    const std::size_t kinds = head.kinds.size();
    return RankSummary{std::move(head), std::make_shared<StoredChunks>(bytes, std::move(places), kinds)};
}

} // namespace collscope
