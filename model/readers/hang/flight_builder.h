// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Turns the values of a Flight Recorder dump, whatever text they were written in, into columns.

#include "model/containers/unique_rows.h"
#include "model/diagnostics.h"
#include "model/hang/flight_record.h"
#include "model/string_table.h"

#include <map>
#include <string_view>
#include <utility>

namespace collscope {

/// The sizes of the tensors of a call.
struct FlightSizes
{
    StringId text; ///< "[[4096, 1, 5120]]"
    std::int64_t elements = FlightSignature::unknown;
};

/// A call as a file states it; what the file lacks keeps its default.
struct RawFlightCall
{
    static constexpr std::int64_t unknown = INT64_MIN;
    std::int64_t record = unknown, pgId = unknown, collective = unknown, pointToPoint = unknown;
    std::int64_t createdNs = unknown, startedNs = unknown, completedNs = unknown, timeoutMs = unknown;
    StringId groupName, groupDescription;
    StringId name; ///< "nccl:send 1->2"
    StringId state;
    bool retired = false;
    std::optional<bool> isPointToPoint; ///< not stated before version 2.2
    FlightSizes inputs, outputs;
    StringId inputTypes, outputTypes;
    StackId stack;
};

/// Whether the count of all elements fits; -1 otherwise.
std::int64_t elementProduct(std::int64_t elements, std::int64_t size);

class FlightBuilder
{
public:
    /// Names of files and texts go to `strings`; what is kept out is counted in `problems`.
    FlightBuilder(std::string path, StringTable& strings, Diagnostics& problems);

    /// "2.9".
    void setVersion(std::string_view text);
    void setLibrary(std::string_view text) { m_record.library = text.substr(0, longestText); }
    void setCutOff() { m_record.isCutOff = true; }
    /// The dump lists the process's communicators, perhaps none.
    void beginGroups() { m_record.hasGroups = true; }
    /// One of them cannot be read, and is reported: what is not listed may be a communicator all the same.
    void missGroup();
    /// A communicator of the process. pgId: -1 if the file does not state it.
    void addGroup(std::int64_t pgId, std::string_view name, std::string_view description,
                  std::vector<std::int32_t> ranks);
    void addStatus(const FlightStatus& status);
    void beginCalls() { m_record.hasCalls = true; }
    /// Adds a call, or counts it as kept out.
    void addCall(const RawFlightCall& call);
    /// A call that is not even a call.
    void keepOut(std::string_view why);
    void setStacks(CallStacks stacks) { m_record.stacks = std::move(stacks); }

    std::uint64_t callsInFile() const { return m_callsInFile; }
    std::uint64_t keptOut() const { return m_keptOut; }
    /// The record, with its rank by content and name (rankOfDump).
    FlightRecord finish();

    /// Longer texts are cut.
    static constexpr std::size_t longestText = 4096;
    static constexpr std::int32_t mostRanks = 1'000'000;

private:
    struct SignatureHash
    {
        std::uint64_t operator()(const FlightSignature& signature) const;
    };
    std::optional<std::uint16_t> groupOf(const RawFlightCall& call);
    std::optional<std::uint16_t> knownGroup(const RawFlightCall& call) const;
    std::uint16_t addUnlisted(const RawFlightCall& call);
    std::uint16_t addNamesake(std::uint16_t known, std::int64_t pgId);
    void indexGroup(std::uint16_t index);
    bool endsTransfers(const RawFlightCall& call) const;
    std::optional<FlightSignature> signatureOf(const RawFlightCall& call);
    FlightState stateOf(const RawFlightCall& call) const;
    void addTime(std::vector<std::int64_t>& column, std::int64_t ns) const;
    StringId cut(std::string_view text);

    std::string m_path;
    StringTable& m_strings;
    Diagnostics& m_problems;
    FlightRecord m_record;
    UniqueRows<FlightSignature, SignatureHash> m_signatures;
    using GroupKey = std::tuple<std::int64_t, StringId, StringId>;
    std::map<GroupKey, std::uint16_t> m_groups; ///< those that calls named
    // The first group with a name, with a name and a description, and with a pgId.
    std::map<StringId, std::uint16_t> m_byName;
    std::map<std::pair<StringId, StringId>, std::uint16_t> m_byNames;
    std::map<std::int64_t, std::uint16_t> m_byPgId;
    std::pair<GroupKey, std::uint16_t> m_lastGroup{{-2, {}, {}}, 0};
    /// The number of the newest send or receive, by pgId and name of the group.
    std::map<std::pair<std::int64_t, StringId>, std::int64_t> m_lastTransfer;
    std::uint64_t m_callsInFile = 0, m_keptOut = 0;
    StringId m_completed, m_started;
};

/// The rank of a dump: of the numbers in its name, from the last to the first, the first one that is a member
/// of every group that the dump lists; else the only member that all these groups share. nullopt if neither
/// tells.
std::optional<std::int32_t> rankOfDump(std::string_view fileName, const std::vector<FlightGroup>& groups);

/// The numbers in a list such as "[0, 1, 2]"; nullopt if it is not one, or has a rank outside 0 .. 1 million.
std::optional<std::vector<std::int32_t>> ranksInList(std::string_view text);

} // namespace collscope
