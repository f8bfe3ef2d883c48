// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/hang/flight_builder.h"

#include "model/text/lower_case.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>

namespace collscope {

namespace {

constexpr std::int64_t mostElements = std::int64_t{1} << 56;

/// "nccl:send 1->2" has the operation "send" and the peer 2, "nccl:recv 0<-3" the peer 3.
struct CallName
{
    std::string_view operation;
    std::int32_t peer = -1;
    bool isValid = true;
};

CallName callName(std::string_view name)
{
    const std::size_t colon = name.find(':');
    CallName call{colon == std::string_view::npos ? name : name.substr(colon + 1)};
    const std::size_t blank = call.operation.find(' ');
    if (blank == std::string_view::npos)
        return call;
    std::string_view ranks = call.operation.substr(blank + 1);
    call.operation = call.operation.substr(0, blank);
    if (call.operation != "send" && call.operation != "recv")
        return call;
    const std::size_t arrow = ranks.find(call.operation == "send" ? "->" : "<-");
    if (arrow == std::string_view::npos)
        return call;
    ranks.remove_prefix(arrow + 2);
    const auto [end, error] = std::from_chars(ranks.data(), ranks.data() + ranks.size(), call.peer);
    call.isValid = error == std::errc() && end == ranks.data() + ranks.size() && call.peer >= 0;
    return call;
}

bool isPlausible(std::int64_t number)
{
    constexpr std::int64_t most = std::int64_t{1} << 62;
    return number >= 0 && number <= most;
}

} // namespace

std::int64_t elementProduct(std::int64_t elements, std::int64_t size)
{
    if (elements < 0 || size < 0 || (size > 0 && elements > mostElements / size))
        return FlightSignature::unknown;
    return elements * size;
}

FlightBuilder::FlightBuilder(std::string path, StringTable& strings, Diagnostics& problems)
    : m_path(std::move(path))
    , m_strings(strings)
    , m_problems(problems)
    , m_completed(strings.intern("completed"))
    , m_started(strings.intern("started"))
{
    m_record.file = std::filesystem::path(m_path).filename().string();
}

StringId FlightBuilder::cut(std::string_view text)
{
    return m_strings.intern(text.substr(0, longestText));
}

std::uint64_t FlightBuilder::SignatureHash::operator()(const FlightSignature& signature) const
{
    std::uint64_t hash = signature.operation.value;
    for (const std::uint64_t value :
         {std::uint64_t{signature.inputSizes.value}, std::uint64_t{signature.outputSizes.value},
          std::uint64_t{signature.inputTypes.value}, static_cast<std::uint64_t>(signature.peer)}) {
        hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 32;
    }
    return hash;
}

void FlightBuilder::setVersion(std::string_view text)
{
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, m_record.major);
    if (error == std::errc() && end != last && *end == '.')
        std::from_chars(end + 1, last, m_record.minor);
}

void FlightBuilder::addGroup(std::int64_t pgId, std::string_view name, std::string_view description,
                             std::vector<std::int32_t> ranks)
{
    if (m_record.groups.size() == FlightRecord::mostGroups) {
        m_problems.add(Severity::DataLoss, "too_many_groups", m_path, 0,
                       "The dump has more process groups than any program; the excess ones are left out.");
        return;
    }
    m_record.groups.push_back({cut(name), cut(description), std::move(ranks), true});
    m_record.pgIds.push_back(pgId);
    indexGroup(static_cast<std::uint16_t>(m_record.groups.size() - 1));
}

void FlightBuilder::missGroup()
{
    m_record.hasGroups = false;
    m_problems.add(
        Severity::DataLoss, "bad_group", m_path, 0,
        "A process group of the dump has no readable list of ranks, or impossible ranks; it is left "
        "out.");
}

void FlightBuilder::addStatus(const FlightStatus& status)
{
    constexpr std::size_t mostStatuses = FlightRecord::mostGroups;
    if (m_record.statuses.size() < mostStatuses)
        m_record.statuses.push_back(status);
}

/// The group that a call names: a listed one with its name, else one of its own.
std::optional<std::uint16_t> FlightBuilder::groupOf(const RawFlightCall& call)
{
    const GroupKey key{call.pgId, call.groupName, call.groupDescription};
    if (m_lastGroup.first == key)
        return m_lastGroup.second;
    const auto known = m_groups.find(key);
    if (known != m_groups.end()) {
        m_lastGroup = *known;
        return known->second;
    }
    std::optional<std::uint16_t> index = knownGroup(call);
    const bool isAnother
        = index && call.pgId >= 0 && m_record.pgIds[*index] >= 0 && m_record.pgIds[*index] != call.pgId;
    if (!index || isAnother) {
        if (m_record.groups.size() == FlightRecord::mostGroups)
            return std::nullopt;
        index = isAnother ? addNamesake(*index, call.pgId) : addUnlisted(call);
    } else if (call.pgId >= 0) {
        m_record.pgIds[*index] = call.pgId;
        m_byPgId.emplace(call.pgId, *index);
    }
    m_groups.emplace(key, *index);
    return index;
}

std::uint16_t FlightBuilder::addUnlisted(const RawFlightCall& call)
{
    const auto textOr = [&](StringId id) { return id ? id : m_strings.intern(""); };
    m_record.groups.push_back({textOr(call.groupName), textOr(call.groupDescription), {}, false});
    m_record.pgIds.push_back(std::max<std::int64_t>(call.pgId, -1));
    const auto index = static_cast<std::uint16_t>(m_record.groups.size() - 1);
    indexGroup(index);
    return index;
}

/// A process may destroy a group and use its name again. Groups count up: what the dump lists is the one with
/// the highest number, and the other one is a group of which nothing is known.
std::uint16_t FlightBuilder::addNamesake(std::uint16_t known, std::int64_t pgId)
{
    const auto added = static_cast<std::uint16_t>(m_record.groups.size());
    FlightGroup gone{m_strings.intern(""), m_strings.intern(""), {}, false};
    if (pgId > m_record.pgIds[known]) {
        std::swap(gone, m_record.groups[known]);
        m_byName[gone.name] = added;
        m_byNames[{gone.name, gone.description}] = added;
    }
    m_record.groups.push_back(std::move(gone));
    m_record.pgIds.push_back(pgId);
    m_byPgId.emplace(pgId, added);
    return added;
}

std::optional<std::uint16_t> FlightBuilder::knownGroup(const RawFlightCall& call) const
{
    const auto foundIn = [](const auto& groups, const auto& key) {
        const auto found = groups.find(key);
        return found == groups.end() ? std::optional<std::uint16_t>() : found->second;
    };
    if (!call.groupName)
        return call.pgId >= 0 ? foundIn(m_byPgId, call.pgId) : std::nullopt;
    return call.groupDescription ? foundIn(m_byNames, std::pair(call.groupName, call.groupDescription))
                                 : foundIn(m_byName, call.groupName);
}

void FlightBuilder::indexGroup(std::uint16_t index)
{
    const FlightGroup& group = m_record.groups[index];
    m_byName.emplace(group.name, index);
    m_byNames.emplace(std::pair(group.name, group.description), index);
    if (m_record.pgIds[index] >= 0)
        m_byPgId.emplace(m_record.pgIds[index], index);
}

/// Whether a batch is one of sends and receives: before version 2.2 only they tell, which have its number,
/// and come before it, unless the ring lost them. Collectives count from 1.
bool FlightBuilder::endsTransfers(const RawFlightCall& call) const
{
    if (call.pointToPoint <= 0)
        return false;
    const auto last = m_lastTransfer.find({call.pgId, call.groupName});
    const std::vector<std::uint32_t>& before = m_record.calls.record;
    const bool hasLost = before.empty() ? call.record > 0 : before.front() > 0;
    return last != m_lastTransfer.end() ? last->second == call.pointToPoint : call.collective == 0 || hasLost;
}

std::optional<FlightSignature> FlightBuilder::signatureOf(const RawFlightCall& call)
{
    const CallName name = callName(m_strings.view(call.name));
    if (!name.isValid)
        return std::nullopt;
    FlightSignature signature;
    signature.operation = cut(name.operation);
    signature.peer = name.peer;
    const bool isTransfer = name.operation == "send" || name.operation == "recv";
    signature.isPointToPoint
        = call.isPointToPoint.value_or(isTransfer || (name.operation == "coalesced" && endsTransfers(call)));
    signature.inputSizes = call.inputs.text;
    signature.outputSizes = call.outputs.text;
    signature.inputElements = call.inputs.elements;
    signature.outputElements = call.outputs.elements;
    signature.inputTypes = call.inputTypes;
    signature.outputTypes = call.outputTypes;
    signature.timeoutMs = isPlausible(call.timeoutMs) ? call.timeoutMs : FlightSignature::unknown;
    return signature;
}

FlightState FlightBuilder::stateOf(const RawFlightCall& call) const
{
    if (call.state == m_completed || isPlausible(call.completedNs))
        return FlightState::Completed;
    return call.state == m_started || isPlausible(call.startedNs) ? FlightState::Started
                                                                  : FlightState::Scheduled;
}

/// A column of times is created with the first call that has one.
void FlightBuilder::addTime(std::vector<std::int64_t>& column, std::int64_t ns) const
{
    const bool isKnown = isPlausible(ns);
    if (column.empty() && !isKnown)
        return;
    column.resize(m_record.calls.size() - 1, FlightCalls::noTime);
    column.push_back(isKnown ? ns : FlightCalls::noTime);
}

void FlightBuilder::keepOut(std::string_view why)
{
    ++m_callsInFile;
    ++m_keptOut;
    m_problems.add(Severity::DataLoss, "bad_call", m_path, 0, why, 1);
}

void FlightBuilder::addCall(const RawFlightCall& call)
{
    if (!call.name || (call.pgId < 0 && !call.groupName))
        return keepOut("A call of the dump has no name or no group; it is left out.");
    if (!call.state) // the last one of a file that is cut off: its state would come later
        return keepOut("A call of the dump has no state; it is left out.");
    const std::optional<FlightSignature> signature = signatureOf(call);
    const bool hasNumber = isPlausible(call.collective)
        || (signature && signature->isPointToPoint && isPlausible(call.pointToPoint));
    if (!hasNumber || !signature || !isPlausible(call.createdNs))
        return keepOut("A call of the dump has an impossible number, time or peer; it is left out.");
    const std::optional<std::uint16_t> group = groupOf(call);
    if (!group)
        return keepOut("A call of the dump is of one group too many; it is left out.");
    const std::vector<std::int32_t>& ranks = m_record.groups[*group].ranks;
    if (signature->peer >= 0 && !ranks.empty() && static_cast<std::size_t>(signature->peer) >= ranks.size())
        return keepOut("A call of the dump has an impossible number, time or peer; it is left out.");
    if (signature->peer >= 0)
        m_lastTransfer[{call.pgId, call.groupName}] = call.pointToPoint;
    ++m_callsInFile;
    FlightCalls& calls = m_record.calls;
    const bool hasRecord = call.record >= 0 && call.record < std::numeric_limits<std::uint32_t>::max();
    calls.record.push_back(hasRecord ? static_cast<std::uint32_t>(call.record)
                                     : static_cast<std::uint32_t>(calls.size()));
    calls.group.push_back(*group);
    calls.state.push_back(stateOf(call));
    calls.retired.push_back(call.retired);
    calls.collective.push_back(isPlausible(call.collective) ? call.collective : -1);
    calls.pointToPoint.push_back(isPlausible(call.pointToPoint) ? call.pointToPoint : -1);
    calls.createdNs.push_back(call.createdNs);
    addTime(calls.startedNs, call.startedNs);
    addTime(calls.completedNs, call.completedNs);
    calls.signature.push_back(m_signatures.rowOf(*signature));
    calls.stack.push_back(call.stack);
}

FlightRecord FlightBuilder::finish()
{
    m_record.signatures = m_signatures.take();
    m_record.isCutOff = m_record.isCutOff || m_keptOut > 0; // what was left out is not known either
    for (std::vector<std::int64_t>* times : {&m_record.calls.startedNs, &m_record.calls.completedNs}) {
        if (!times->empty())
            times->resize(m_record.calls.size(), FlightCalls::noTime);
    }
    m_record.rank = rankOfDump(m_record.file, m_record.groups);
    return std::move(m_record);
}

std::optional<std::vector<std::int32_t>> ranksInList(std::string_view text)
{
    std::vector<std::int32_t> ranks;
    const char* at = text.data();
    const char* const last = at + text.size();
    const auto skipBlanks = [&] {
        while (at != last && *at == ' ')
            ++at;
    };
    skipBlanks();
    if (at == last || *at++ != '[')
        return std::nullopt;
    skipBlanks();
    bool isFirst = true;
    while (at != last && *at != ']') {
        if (!isFirst && *at++ != ',')
            return std::nullopt;
        isFirst = false;
        skipBlanks();
        std::int32_t rank = 0;
        const auto [end, error] = std::from_chars(at, last, rank);
        if (error != std::errc() || rank < 0 || rank > FlightBuilder::mostRanks
            || ranks.size() > static_cast<std::size_t>(FlightBuilder::mostRanks))
            return std::nullopt;
        ranks.push_back(rank);
        at = end;
        skipBlanks();
    }
    if (at == last)
        return std::nullopt;
    return ranks;
}

std::optional<std::int32_t> rankOfDump(std::string_view fileName, const std::vector<FlightGroup>& groups)
{
    std::vector<const std::vector<std::int32_t>*> lists;
    for (const FlightGroup& group : groups) {
        if (group.isConfigured && !group.ranks.empty())
            lists.push_back(&group.ranks);
    }
    const auto isInAll = [&](std::int32_t rank) {
        return std::all_of(lists.begin(), lists.end(), [&](const std::vector<std::int32_t>* ranks) {
            return std::find(ranks->begin(), ranks->end(), rank) != ranks->end();
        });
    };
    std::size_t end = fileName.size();
    while (end > 0) {
        if (!isDigit(fileName[end - 1])) {
            --end;
            continue;
        }
        std::size_t begin = end;
        while (begin > 0 && isDigit(fileName[begin - 1]))
            --begin;
        std::int32_t rank = -1;
        const auto [stop, error] = std::from_chars(fileName.data() + begin, fileName.data() + end, rank);
        if (error == std::errc() && rank <= FlightBuilder::mostRanks && isInAll(rank))
            return rank;
        end = begin;
    }
    if (lists.empty())
        return std::nullopt;
    const auto shortest = std::min_element(
        lists.begin(), lists.end(), [](const auto* a, const auto* b) { return a->size() < b->size(); });
    std::optional<std::int32_t> only;
    for (const std::int32_t rank : **shortest) {
        if (!isInAll(rank))
            continue;
        if (only)
            return std::nullopt;
        only = rank;
    }
    return only;
}

} // namespace collscope
