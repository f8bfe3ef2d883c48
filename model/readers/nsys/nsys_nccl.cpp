// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/nsys/nsys_nccl.h"

#include "model/kernels/collective_traits.h"
#include "model/kernels/nccl_functions.h"
#include "model/readers/nsys/nsys_ids.h"
#include "model/readers/text/nesting.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <limits>
#include <set>

namespace collscope {

namespace {

/// NCCL's own payloads are below 200 bytes; a much longer text is not one of them.
constexpr std::size_t longestPayload = std::size_t{64} << 10;

bool makesCommunicator(std::string_view name)
{
    return name.starts_with("ncclCommInit") || name.starts_with("ncclCommSplit")
        || name.starts_with("ncclCommShrink") || name.starts_with("ncclCommGrow");
}

/// Bytes of an integer type of NVTX payloads (NVTX_PAYLOAD_ENTRY_TYPE_*); 0 for any other type.
std::size_t bytesOfPayloadType(std::int64_t type)
{
    switch (type) {
    case 5: // int
    case 6: // unsigned int
    case 15: // int32
    case 16: // uint32
        return 4;
    case 9: // long long
    case 10: // unsigned long long
    case 17: // int64
    case 18: // uint64
    case 22: // size_t
        return 8;
    default:
        return 0;
    }
}

/// A little-endian number; the caller ensures that it is inside the bytes.
std::uint64_t littleEndian(std::string_view bytes, std::size_t at, std::size_t count)
{
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < count; ++i)
        value |= std::uint64_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
    return value;
}

std::string bytesOfHexDigits(std::string_view digits)
{
    std::string bytes;
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
        unsigned value = 0;
        const auto [end, error] = std::from_chars(digits.data() + i, digits.data() + i + 2, value, 16);
        if (error != std::errc() || end != digits.data() + i + 2)
            return {};
        bytes.push_back(static_cast<char>(value));
    }
    return bytes;
}

/// More than a group of calls can move.
constexpr std::int64_t largestSum = std::int64_t{1} << 61;

std::string communicatorText(std::uint64_t communicator)
{
    std::array<char, 17> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), communicator, 16).ptr;
    return "0x" + std::string(digits.data(), end);
}

} // namespace

void NcclPayload::set(std::string_view name, std::uint64_t value)
{
    if (name == "NCCL communicator ID") {
        communicator = value;
        return;
    }
    // Larger messages and higher ranks than these are damage. The product of the limits stays within 62 bits.
    constexpr std::uint64_t largestSize = std::uint64_t{1} << 42;
    constexpr std::uint64_t mostRanks = std::uint64_t{1} << 20;
    struct Field
    {
        std::string_view name;
        std::optional<std::int64_t> NcclPayload::*value;
        std::uint64_t limit;
    };
    static constexpr std::array<Field, 5> fields{{{"Message size [bytes]", &NcclPayload::bytes, largestSize},
                                                  {"No. of ranks", &NcclPayload::ranks, mostRanks},
                                                  {"Rank", &NcclPayload::rank, mostRanks},
                                                  {"Root", &NcclPayload::root, mostRanks},
                                                  {"Peer rank", &NcclPayload::peer, mostRanks}}};
    for (const Field& field : fields) {
        if (name == field.name && value < field.limit)
            this->*field.value = static_cast<std::int64_t>(value);
    }
}

std::optional<NcclPayload> ncclPayloadOfJson(std::string_view json)
{
    // Payloads of other libraries are not worth a parser.
    if (json.size() > longestPayload || json.find("NCCL communicator ID") == std::string_view::npos)
        return std::nullopt;
    if (isOutsizeJson(json))
        return std::nullopt;
    const nlohmann::json document = nlohmann::json::parse(json, nullptr, false);
    NcclPayload payload;
    if (!document.is_object())
        return std::nullopt;
    for (const auto& [name, value] : document.items()) {
        if (value.is_number_unsigned())
            payload.set(name, value.get<std::uint64_t>());
    }
    return payload.communicator ? std::optional(payload) : std::nullopt;
}

void NvtxPayloadLayouts::add(std::int64_t domain, std::int64_t schema, std::string_view name,
                             std::int64_t type, std::int64_t offset)
{
    constexpr std::size_t mostLayouts = 1 << 16;
    constexpr std::size_t mostEntries = 256;
    constexpr std::int64_t largestId = std::numeric_limits<std::uint32_t>::max();
    const std::size_t bytes = bytesOfPayloadType(type);
    if (bytes == 0 || domain < 0 || domain > largestId || schema < 0 || schema > largestId || offset < 0
        || offset > static_cast<std::int64_t>(longestPayload) || m_layouts.size() >= mostLayouts)
        return;
    std::vector<Entry>& entries
        = m_layouts[{static_cast<std::uint32_t>(domain), static_cast<std::uint32_t>(schema)}];
    const Entry entry{std::string(name), static_cast<std::size_t>(offset), bytes};
    // Each process of the file repeats the schemas.
    if (entries.size() < mostEntries && std::find(entries.begin(), entries.end(), entry) == entries.end())
        entries.push_back(entry);
}

/// A blob is a header of 32 bytes (domain, flags, schema and flags of 4 bytes each, payload size and total
/// size of 8 bytes each) followed by the payload.
std::optional<NcclPayload> NvtxPayloadLayouts::decode(std::string_view blob) const
{
    constexpr std::size_t header = 32;
    if (blob.size() < header || blob.size() > 2 * longestPayload || m_layouts.empty())
        return std::nullopt;
    const bool isDigits = blob.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
    const std::string decoded = isDigits ? bytesOfHexDigits(blob) : std::string();
    const std::string_view bytes = isDigits ? std::string_view(decoded) : blob;
    if (bytes.size() < header)
        return std::nullopt;
    const auto domain = static_cast<std::uint32_t>(littleEndian(bytes, 0, 4));
    const auto schema = static_cast<std::uint32_t>(littleEndian(bytes, 8, 4));
    const std::uint64_t size = littleEndian(bytes, 16, 8);
    const auto layout = m_layouts.find({domain, schema});
    if (layout == m_layouts.end() || size > bytes.size() - header)
        return std::nullopt;
    NcclPayload payload;
    for (const Entry& entry : layout->second) {
        if (entry.offset + entry.bytes > size)
            continue;
        const std::uint64_t value = littleEndian(bytes, header + entry.offset, entry.bytes);
        payload.set(entry.name, value);
    }
    return payload.communicator ? std::optional(payload) : std::nullopt;
}

void NcclRanges::addLaunch(std::int64_t globalTid, std::int64_t correlation, std::int64_t timeNs)
{
    const auto kernels = m_kernels.find({nsysProcessOf(globalTid), correlation});
    if (kernels == m_kernels.end())
        return;
    std::vector<std::int64_t>& launches = m_threads[globalTid].launches;
    launches.insert(launches.end(), kernels->second, timeNs);
    m_kernels.erase(kernels); // a correlation has one launch, even if the file repeats it
}

std::optional<std::int64_t> NcclRanges::sizeOf(std::uint64_t communicator) const
{
    const auto found = m_sizes.find(communicator);
    return found == m_sizes.end() ? std::nullopt : found->second;
}

void NcclRanges::learnCommunicators()
{
    for (const Range& range : m_ranges) {
        if (!range.payload || !range.payload->communicator)
            continue;
        const NcclPayload& payload = *range.payload;
        if (payload.ranks) {
            const auto [size, isNew] = m_sizes.try_emplace(*payload.communicator, payload.ranks);
            if (!isNew && size->second != payload.ranks)
                size->second = std::nullopt;
        }
        Communicator& own = m_communicators[{nsysProcessOf(range.globalTid), *payload.communicator}];
        if (payload.rank) {
            own.hasSeveralRanks |= own.rank && *own.rank != *payload.rank;
            own.rank = payload.rank;
        }
        if (makesCommunicator(range.text))
            own.madeAtNs = std::max(own.madeAtNs.value_or(range.times.endNs), range.times.endNs);
    }
}

/// Numbers the collectives of a communicator from its creation on. Calls that could be out of order get no
/// numbers: communicators created before the capture, several ranks in one process, overlapping calls.
void NcclRanges::countCalls()
{
    std::map<Member, std::vector<std::size_t>> calls;
    for (std::size_t i = 0; i < m_ranges.size(); ++i) {
        const Range& range = m_ranges[i];
        const auto kind = ncclFunctionClass(range.text);
        if (kind && *kind != KernelClass::SendRecv && range.payload && range.payload->communicator)
            calls[{nsysProcessOf(range.globalTid), *range.payload->communicator}].push_back(i);
    }
    for (auto& [member, own] : calls) {
        const Communicator& communicator = m_communicators[member];
        std::sort(own.begin(), own.end(), [&](std::size_t a, std::size_t b) {
            return m_ranges[a].times.beginNs < m_ranges[b].times.beginNs;
        });
        bool isProven = communicator.rank && !communicator.hasSeveralRanks && communicator.madeAtNs
            && *communicator.madeAtNs <= m_ranges[own.front()].times.beginNs;
        for (std::size_t i = 1; i < own.size() && isProven; ++i)
            isProven = m_ranges[own[i - 1]].times.endNs <= m_ranges[own[i]].times.beginNs;
        for (std::size_t i = 0; i < own.size() && isProven; ++i)
            m_ranges[own[i]].sequence = static_cast<std::int64_t>(i);
    }
}

CollectiveCall NcclRanges::callOf(const Range& range, StringTable& strings) const
{
    const KernelClass kind = ncclFunctionClass(range.text).value_or(KernelClass::OtherCommunication);
    const NcclPayload& payload = *range.payload;
    CollectiveCall call;
    call.kind = kind;
    call.onGpu = false;
    call.name = range.name;
    call.group = strings.intern(communicatorText(*payload.communicator));
    call.sequence = range.sequence;
    const std::optional<std::int64_t> ranks = sizeOf(*payload.communicator);
    if (ranks)
        call.groupSize = static_cast<std::int32_t>(*ranks);
    const CollectiveTraits* const traits = collectiveTraits(kind);
    const bool countsOneRank = traits && traits->countsOneRank;
    if (payload.bytes && (ranks || !countsOneRank))
        call.payloadBytes = countsOneRank ? *payload.bytes * *ranks : *payload.bytes;
    call.sourceRank = payload.root;
    const auto own = m_communicators.find({nsysProcessOf(range.globalTid), *payload.communicator});
    if (payload.peer && own != m_communicators.end() && own->second.rank && !own->second.hasSeveralRanks) {
        const bool sends = range.text == "ncclSend";
        call.sourceRank = sends ? own->second.rank : payload.peer;
        call.destinationRank = sends ? payload.peer : own->second.rank;
    }
    return call;
}

/// Joins the calls of a group to the call of their one kernel; nullopt if they are too different.
std::optional<CollectiveCall> NcclRanges::joined(const std::vector<std::size_t>& calls,
                                                 const std::vector<CollectiveCall>& made,
                                                 StringTable& strings) const
{
    const CollectiveCall& first = made.front();
    std::set<std::int64_t> sentTo, receivedFrom;
    std::int64_t sent = 0;
    std::int64_t others = 0;
    bool isSized = true;
    bool areExchanges = true;
    bool sameName = true;
    for (std::size_t i = 0; i < made.size(); ++i) {
        if (made[i].group != first.group)
            return std::nullopt;
        const Range& range = m_ranges[calls[i]];
        const bool sends = range.text == "ncclSend";
        areExchanges &= made[i].kind == KernelClass::SendRecv;
        sameName &= made[i].name == first.name;
        std::int64_t& sum = sends ? sent : others;
        sum += made[i].payloadBytes.value_or(0);
        isSized &= made[i].payloadBytes.has_value() && sum < largestSum;
        sum = std::min(sum, largestSum);
        if (range.payload->peer)
            (sends ? sentTo : receivedFrom).insert(*range.payload->peer);
    }
    if (!areExchanges && !sameName)
        return std::nullopt;
    CollectiveCall call = first;
    call.payloadBytes = isSized ? std::optional(sent > 0 ? sent : others) : std::nullopt;
    if (!areExchanges)
        return call;
    // Each rank sends to all ranks and receives from all, including itself: this is how all-to-alls are made.
    const auto n = static_cast<std::size_t>(call.groupSize.value_or(0));
    const bool toAll = n > 1 && sentTo.size() == n && sentTo == receivedFrom && calls.size() == 2 * n;
    if (toAll || !sameName)
        call.name = strings.intern(toAll ? "all_to_all" : "ncclSend+ncclRecv");
    call.kind = toAll ? KernelClass::AllToAll : KernelClass::SendRecv;
    call.sourceRank = call.destinationRank = std::nullopt;
    return call;
}

/// NCCL launches the calls of a group at its end. Either one kernel does all of them, or there is one kernel
/// for each of several calls of the same kind and size; in other cases kernels cannot be assigned to calls.
void NcclRanges::resolveGroup(const std::vector<std::size_t>& calls, Range& end, std::size_t kernels,
                              StringTable& strings)
{
    std::vector<CollectiveCall> made;
    for (const std::size_t index : calls)
        made.push_back(callOf(m_ranges[index], strings));
    const bool alike = std::all_of(made.begin(), made.end(), [&](const CollectiveCall& call) {
        return call.group == made.front().group && call.name == made.front().name
            && call.payloadBytes == made.front().payloadBytes && call.sourceRank == made.front().sourceRank
            && call.destinationRank == made.front().destinationRank;
    });
    const bool isOnlyOne = made.size() == 1 && kernels <= 1;
    if (isOnlyOne || (alike && kernels == made.size()))
        end.call = made.front();
    else if (kernels <= 1)
        end.call = joined(calls, made, strings);
    if (end.call)
        return;
    m_ambiguous += kernels;
    for (std::size_t i = 0; i < calls.size(); ++i)
        m_ranges[calls[i]].call = made[i]; // kernels are not launched inside these ranges
}

void NcclRanges::resolveThread(const Thread& thread, StringTable& strings)
{
    const auto kernelsIn = [&](TimeRange times) {
        return static_cast<std::size_t>(
            std::upper_bound(thread.launches.begin(), thread.launches.end(), times.endNs)
            - std::lower_bound(thread.launches.begin(), thread.launches.end(), times.beginNs));
    };
    std::size_t depth = 0;
    std::vector<std::size_t> grouped;
    bool isComplete = true; // every call of the group has a payload
    for (const std::size_t index : thread.ranges) {
        Range& range = m_ranges[index];
        if (range.text == "ncclGroupStart") {
            ++depth;
        } else if (range.text == "ncclGroupEnd") {
            if (depth > 0 && --depth == 0 && !grouped.empty()) {
                if (isComplete)
                    resolveGroup(grouped, range, kernelsIn(range.times), strings);
                else
                    m_ambiguous += kernelsIn(range.times);
            }
            if (depth == 0) {
                grouped.clear();
                isComplete = true;
            }
        } else if (ncclFunctionClass(range.text)) {
            ++m_calls;
            const bool isTold = range.payload && range.payload->communicator;
            m_payloads += isTold && range.payload->bytes ? 1u : 0u;
            if (depth > 0 && isTold)
                grouped.push_back(index);
            else if (depth > 0)
                isComplete = false;
            else if (isTold && kernelsIn(range.times) <= 1)
                range.call = callOf(range, strings);
            else if (isTold)
                m_ambiguous += kernelsIn(range.times);
        }
    }
}

void NcclRanges::resolve(StringTable& strings, bool isWhole)
{
    learnCommunicators();
    if (isWhole)
        countCalls();
    for (std::size_t i = 0; i < m_ranges.size(); ++i)
        m_threads[m_ranges[i].globalTid].ranges.push_back(i);
    for (auto& [globalTid, thread] : m_threads) {
        std::sort(thread.launches.begin(), thread.launches.end());
        std::stable_sort(thread.ranges.begin(), thread.ranges.end(), [&](std::size_t a, std::size_t b) {
            return m_ranges[a].times.beginNs < m_ranges[b].times.beginNs;
        });
        resolveThread(thread, strings);
    }
}

} // namespace collscope
