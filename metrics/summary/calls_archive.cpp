// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Summarized calls as bytes, and back from any bytes.

#include "metrics/summary/summarized_calls.h"
#include "model/partial/archive.h"
#include "model/partial/checksum.h"
#include "model/partial/fields.h"

#include <algorithm>
#include <bit>
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

constexpr int countBytes = 2;

unsigned lengthOf(std::uint64_t number)
{
    return static_cast<unsigned>(std::bit_width(number));
}

/// A number of `length` bits takes one less: its highest bit is set.
unsigned storedBits(unsigned length)
{
    return length == 0 ? 0 : length - 1;
}

/// What is left of the numbers when the one `lag` before each is known (0: none is), as numbers without sign.
std::vector<std::uint64_t> leftOver(const std::vector<std::int64_t>& numbers, std::size_t lag)
{
    std::vector<std::uint64_t> left;
    left.reserve(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const std::size_t back = i < lag ? 1 : lag;
        left.push_back(zigzag(lag == 0 || i == 0 ? numbers[i] : difference(numbers[i], numbers[i - back])));
    }
    return left;
}

/// The lag that leaves the fewest bits. Calls repeat: of layers, or of forward and backward passes in turn.
std::size_t bestLag(const std::vector<std::int64_t>& numbers, std::size_t mostLag)
{
    std::size_t best = 0;
    std::uint64_t fewest = std::numeric_limits<std::uint64_t>::max();
    for (std::size_t lag = 0; lag <= mostLag; ++lag) {
        std::uint64_t bits = 0;
        for (const std::uint64_t number : leftOver(numbers, lag))
            bits += lengthOf(number);
        if (bits < fewest) {
            fewest = bits;
            best = lag;
        }
    }
    return best;
}

/// Appends bits to bytes, the lowest first.
class BitWriter
{
public:
    explicit BitWriter(std::string& bytes)
        : m_bytes(bytes)
    { }
    void add(std::uint64_t value, unsigned count)
    {
        for (unsigned done = 0; done < count; ++done, ++m_bits) {
            if (m_bits % 8 == 0)
                m_bytes += '\0';
            m_bytes.back() = static_cast<char>(static_cast<unsigned char>(m_bytes.back())
                                               | (value >> done & 1) << (m_bits % 8));
        }
    }

private:
    std::string& m_bytes;
    std::uint64_t m_bits = 0;
};

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

ChunkBytes encodeChunk(const CallColumns& calls)
{
    constexpr std::size_t columns = ChunkReader::columnCount;
    const std::size_t count = calls.size();
    std::array<std::vector<std::int64_t>, columns> numbers;
    std::int64_t before = 0, endNs = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t felt = feltCode(calls.feltNs[i], calls.durationNs[i]);
        numbers[ChunkReader::Sequence].push_back(difference(difference(calls.sequence[i], before), 1));
        numbers[ChunkReader::Begin].push_back(difference(calls.beginNs[i], endNs));
        numbers[ChunkReader::Duration].push_back(calls.durationNs[i]);
        numbers[ChunkReader::What].push_back(calls.what[i]);
        numbers[ChunkReader::Felt].push_back(
            static_cast<std::int64_t>(2 * felt + (calls.endsHidden[i] ? 1U : 0U)));
        before = calls.sequence[i];
        endNs = sum(calls.beginNs[i], calls.durationNs[i]);
    }
    ChunkBytes bytes;
    appendFixed(bytes.lengths, count, countBytes);
    std::array<std::vector<std::uint64_t>, columns> left;
    for (std::size_t column = 0; column < columns; ++column) {
        const std::size_t lag = bestLag(numbers[column], ChunkReader::mostLag);
        left[column] = leftOver(numbers[column], lag);
        bytes.lengths += static_cast<char>(lag);
    }
    for (const std::vector<std::uint64_t>& column : left) {
        for (const std::uint64_t number : column)
            bytes.lengths += static_cast<char>(lengthOf(number));
    }
    BitWriter writer(bytes.bits);
    for (std::size_t i = 0; i < count; ++i) {
        for (const std::vector<std::uint64_t>& column : left)
            writer.add(column[i], storedBits(lengthOf(column[i])));
    }
    return bytes;
}

Result<ChunkReader> ChunkReader::open(ChunkBytes bytes, std::size_t kinds)
{
    constexpr std::size_t headBytes = countBytes + columnCount;
    const std::string& lengths = bytes.lengths;
    if (lengths.size() < headBytes)
        return damagedCalls();
    const std::uint64_t count = fixedAt(lengths, 0, countBytes);
    if (count > CallChunks::mostCalls || lengths.size() != headBytes + columnCount * count)
        return damagedCalls();
    const auto isLag = [](char lag) { return static_cast<unsigned char>(lag) <= mostLag; };
    if (!std::all_of(lengths.begin() + countBytes, lengths.begin() + headBytes, isLag))
        return damagedCalls();
    std::uint64_t bits = 0;
    for (std::size_t i = headBytes; i < lengths.size(); ++i) {
        const unsigned length = static_cast<unsigned char>(lengths[i]);
        if (length > 64)
            return damagedCalls();
        bits += storedBits(length);
    }
    if (bytes.bits.size() != (bits + 7) / 8)
        return damagedCalls();
    ChunkReader chunk;
    chunk.m_bytes = std::move(bytes);
    chunk.m_count = static_cast<std::uint32_t>(count);
    chunk.m_kinds = kinds;
    return chunk;
}

/// The next bits, the lowest first. open() has seen that they are there.
std::uint64_t ChunkReader::bits(unsigned count)
{
    std::uint64_t value = 0;
    for (unsigned taken = 0; taken < count;) {
        const auto byte = static_cast<unsigned char>(m_bytes.bits[m_bit / 8]);
        const auto skipped = static_cast<unsigned>(m_bit % 8);
        value |= std::uint64_t{byte} >> skipped << taken;
        const unsigned read = std::min(8 - skipped, count - taken);
        taken += read;
        m_bit += read;
    }
    return value & ((std::uint64_t{1} << count) - 1);
}

std::int64_t ChunkReader::number(Column column)
{
    const std::size_t lag = static_cast<unsigned char>(m_bytes.lengths[countBytes + column]);
    const unsigned length = static_cast<unsigned char>(
        m_bytes.lengths[countBytes + columnCount + std::size_t{column} * m_count + m_next]);
    const std::uint64_t left
        = length == 0 ? 0 : (std::uint64_t{1} << (length - 1)) | bits(storedBits(length));
    const std::size_t back = m_next < lag ? 1 : lag;
    auto& known = m_known[column];
    const std::int64_t expected = lag == 0 ? 0 : known[(m_next + mostLag - back) % mostLag];
    return known[m_next % mostLag] = sum(expected, fromZigzag(left));
}

bool ChunkReader::next(SummarizedCall& call)
{
    call.sequence = m_sequence = sum(sum(m_sequence, number(Sequence)), 1);
    call.beginNs = sum(m_endNs, number(Begin));
    call.durationNs = number(Duration);
    m_endNs = sum(call.beginNs, call.durationNs);
    const auto what = static_cast<std::uint64_t>(number(What));
    call.what = static_cast<std::uint32_t>(what);
    const auto code = static_cast<std::uint64_t>(number(Felt));
    call.feltNs = feltFrom(code / 2, call.durationNs);
    call.endsHidden = code % 2 == 1;
    ++m_next;
    return 0 <= call.durationNs && call.durationNs <= farthestNs && isNear(call.beginNs) && what < m_kinds
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
