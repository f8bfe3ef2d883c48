// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/queries/list_job_calls.h"

#include "model/kernels/collective_traits.h"
#include "model/text/rank_lists.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace collscope {

namespace {

struct NumberedJobCall
{
    std::int64_t number = 0;
    std::uint32_t kind = 0;
    TimeRange range;

    /// Spreads consecutive numbers evenly over all values (golden ratio), so that the lowest of them are of
    /// no place in a step in particular.
    std::uint64_t spread() const { return static_cast<std::uint64_t>(number) * 0x9E3779B97F4A7C15u; }
};

/// Removes numbers that several calls share (coalesced calls), because they do not identify a call. Of many,
/// those are kept that spread() puts first, which are the same on every rank.
std::vector<NumberedJobCall> loneNumbers(std::vector<NumberedJobCall> calls)
{
    constexpr std::size_t most = 256;
    const auto byNumber
        = [](const NumberedJobCall& a, const NumberedJobCall& b) { return a.number < b.number; };
    std::sort(calls.begin(), calls.end(), byNumber);
    std::vector<NumberedJobCall> kept;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const bool isAlone = (i == 0 || calls[i - 1].number != calls[i].number)
            && (i + 1 == calls.size() || calls[i + 1].number != calls[i].number);
        if (isAlone)
            kept.push_back(calls[i]);
    }
    if (kept.size() > most) {
        std::nth_element(
            kept.begin(), kept.begin() + most, kept.end(),
            [](const NumberedJobCall& a, const NumberedJobCall& b) { return a.spread() < b.spread(); });
        kept.resize(most);
        std::sort(kept.begin(), kept.end(), byNumber);
    }
    return kept;
}

class JobCallList
{
public:
    JobCallList(const TraceModel& model, const Timeline& timeline)
        : m_model(model)
        , m_timeline(timeline)
    { }

    JobCalls list()
    {
        for (const CollectiveCall& call : m_timeline.collectives) {
            const bool isListed = call.groupRanks && !m_model.text(call.groupRanks).empty();
            m_result.hasUnlistedRanks |= call.onGpu && call.slice && !isListed;
            if ((call.onGpu || call.isOfCpu()) && isListed)
                add(call);
        }
        for (std::size_t g = 0; g < m_numbered.size(); ++g) {
            NumberedJobCalls& columns = m_result.groups[g].numbered;
            for (const NumberedJobCall& call : loneNumbers(std::move(m_numbered[g]))) {
                columns.number.push_back(call.number);
                columns.kind.push_back(call.kind);
                columns.beginNs.push_back(call.range.beginNs);
                columns.durationNs.push_back(call.range.lengthNs());
            }
        }
        return std::move(m_result);
    }

private:
    using KindKey = std::tuple<std::size_t, KernelClass, StringId, std::optional<std::int64_t>>;

    void add(const CollectiveCall& call)
    {
        const std::size_t index = groupOf(call);
        JobGroupCalls& group = m_result.groups[index];
        if (call.groupDescription)
            group.description = call.groupDescription;
        const std::uint32_t kind = kindOf(call, index);
        ++group.kinds[kind].count;
        if (!call.slice)
            return;
        const TimeRange range = m_model.rangeOf(call.slice);
        group.range = group.range.isEmpty() ? range : group.range.united(range);
        if (call.onGpu && call.sequence && isSizedAlike(call.kind) && m_isOfSeveral[index])
            m_numbered[index].push_back({*call.sequence, kind, range});
    }

    std::size_t groupOf(const CollectiveCall& call)
    {
        const auto [known, isNew]
            = m_groups.try_emplace({call.group, call.groupRanks}, m_result.groups.size());
        if (isNew) {
            JobGroupCalls& group = m_result.groups.emplace_back();
            group.group = call.group;
            group.ranks = call.groupRanks;
            m_numbered.emplace_back();
            m_isOfSeveral.push_back(parseRankList(m_model.text(call.groupRanks)).size() > 1);
        }
        return known->second;
    }

    std::uint32_t kindOf(const CollectiveCall& call, std::size_t group)
    {
        JobCallKind own;
        own.kind = call.kind;
        // Kinds without their own class, for example a barrier and a gather, are distinguished by name.
        if (call.kind == KernelClass::OtherCommunication)
            own.name = call.name;
        // In other calls, the part of a rank may differ in size from the parts of the others.
        if (passesOneSize(call.kind))
            own.elements = call.inElements;
        std::vector<JobCallKind>& kinds = m_result.groups[group].kinds;
        const auto [known, isNew] = m_kinds.try_emplace({group, own.kind, own.name, own.elements},
                                                        static_cast<std::uint32_t>(kinds.size()));
        if (isNew)
            kinds.push_back(own);
        return known->second;
    }

    const TraceModel& m_model;
    const Timeline& m_timeline;
    JobCalls m_result;
    std::map<JobGroupKey, std::size_t> m_groups;
    std::map<KindKey, std::uint32_t> m_kinds;
    std::vector<std::vector<NumberedJobCall>> m_numbered; ///< by group
    std::vector<bool> m_isOfSeveral; ///< by group: its list of ranks is complete
};

} // namespace

JobCalls listJobCalls(const TraceModel& model, const Timeline& timeline)
{
    return JobCallList(model, timeline).list();
}

} // namespace collscope
