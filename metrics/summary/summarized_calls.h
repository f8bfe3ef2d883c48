// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The communication calls of one rank as compact columns, apart from its trace: all that a join of ranks
// needs of it. See folding.md.

#include "metrics/calls/calls.h"
#include "model/result.h"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace collscope {

/// What a call is: the properties that matching compares, and those that tell who waits for whom.
struct SummarizedKind
{
    KernelClass kind = KernelClass::OtherCommunication;
    bool hasMeta = false; ///< the profiler describes the call; else only `kind` is known
    bool isOfCpu = false; ///< of a CPU backend
    std::string name; ///< "_allgather_base"
    std::string elementType; ///< "BFloat16"
    std::optional<std::int64_t> inElements, outElements, payloadBytes;
    std::optional<std::int64_t> sourceRank, destinationRank; ///< root, or the pair of a send
    std::optional<std::int64_t> communicator; ///< Comms Id
    /// What an annotation around a send or receive says about it; Unknown: nothing, or of another call.
    ParallelismKind annotated = ParallelismKind::Unknown;
};

/// Calls of one process group, column by column; all columns have the same length.
struct CallColumns
{
    static constexpr std::int64_t noSequence = std::numeric_limits<std::int64_t>::min();
    static constexpr std::int64_t alwaysFelt = -1;

    std::vector<std::int64_t> sequence; ///< Seq; noSequence: the call has none
    std::vector<std::int64_t> beginNs; ///< on the file's own clock
    std::vector<std::int64_t> durationNs; ///< >= 0
    std::vector<std::uint32_t> what; ///< into SummarizedCalls::kinds
    /// How much of the call lies beside no compute of the rank's main stream (HiddenWaits); alwaysFelt: it is
    /// on that stream, or there is none.
    std::vector<std::int64_t> feltNs;
    std::vector<bool> endsHidden; ///< the rank does not go on because the call ends (HiddenWaits)

    std::size_t size() const { return beginNs.size(); }
};

/// A call of these columns.
struct SummarizedCall
{
    std::int64_t sequence = CallColumns::noSequence;
    std::int64_t beginNs = 0;
    std::int64_t durationNs = 0;
    std::uint32_t what = 0;
    std::int64_t feltNs = 0;
    bool endsHidden = false;
};

/// The bytes of some calls; see folding.md.
struct ChunkBytes
{
    std::string lengths; ///< how many bits each number takes: deflated where they are stored
    std::string bits; ///< those of the numbers, which look random

    friend bool operator==(const ChunkBytes&, const ChunkBytes&) = default;
};

/// Reads the calls of a chunk one after the other from its bytes, which take a quarter of the memory of
/// CallColumns: a merge has one chunk of each rank in each of its groups on hand.
class ChunkReader
{
public:
    ChunkReader() = default; ///< of no calls
    /// Takes any bytes. `kinds`: how many kinds the rank has. Error: damaged. O(bytes).
    static Result<ChunkReader> open(ChunkBytes bytes, std::size_t kinds);

    bool isAtEnd() const { return m_next == m_count; }
    /// The next call, which must exist; false if it is damaged.
    bool next(SummarizedCall& call);

private:
    enum Column : std::uint8_t
    {
        Sequence,
        Begin,
        Duration,
        What,
        Felt
    };
    std::int64_t number(Column column);
    std::uint64_t bits(unsigned count);

    static constexpr std::size_t columnCount = 5, mostLag = 4;
    friend ChunkBytes encodeChunk(const CallColumns& calls);

    ChunkBytes m_bytes;
    std::uint64_t m_bit = 0; ///< to read next
    std::uint32_t m_next = 0, m_count = 0; ///< calls
    std::size_t m_kinds = 0;
    std::int64_t m_sequence = 0, m_endNs = 0; ///< of the call before
    std::array<std::array<std::int64_t, mostLag>, columnCount> m_known{}; ///< the numbers of the calls before
};

/// A process group as the trace of one rank states it.
struct SummarizedGroup
{
    std::string name, description, ranks; ///< "dp", "mesh_dp", "[0, 2]"; empty: not stated
    std::int32_t size = 0; ///< 0 = not stated
    ParallelismKind parallelismKind = ParallelismKind::Unknown; ///< of its first call
    std::uint64_t calls = 0;
    std::uint64_t numbered = 0; ///< calls with Seq
    std::uint64_t withCommunicator = 0; ///< calls with Seq and Comms Id
    /// What its first call is, and when it begins: groups are in the order of their first calls.
    std::uint32_t firstWhat = 0;
    std::int64_t firstBeginNs = 0;
    std::uint32_t chunks = 0;
};

/// The calls of one rank's file. Times are on the file's own clock: exact integers, in ns.
struct SummarizedCalls
{
    std::int32_t rank = 0;
    std::int64_t iteration = -1; ///< of the profiler, -1 = none
    TimeRange range; ///< of all events of the file
    bool hasWallClock = false;
    std::int64_t clockOffsetNs = 0; ///< own clock + this = wall clock, if it has one
    std::optional<std::int32_t> worldSize;
    std::string host; ///< empty if not stated
    StepSource stepSource = StepSource::WholeTrace;
    std::vector<std::pair<std::int64_t, TimeRange>> steps; ///< number and time, as in Timeline::steps
    std::vector<SummarizedKind> kinds;
    std::vector<SummarizedGroup> groups;
};

/// Gives the calls of a group of a rank, piece by piece. Chunks 0 ... SummarizedGroup::chunks - 1 follow each
/// other; within a group, calls are sorted by Comms Id, then Seq, then time. Sends and receives, and calls of
/// a group in which some have no Seq, are in the order of the rank's calls: by time.
class CallChunks
{
public:
    static constexpr std::size_t mostCalls = 1024; ///< in a chunk

    virtual ~CallChunks() = default;
    /// May be called by several threads. An error if the bytes are damaged.
    virtual Result<ChunkReader> read(std::size_t group, std::size_t chunk) const = 0;
};

/// What a rank states, and how to read its calls.
struct RankSummary
{
    SummarizedCalls head;
    std::shared_ptr<const CallChunks> chunks;
};

/// A rank's calls and the bytes of its chunks.
struct EncodedCalls
{
    SummarizedCalls head;
    std::vector<std::vector<ChunkBytes>> chunks; ///< by group
};

/// The calls of one rank of a model: those of listCalls() over whole files, which metrics use. Error: it has
/// several files, or no timeline. `callsPerChunk`: at most CallChunks::mostCalls. O(calls log calls).
Result<EncodedCalls> summarizeCalls(const TraceModel& model, std::int32_t rank, const MetricOptions& options,
                                    std::size_t callsPerChunk = CallChunks::mostCalls);

/// "The summary of a rank's calls is damaged."
Error damagedCalls();
/// Bytes of a chunk; see folding.md. Precondition: the columns are valid.
ChunkBytes encodeChunk(const CallColumns& calls);
/// By group: the bytes that its chunks take where they are stored.
using ChunkSizes = std::vector<std::vector<std::uint32_t>>;
/// What a rank states, and how large its chunks are.
std::string encodeHead(const SummarizedCalls& head, const ChunkSizes& sizes);
/// Takes any bytes. Error: damaged. O(bytes).
Result<std::pair<SummarizedCalls, ChunkSizes>> decodeHead(std::string_view bytes);

} // namespace collscope
