// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/summary/stored_calls.h"

#include "model/partial/checksum.h"
#include "model/partial/deflated.h"

namespace collscope {

namespace {

constexpr std::uint64_t mostHeadBytes = std::uint64_t{1} << 26; // a million calls take some 100 KB
constexpr std::uint64_t sizeBytes = 4;
/// Five lengths a call.
constexpr std::uint64_t mostChunkBytes = CallChunks::mostCalls * 8;

class StoredChunks : public CallChunks
{
public:
    /// The chunks begin at `offset`.
    StoredChunks(StoredBytes bytes, std::uint64_t offset, const ChunkSizes& sizes, std::size_t kinds)
        : m_bytes(std::move(bytes))
        , m_kinds(kinds)
    {
        std::size_t chunks = 0;
        for (const std::vector<std::uint32_t>& group : sizes)
            chunks += group.size();
        m_offsets.reserve(chunks + 1);
        m_offsets.push_back(offset);
        m_firstOf.reserve(sizes.size());
        for (const std::vector<std::uint32_t>& group : sizes) {
            m_firstOf.push_back(m_offsets.size() - 1);
            for (const std::uint32_t size : group)
                m_offsets.push_back(m_offsets.back() + size); // sums of so few sizes do not overflow
        }
    }

    std::uint64_t end() const { return m_offsets.back(); }

    Result<ChunkReader> read(std::size_t group, std::size_t chunk) const override
    {
        const std::size_t place = m_firstOf.at(group) + chunk;
        const std::uint64_t offset = m_offsets.at(place);
        ChunkBytes calls;
        auto lengths
            = unsealed(m_bytes.read(offset, m_offsets.at(place + 1) - offset), mostChunkBytes, &calls.bits);
        if (!lengths)
            return damagedCalls();
        calls.lengths = std::move(*lengths);
        return ChunkReader::open(std::move(calls), m_kinds);
    }

private:
    StoredBytes m_bytes;
    std::vector<std::uint64_t> m_offsets; ///< of all chunks, one after the other, and the end of the last one
    std::vector<std::size_t> m_firstOf; ///< by group, its first chunk
    std::size_t m_kinds;
};

} // namespace

std::string storeCalls(const EncodedCalls& calls)
{
    ChunkSizes sizes;
    std::string chunks;
    for (const std::vector<ChunkBytes>& group : calls.chunks) {
        sizes.emplace_back();
        for (const ChunkBytes& chunk : group) {
            const std::string own = sealed(chunk.lengths, chunk.bits);
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
    auto chunks
        = std::make_shared<const StoredChunks>(bytes, sizeBytes + headBytes, sizes, head.kinds.size());
    if (chunks->end() != bytes.size())
        return damagedCalls();
    return RankSummary{std::move(head), std::move(chunks)};
}

} // namespace collscope
