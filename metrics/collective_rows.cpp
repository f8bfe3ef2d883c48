// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/collective_rows.h"

#include "metrics/step_rows.h"

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {

/// Makes the rows of one run, reusing what all of them need.
class RowMaker
{
public:
    explicit RowMaker(const CollectiveRows& table)
        : m_table(table)
    {
        static const std::vector<Step> none;
        for (const Timeline& timeline : table.model->timelines)
            m_steps.emplace_back(timeline.stepSource == StepSource::WholeTrace ? none : timeline.steps);
    }

    CollectiveRow make(std::uint32_t index)
    {
        CollectiveRow row;
        row.instance = index;
        const Instance& instance = m_table.run->matching.instances[index];
        const auto members = m_table.run->matching.membersOf(instance);
        readMembers(members, row);
        measureBegins(row);
        const Call& call = m_table.run->callOf(members.front());
        const ProcessGroup& group = m_table.run->matching.groups[instance.group];
        row.kind = call.kind;
        row.isPointToPoint = isPointToPoint(*m_table.model, call);
        row.groupSize = call.groupSize > 0 ? call.groupSize : group.size;
        const bool isPair = group.kind == ProcessGroup::Kind::Pair;
        row.expected = isPair ? 2 : std::max(row.groupSize, static_cast<std::int32_t>(group.expected));
        const Call& first = m_table.run->callOf(members[row.first]);
        const std::size_t timeline = timelineOf(first);
        if (const std::int32_t step = m_steps[timeline].at(first.range.beginNs); step >= 0)
            row.step = first.timeline->steps[static_cast<std::size_t>(step)].number;
        const std::int64_t significantNs
            = std::max(lateNs, m_table.run->clocks.significantNs(m_table.choice));
        row.isLate = row.skewNs > significantNs;
        return row;
    }

private:
    std::size_t timelineOf(const Call& call) const
    {
        return static_cast<std::size_t>(call.timeline - m_table.model->timelines.data());
    }

    void readMembers(std::span<const CallRef> members, CollectiveRow& row)
    {
        m_begins.clear();
        std::int64_t firstEnd = std::numeric_limits<std::int64_t>::max();
        std::int64_t lastEnd = std::numeric_limits<std::int64_t>::min();
        row.transferNs = std::numeric_limits<std::int64_t>::max();
        for (const CallRef member : members) {
            const Call& call = m_table.run->callOf(member);
            const TimeRange range = m_table.clocks.toAxis(timelineOf(call), call.range);
            m_begins.push_back(range.beginNs);
            firstEnd = std::min(firstEnd, range.endNs);
            lastEnd = std::max(lastEnd, range.endNs);
            row.transferNs = std::min(row.transferNs, call.durationNs());
            if (call.bytes)
                row.bytes = std::max(row.bytes.value_or(0), *call.bytes);
        }
        row.range.endNs = lastEnd;
        row.endSkewNs = lastEnd - firstEnd;
    }

    /// From the begins that were read. Ties go to the first member, which is the lowest rank.
    void measureBegins(CollectiveRow& row) const
    {
        for (std::uint32_t i = 1; i < m_begins.size(); ++i) {
            if (m_begins[i] < m_begins[row.first])
                row.first = i;
            if (m_begins[i] > m_begins[row.last])
                row.last = i;
        }
        const std::int64_t lastNs = m_begins[row.last];
        row.range.beginNs = m_begins[row.first];
        row.skewNs = row.aheadOfLastNs = lastNs - row.range.beginNs;
        double squares = 0;
        for (std::uint32_t i = 0; i < m_begins.size(); ++i) {
            row.waitNs += lastNs - m_begins[i];
            if (i != row.last)
                row.aheadOfLastNs = std::min(row.aheadOfLastNs, lastNs - m_begins[i]);
        }
        const auto count = static_cast<double>(m_begins.size());
        const double mean = static_cast<double>(row.waitNs) / count;
        for (const std::int64_t beginNs : m_begins) {
            const double off = static_cast<double>(lastNs - beginNs) - mean;
            squares += off * off;
        }
        row.spreadNs = std::sqrt(squares / count);
    }

    const CollectiveRows& m_table;
    std::vector<StepFinder> m_steps; ///< by timeline
    std::vector<std::int64_t> m_begins;
};

} // namespace

std::int32_t CollectiveRows::firstRank(const CollectiveRow& row) const
{
    return run->ranks[callsOf(row)[row.first].rank].rank;
}

std::int32_t CollectiveRows::lastRank(const CollectiveRow& row) const
{
    return run->ranks[callsOf(row)[row.last].rank].rank;
}

std::string_view CollectiveRows::nameOf(const Call& call) const
{
    const std::string_view name = call.meta ? model->text(call.meta->name) : std::string_view();
    return name.empty() ? kernelClassName(call.kind) : name;
}

std::string_view CollectiveRows::elementTypeOf(const CollectiveRow& row) const
{
    const Call& call = memberOf(row, 0);
    return call.meta ? model->text(call.meta->elementType) : std::string_view();
}

double CollectiveRows::meanWaitNs(const CollectiveRow& row) const
{
    return static_cast<double>(row.waitNs) / static_cast<double>(instanceOf(row).memberCount);
}

std::optional<double> CollectiveRows::algorithmBandwidth(const CollectiveRow& row) const
{
    if (!row.bytes || row.transferNs <= 0)
        return std::nullopt;
    return static_cast<double>(*row.bytes) / static_cast<double>(row.transferNs); // bytes per ns = GB/s
}

std::optional<double> CollectiveRows::busBandwidth(const CollectiveRow& row) const
{
    const auto bandwidth = algorithmBandwidth(row);
    const auto factor = busFactor(row.kind, row.groupSize);
    return bandwidth && factor ? std::optional(*bandwidth * *factor) : std::nullopt;
}

std::vector<MemberArrival> CollectiveRows::arrivalsOf(const CollectiveRow& row) const
{
    std::vector<MemberArrival> arrivals;
    for (const CallRef member : callsOf(row)) {
        const Call& call = run->callOf(member);
        const auto timeline = static_cast<std::size_t>(call.timeline - model->timelines.data());
        const TimeRange range = clocks.toAxis(timeline, call.range);
        const std::int64_t lateness = range.beginNs - row.range.beginNs;
        arrivals.push_back(
            {run->ranks[member.rank].rank, member.rank, call.slice, range, lateness, row.skewNs - lateness});
    }
    return arrivals;
}

std::optional<std::uint32_t> CollectiveRows::rowOf(std::uint32_t instance) const
{
    const bool isKnown = instance < rowOfInstance.size() && rowOfInstance[instance] != noRow;
    return isKnown ? std::optional(rowOfInstance[instance]) : std::nullopt;
}

UnmatchedRow CollectiveRows::unmatched(std::size_t index) const
{
    const Unmatched& unmatched = run->matching.unmatched[index];
    const Call& call = run->callOf(unmatched.call);
    const auto timeline = static_cast<std::size_t>(call.timeline - model->timelines.data());
    return {run->ranks[unmatched.call.rank].rank, &call, unmatched.reason,
            clocks.toAxis(timeline, call.range)};
}

CollectiveRowsPtr listCollectives(TraceModelPtr model, RunCollectivesPtr run, ClockChoice choice,
                                  const std::function<bool()>& cancelled)
{
    auto table = std::make_shared<CollectiveRows>();
    table->model = std::move(model);
    table->run = std::move(run);
    table->choice = choice;
    table->clocks = table->run->clocks.map(choice);
    const std::vector<Instance>& instances = table->run->matching.instances;
    table->rows.reserve(instances.size());
    RowMaker maker(*table);
    constexpr std::uint32_t askEvery = 1024;
    for (std::uint32_t i = 0; i < instances.size(); ++i) {
        if (i % askEvery == 0 && cancelled())
            return nullptr;
        if (instances[i].memberCount < 2)
            continue;
        table->rows.push_back(maker.make(i));
        table->callsByRule[static_cast<std::size_t>(instances[i].rule)] += instances[i].memberCount;
    }
    std::stable_sort(
        table->rows.begin(), table->rows.end(),
        [](const CollectiveRow& a, const CollectiveRow& b) { return a.range.beginNs < b.range.beginNs; });
    table->rowOfInstance.assign(instances.size(), CollectiveRows::noRow);
    for (std::uint32_t row = 0; row < table->rows.size(); ++row)
        table->rowOfInstance[table->rows[row].instance] = row;
    return table;
}

} // namespace collscope
