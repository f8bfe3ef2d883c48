// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What NCCL says of its calls in an nsys export: the payloads of its NVTX ranges, and which kernel a call
// made.

#include "model/collective.h"
#include "model/string_table.h"
#include "model/units.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace collscope {

/// The values of one payload that Collscope uses; what it does not hold is nullopt.
struct NcclPayload
{
    std::optional<std::uint64_t> communicator; ///< the same number on all ranks of the communicator
    std::optional<std::int64_t> bytes; ///< element count of the call x element size
    std::optional<std::int64_t> ranks; ///< of the communicator
    std::optional<std::int64_t> rank; ///< the caller's, in the communicator
    std::optional<std::int64_t> root, peer; ///< ranks of the communicator

    /// Takes a value by its name in NCCL's schemas; others are passed over.
    void set(std::string_view name, std::uint64_t value);
};

/// The payload that nsys wrote as JSON; nullopt if the text is none or names no communicator.
std::optional<NcclPayload> ncclPayloadOfJson(std::string_view json);

/// How binary payloads are laid out, by the tables NVTX_PAYLOAD_SCHEMAS and NVTX_PAYLOAD_SCHEMA_ENTRIES.
class NvtxPayloadLayouts
{
public:
    /// One row of NVTX_PAYLOAD_SCHEMA_ENTRIES. Entries of other types than integers are passed over.
    void add(std::int64_t domain, std::int64_t schema, std::string_view name, std::int64_t type,
             std::int64_t offset);
    /// The payload in a blob, or in the hexadecimal digits of one; nullopt if no layout fits or it names no
    /// communicator.
    std::optional<NcclPayload> decode(std::string_view blob) const;

private:
    struct Entry
    {
        std::string name;
        std::size_t offset = 0;
        std::size_t bytes = 0;
        friend bool operator==(const Entry&, const Entry&) = default;
    };
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Entry>> m_layouts; ///< (domain, schema)
};

/// Collects NCCL's ranges and says, when all are known, which collective call each of them stands for.
class NcclRanges
{
public:
    struct Range
    {
        StringId name;
        TimeRange times;
        std::int64_t globalTid = 0;
        std::string_view text; ///< the name; valid as long as the string table
        std::optional<NcclPayload> payload;
        std::optional<CollectiveCall> call; ///< resolve() fills it in
        std::optional<std::int64_t> sequence; ///< of the call in its communicator, from 0
    };

    /// True of the names that NCCL gives its ranges.
    static bool isName(std::string_view text) { return text.starts_with("nccl"); }
    void add(Range range) { m_ranges.push_back(range); }
    /// A communication kernel (or several of one launch), before its launch is met.
    void addKernel(std::int64_t process, std::int64_t correlation) { ++m_kernels[{process, correlation}]; }
    bool hasKernels() const { return !m_kernels.empty(); }
    void addLaunch(std::int64_t globalTid, std::int64_t correlation, std::int64_t timeNs);

    /// Fills in Range::call. `isWhole`: no row of the table was lost, so that calls can be counted. Linear in
    /// ranges and launches, apart from sorting.
    void resolve(StringTable& strings, bool isWhole);
    std::vector<Range>& ranges() { return m_ranges; }
    /// Calls of communication (not of bookkeeping), and those of them with a message size.
    std::size_t callCount() const { return m_calls; }
    std::size_t payloadCount() const { return m_payloads; }
    /// Kernels of groups whose calls and kernels cannot be told apart.
    std::size_t ambiguousKernels() const { return m_ambiguous; }

private:
    struct Communicator
    {
        std::optional<std::int64_t> rank; ///< of the process in it
        bool hasSeveralRanks = false; ///< in one process
        std::optional<std::int64_t> madeAtNs; ///< end of the call that made it
    };
    struct Thread
    {
        std::vector<std::size_t> ranges; ///< by begin
        std::vector<std::int64_t> launches; ///< sorted
    };
    using Member = std::pair<std::int64_t, std::uint64_t>; ///< process and communicator

    void learnCommunicators();
    void countCalls();
    void resolveThread(const Thread& thread, StringTable& strings);
    void resolveGroup(const std::vector<std::size_t>& calls, Range& end, std::size_t kernels,
                      StringTable& strings);
    std::optional<CollectiveCall> joined(const std::vector<std::size_t>& calls,
                                         const std::vector<CollectiveCall>& made, StringTable& strings) const;
    CollectiveCall callOf(const Range& range, StringTable& strings) const;
    std::optional<std::int64_t> sizeOf(std::uint64_t communicator) const;

    std::vector<Range> m_ranges;
    std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> m_kernels; ///< (process, correlation)
    std::map<std::int64_t, Thread> m_threads;
    std::map<Member, Communicator> m_communicators;
    std::map<std::uint64_t, std::optional<std::int64_t>> m_sizes; ///< nullopt: ranges disagree
    std::size_t m_calls = 0, m_payloads = 0, m_ambiguous = 0;
};

} // namespace collscope
