// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Summarized calls as bytes, and back from any bytes.

#include "metrics/summary/summarized_calls.h"
#include "model/partial/archive.h"
#include "model/partial/fields.h"

#include <algorithm>
#include <cstdlib>

namespace collscope {

template<>
inline constexpr ParallelismKind lastOf<ParallelismKind> = ParallelismKind::Unknown;

inline auto fields(SummarizedKind& call)
{
    auto& [kind, hasMeta, isOfCpu, name, elementType, inElements, outElements, payloadBytes, sourceRank,
           destinationRank, communicator, annotated]
        = call;
    return std::tie(kind, hasMeta, isOfCpu, name, elementType, inElements, outElements, payloadBytes,
                    sourceRank, destinationRank, communicator, annotated);
}
inline auto fields(SummarizedGroup& group)
{
    auto& [name, description, ranks, size, parallelismKind, calls, numbered, withCommunicator, firstWhat,
           firstBeginNs, chunks]
        = group;
    return std::tie(name, description, ranks, size, parallelismKind, calls, numbered, withCommunicator,
                    firstWhat, firstBeginNs, chunks);
}
inline auto fields(SummarizedCalls& head)
{
    auto& [rank, iteration, range, hasWallClock, clockOffsetNs, worldSize, host, stepSource, steps, kinds,
           groups]
        = head;
    return std::tie(rank, iteration, range, hasWallClock, clockOffsetNs, worldSize, host, stepSource, steps,
                    kinds, groups);
}

namespace {

/// Times beyond this are damage: 73 years.
constexpr std::int64_t farthestNs = std::int64_t{1} << 61;
/// So is a file of more than a year. Differences of times cannot overflow.
constexpr std::int64_t longestCallNs = std::int64_t{1} << 55;
constexpr std::uint64_t alwaysFeltCode = 0, whollyFeltCode = 1, neverFeltCode = 2, firstFeltCode = 3;

std::int64_t difference(std::int64_t a, std::int64_t b)
{
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

std::int64_t sum(std::int64_t a, std::int64_t b)
{
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

bool isNear(std::int64_t ns)
{
    return -farthestNs <= ns && ns <= farthestNs;
}

std::uint64_t feltCode(std::int64_t feltNs, std::int64_t durationNs)
{
    if (feltNs == CallColumns::alwaysFelt)
        return alwaysFeltCode;
    if (feltNs == durationNs)
        return whollyFeltCode;
    return feltNs == 0 ? neverFeltCode : firstFeltCode + static_cast<std::uint64_t>(feltNs);
}

std::int64_t feltFrom(std::uint64_t code, std::int64_t durationNs)
{
    if (code == alwaysFeltCode)
        return CallColumns::alwaysFelt;
    if (code == whollyFeltCode)
        return durationNs;
    return code == neverFeltCode
        ? 0
        : static_cast<std::int64_t>(std::min(code - firstFeltCode, std::uint64_t{farthestNs} + 1));
}

bool isSound(const SummarizedCalls& head, const ChunkSizes& chunks)
{
    const auto isKind = [](const SummarizedKind& kind) { return isCommunication(kind.kind); };
    const auto isTime = [](TimeRange range) {
        return isNear(range.beginNs) && isNear(range.endNs) && range.beginNs <= range.endNs
            && range.lengthNs() <= longestCallNs;
    };
    if (!isTime(head.range) || !isNear(head.clockOffsetNs)
        || !isNear(head.range.beginNs + head.clockOffsetNs))
        return false;
    const auto isStep = [&](const auto& step) {
        return isTime(step.second) && std::abs(step.second.beginNs - head.range.beginNs) <= longestCallNs;
    };
    if (chunks.size() != head.groups.size() || !std::all_of(head.kinds.begin(), head.kinds.end(), isKind)
        || !std::all_of(head.steps.begin(), head.steps.end(), isStep))
        return false;
    for (std::size_t g = 0; g < chunks.size(); ++g) {
        const SummarizedGroup& group = head.groups[g];
        if (group.chunks != chunks[g].size() || group.firstWhat >= head.kinds.size()
            || group.firstBeginNs < head.range.beginNs || group.firstBeginNs > head.range.endNs
            || group.withCommunicator > group.numbered || group.numbered > group.calls
            || group.calls > chunks[g].size() * CallChunks::mostCalls)
            return false;
    }
    return true;
}

} // namespace

Error damagedCalls()
{
    return {Error::Kind::Format, "The summary of a rank's calls is damaged."};
}

std::string encodeChunk(const CallColumns& calls)
{
    ArchiveWriter writer;
    writer.number(calls.size());
    std::int64_t before = 0;
    for (const std::int64_t sequence : calls.sequence) {
        writer.signedNumber(difference(difference(sequence, before), 1));
        before = sequence;
    }
    std::int64_t endNs = 0;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        writer.signedNumber(difference(calls.beginNs[i], endNs));
        endNs = sum(calls.beginNs[i], calls.durationNs[i]);
    }
    for (const std::int64_t ns : calls.durationNs)
        writer.number(static_cast<std::uint64_t>(ns));
    for (const std::uint32_t what : calls.what)
        writer.number(what);
    for (std::size_t i = 0; i < calls.size(); ++i)
        writer.number(2 * feltCode(calls.feltNs[i], calls.durationNs[i]) + (calls.endsHidden[i] ? 1U : 0U));
    return writer.takeBytes();
}

Result<ChunkReader> ChunkReader::open(std::string bytes, std::size_t kinds)
{
    ArchiveReader reader(bytes, {});
    const std::uint64_t count = reader.number();
    if (count > CallChunks::mostCalls || count > bytes.size())
        return damagedCalls();
    ChunkReader chunk;
    for (std::uint32_t& column : chunk.m_at) {
        column = static_cast<std::uint32_t>(bytes.size() - reader.rest().size());
        for (std::uint64_t i = 0; i < count; ++i)
            reader.number();
    }
    if (reader.failed() || !reader.isAtEnd())
        return damagedCalls();
    chunk.m_bytes = std::move(bytes);
    chunk.m_left = static_cast<std::uint32_t>(count);
    chunk.m_kinds = kinds;
    return chunk;
}

/// open() has seen that it is there.
std::uint64_t ChunkReader::number(Column column)
{
    std::size_t at = m_at[column];
    const std::uint64_t value = archivedNumber(m_bytes, at).value_or(0);
    m_at[column] = static_cast<std::uint32_t>(at);
    return value;
}

std::int64_t ChunkReader::signedNumber(Column column)
{
    return fromZigzag(number(column));
}

bool ChunkReader::next(SummarizedCall& call)
{
    --m_left;
    call.sequence = m_sequence = sum(sum(m_sequence, signedNumber(Sequence)), 1);
    call.beginNs = sum(m_endNs, signedNumber(Begin));
    call.durationNs = static_cast<std::int64_t>(std::min(number(Duration), std::uint64_t{farthestNs} + 1));
    m_endNs = sum(call.beginNs, call.durationNs);
    const std::uint64_t what = number(What);
    call.what = static_cast<std::uint32_t>(what);
    const std::uint64_t code = number(Felt);
    call.feltNs = feltFrom(code / 2, call.durationNs);
    call.endsHidden = code % 2 == 1;
    return call.durationNs <= farthestNs && isNear(call.beginNs) && what < m_kinds
        && call.feltNs <= farthestNs;
}

std::string encodeHead(const SummarizedCalls& head, const ChunkSizes& sizes)
{
    auto copy = std::pair(head, sizes); // the archive describes both directions, so it takes no constants
    ArchiveWriter writer;
    writer(copy);
    return writer.takeBytes();
}

Result<std::pair<SummarizedCalls, ChunkSizes>> decodeHead(std::string_view bytes)
{
    ArchiveReader reader(bytes, {});
    std::pair<SummarizedCalls, ChunkSizes> read;
    reader(read);
    if (reader.failed() || !reader.isAtEnd() || !isSound(read.first, read.second))
        return damagedCalls();
    return read;
}

} // namespace collscope
