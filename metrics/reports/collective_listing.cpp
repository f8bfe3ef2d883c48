// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/reports/collective_listing.h"

#include "model/text/lower_case.h"

#include <algorithm>

namespace collscope {

namespace {

constexpr std::uint32_t noInstance = 0xffffffffu;

/// Whether the name is "all_to_allv" or "alltoallv", an all-to-all with parts of different size.
bool isUnevenAllToAll(std::string_view name)
{
    std::string letters = lowered(name);
    std::erase(letters, '_');
    return letters.find("alltoallv") != std::string::npos;
}

/// Prefix of the names of each group's collectives; just the group name if no other group has it.
std::vector<std::string> prefixesOf(const std::vector<ProcessGroup>& groups)
{
    std::map<std::string, int> bearers;
    for (const ProcessGroup& group : groups)
        ++bearers[group.name];
    std::vector<std::string> prefixes;
    for (const ProcessGroup& group : groups) {
        const bool isAlone = bearers[group.name] == 1;
        std::string prefix = isAlone ? group.name : group.text;
        if (prefix.empty())
            prefix = isAlone ? "all" : "stream" + std::to_string(prefixes.size());
        if (group.iteration >= 0)
            prefix += "@" + std::to_string(group.iteration);
        prefixes.push_back(std::move(prefix));
    }
    return prefixes;
}

} // namespace

CollectiveListing::CollectiveListing(Analysis& analysis)
    : m_analysis(analysis)
    , m_run(analysis.run())
    , m_nodes(analysis)
    , m_prefixes(prefixesOf(m_run.matching.groups))
{
    const Matching& matching = m_run.matching;
    for (const RankCalls& rank : m_run.ranks)
        m_instances.emplace_back(rank.calls.size(), noInstance);
    std::vector<std::int64_t> nextOrdinal(matching.groups.size(), 0);
    CollectiveTimer timer = m_run.timer(model(), analysis.clocks());
    for (std::uint32_t i = 0; i < matching.instances.size(); ++i) {
        const CollectiveInstance& instance = matching.instances[i];
        m_ordinals.push_back(nextOrdinal[instance.group]++);
        const auto members = matching.membersOf(instance);
        for (const CallRef member : members)
            m_instances[member.rank][member.call] = i;
        if (members.size() < 2)
            continue;
        const Call& call = m_run.callOf(members.front());
        const bool isUneven = call.kind == KernelClass::AllToAll && isUnevenAllToAll(nameOf(call));
        ListedCollective listed{i,
                                timer.of(instance),
                                &call,
                                isUneven,
                                !isUneven && synchronises(call.kind) && !isPointToPoint(model(), call),
                                {}};
        if (listed.waitsForAll && listed.times.tellsWaits)
            listed.waits = timer.waits();
        m_collectives.push_back(std::move(listed));
    }
    std::stable_sort(m_collectives.begin(), m_collectives.end(),
                     [](const ListedCollective& a, const ListedCollective& b) {
                         return a.times.arrivals.beginNs < b.times.arrivals.beginNs;
                     });
}

std::string CollectiveListing::idOf(std::uint32_t instance) const
{
    return m_prefixes[m_run.matching.instances[instance].group] + "_" + std::to_string(m_ordinals[instance]);
}

std::optional<std::uint32_t> CollectiveListing::instanceOf(CallRef call) const
{
    const std::uint32_t instance = m_instances[call.rank][call.call];
    return instance == noInstance ? std::nullopt : std::optional(instance);
}

const CollectiveCall& CollectiveListing::metaOf(const Call& call)
{
    static const CollectiveCall none;
    return call.meta ? *call.meta : none;
}

double CollectiveListing::ownStartUs(const Call& call)
{
    return nsToUs(call.range.beginNs - call.timeline->fileToAxisNs);
}

std::string_view CollectiveListing::textOf(const Call& call, StringId CollectiveCall::*member) const
{
    return call.meta ? model().text(call.meta->*member) : std::string_view();
}

std::string_view CollectiveListing::groupName(const Call& call) const
{
    return textOf(call, &CollectiveCall::group);
}

std::string_view CollectiveListing::groupRanks(const Call& call) const
{
    return textOf(call, &CollectiveCall::groupRanks);
}

std::string_view CollectiveListing::groupDescription(const Call& call) const
{
    return textOf(call, &CollectiveCall::groupDescription);
}

std::string_view CollectiveListing::elementType(const Call& call) const
{
    return textOf(call, &CollectiveCall::elementType);
}

std::string_view CollectiveListing::inSplit(const Call& call) const
{
    return textOf(call, &CollectiveCall::inSplit);
}

std::string_view CollectiveListing::outSplit(const Call& call) const
{
    return textOf(call, &CollectiveCall::outSplit);
}

Value CollectiveListing::mebibytes(const Call& call, const std::optional<std::int64_t>& elements) const
{
    const auto size = elementSizeBytes(elementType(call));
    if (!size || !elements)
        return {};
    return static_cast<double>(*elements) * *size / bytesPerMebibyte;
}

Value CollectiveListing::fullMebibytes(const Call& call) const
{
    return call.bytes ? Value(static_cast<double>(*call.bytes) / bytesPerMebibyte) : Value();
}

Value CollectiveListing::streamOf(const Call& call) const
{
    const std::int32_t stream = model().track(call.slice.track).stream;
    return stream >= 0 ? Value(stream) : Value();
}

Value CollectiveListing::nodeSpan(const Call& call) const
{
    switch (m_nodes.spanOf(call)) {
    case NodeSpan::OneNode:
        return "intra_node";
    case NodeSpan::SeveralNodes:
        return "inter_node";
    case NodeSpan::Unknown:
        break;
    }
    return {};
}

Value CollectiveListing::nodeOf(std::int32_t rank) const
{
    const RankPlace* place = m_run.mesh.placeOf(rank);
    return place ? textCell(place->node) : Value();
}

} // namespace collscope
