// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// NCCL's own data about its calls in an nsys export: the payloads of its NVTX ranges, and the kernel that
// each call launched.

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

/// The values of one payload that Collscope uses; nullopt if the payload lacks them.
struct NcclPayload
{
    std::optional<std::uint64_t> communicator; ///< the same number on all ranks of the communicator
    std::optional<std::int64_t> bytes; ///< element count of the call x element size
    std::optional<std::int64_t> ranks; ///< of the communicator
    std::optional<std::int64_t> rank; ///< the caller's, in the communicator
    std::optional<std::int64_t> root, peer; ///< ranks of the communicator

    /// Sets a value by its name in NCCL's schemas; other names are ignored.
    void set(std::string_view name, std::uint64_t value);
};

/// Parses a payload that nsys wrote as JSON; nullopt if the text is not a payload or names no communicator.
std::optional<NcclPayload> ncclPayloadOfJson(std::string_view json);

/// The layouts of binary payloads, from the tables NVTX_PAYLOAD_SCHEMAS and NVTX_PAYLOAD_SCHEMA_ENTRIES.
class NvtxPayloadLayouts
{
public:
    /// Adds one row of NVTX_PAYLOAD_SCHEMA_ENTRIES. Entries that are not integers are ignored.
    void add(std::int64_t domain, std::int64_t schema, std::string_view name, std::int64_t type,
             std::int64_t offset);
    /// Decodes the payload in a blob, or in a blob's hexadecimal digits; nullopt if no layout fits or it
    /// names no communicator.
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

/// Collects NCCL's ranges and, when all are known, determines the collective call of each range.
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
        std::optional<CollectiveCall> call; ///< set by resolve()
        std::optional<std::int64_t> sequence; ///< of the call in its communicator, from 0
    };

    /// Whether a range's name is one of NCCL's.
    static bool isName(std::string_view text) { return text.starts_with("nccl"); }
    void add(Range range) { m_ranges.push_back(range); }
    /// Adds a communication kernel (once for each kernel of a launch), before its launch is added.
    void addKernel(std::int64_t process, std::int64_t correlation) { ++m_kernels[{process, correlation}]; }
    bool hasKernels() const { return !m_kernels.empty(); }
    void addLaunch(std::int64_t globalTid, std::int64_t correlation, std::int64_t timeNs);

    /// Sets Range::call. `isWhole`: no row of the table was lost, so that calls can be counted. Linear in
    /// ranges and launches, apart from sorting.
    void resolve(StringTable& strings, bool isWhole);
    std::vector<Range>& ranges() { return m_ranges; }
    /// Number of communication calls (without bookkeeping calls), and of those with a message size.
    std::size_t callCount() const { return m_calls; }
    std::size_t payloadCount() const { return m_payloads; }
    /// Kernels of groups in which calls cannot be assigned to kernels.
    std::size_t ambiguousKernels() const { return m_ambiguous; }

private:
    struct Communicator
    {
        std::optional<std::int64_t> rank; ///< of the process in the communicator
        bool hasSeveralRanks = false; ///< in one process
        std::optional<std::int64_t> madeAtNs; ///< end of the call that created it
    };
    struct Thread
    {
        std::vector<std::size_t> ranges; ///< by start
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
    std::map<std::uint64_t, std::optional<std::int64_t>> m_sizes; ///< nullopt: the ranges disagree
    std::size_t m_calls = 0, m_payloads = 0, m_ambiguous = 0;
};

} // namespace collscope
