// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/matching/collective_rows.h"

#include "metrics/core/step_rows.h"

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {

/// Creates the rows of one run, reusing shared data.
class RowMaker
{
public:
    explicit RowMaker(const CollectiveRows& table)
        : m_table(table)
        , m_timer(table.run->timer(*table.model, table.clocks))
    {
        static const std::vector<Step> none;
        for (const Timeline& timeline : table.model->timelines)
            m_steps.emplace_back(timeline.stepSource == StepSource::WholeTrace ? none : timeline.steps);
    }

    CollectiveRow make(std::uint32_t index)
    {
        CollectiveRow row;
        row.instance = index;
        const CollectiveInstance& instance = m_table.run->matching.instances[index];
        const auto members = m_table.run->matching.membersOf(instance);
        row.times = m_timer.of(instance);
        row.spreadNs = spreadOfBegins(row.times);
        for (const CallRef member : members) {
            if (const auto bytes = m_table.run->callOf(member).bytes)
                row.bytes = std::max(row.bytes.value_or(0), *bytes);
        }
        const Call& call = m_table.run->callOf(members.front());
        const ProcessGroup& group = m_table.run->matching.groups[instance.group];
        row.kind = call.kind;
        row.isPointToPoint = isPointToPoint(*m_table.model, call);
        row.groupSize = call.groupSize > 0 ? call.groupSize : group.size;
        const bool isPair = group.kind == ProcessGroup::Kind::Pair;
        row.expected = isPair ? 2 : std::max(row.groupSize, static_cast<std::int32_t>(group.expected));
        const Call& first = m_table.run->callOf(members[row.times.first]);
        const std::size_t timeline = m_table.model->indexOf(*first.timeline);
        if (const std::int32_t step = m_steps[timeline].at(first.range.beginNs); step >= 0)
            row.step = first.timeline->steps[static_cast<std::size_t>(step)].number;
        row.isLate = row.times.skewNs() > m_table.run->clocks.significantNs(m_table.choice);
        return row;
    }

private:
    double spreadOfBegins(const CollectiveTimes& times) const
    {
        const auto count = static_cast<double>(m_timer.members().size());
        double mean = 0;
        for (const TimeRange member : m_timer.members())
            mean += static_cast<double>(times.arrivals.endNs - member.beginNs) / count;
        double squares = 0;
        for (const TimeRange member : m_timer.members()) {
            const double off = static_cast<double>(times.arrivals.endNs - member.beginNs) - mean;
            squares += off * off;
        }
        return std::sqrt(squares / count);
    }

    const CollectiveRows& m_table;
    std::vector<StepFinder> m_steps; ///< by timeline
    CollectiveTimer m_timer;
};

} // namespace

std::int32_t CollectiveRows::firstRank(const CollectiveRow& row) const
{
    return run->ranks[callsOf(row)[row.times.first].rank].rank;
}

std::int32_t CollectiveRows::lastRank(const CollectiveRow& row) const
{
    return run->ranks[callsOf(row)[row.times.last].rank].rank;
}

std::string_view CollectiveRows::elementTypeOf(const CollectiveRow& row) const
{
    const Call& call = memberOf(row, 0);
    return call.meta ? model->text(call.meta->elementType) : std::string_view();
}

std::optional<double> CollectiveRows::meanWaitNs(const CollectiveRow& row) const
{
    if (!row.times.tellsWaits)
        return std::nullopt;
    return static_cast<double>(row.times.waitNs) / static_cast<double>(instanceOf(row).memberCount);
}

std::optional<double> CollectiveRows::algorithmBandwidth(const CollectiveRow& row) const
{
    if (!row.bytes || row.times.transferNs <= 0 || !row.times.tellsTransfer)
        return std::nullopt;
    return gigabytesPerSecond(*row.bytes, row.times.transferNs);
}

std::optional<double> CollectiveRows::busBandwidth(const CollectiveRow& row) const
{
    const auto bandwidth = algorithmBandwidth(row);
    const auto factor = busFactor(row.kind, row.groupSize);
    return bandwidth && factor ? std::optional(*bandwidth * *factor) : std::nullopt;
}

CollectiveRow CollectiveRows::describe(std::uint32_t instance) const
{
    return RowMaker(*this).make(instance);
}

std::vector<MemberArrival> CollectiveRows::arrivalsOf(const CollectiveRow& row) const
{
    std::vector<MemberArrival> arrivals;
    CollectiveTimer timer = run->timer(*model, clocks);
    timer.of(instanceOf(row));
    const std::span<const CallRef> members = callsOf(row);
    for (std::size_t i = 0; i < members.size(); ++i) {
        const TimeRange range = timer.members()[i];
        arrivals.push_back({run->ranks[members[i].rank].rank, run->callOf(members[i]).slice, range,
                            range.beginNs - row.times.arrivals.beginNs, timer.waits()[i]});
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
    return {run->ranks[unmatched.call.rank].rank, &call, unmatched.reason,
            clocks.toAxis(model->indexOf(*call.timeline), call.range)};
}

CollectiveRows withoutRows(TraceModelPtr model, RunCollectivesPtr run, ClockChoice choice)
{
    CollectiveRows table;
    table.model = std::move(model);
    table.run = std::move(run);
    table.choice = choice;
    table.clocks = table.run->clocks.map(choice);
    return table;
}

CollectiveRowsPtr listCollectives(TraceModelPtr model, RunCollectivesPtr run, ClockChoice choice,
                                  const std::function<bool()>& cancelled)
{
    auto table = std::make_shared<CollectiveRows>(withoutRows(std::move(model), std::move(run), choice));
    const std::vector<CollectiveInstance>& instances = table->run->matching.instances;
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
    std::stable_sort(table->rows.begin(), table->rows.end(),
                     [](const CollectiveRow& a, const CollectiveRow& b) {
                         return a.times.arrivals.beginNs < b.times.arrivals.beginNs;
                     });
    table->rowOfInstance.assign(instances.size(), CollectiveRows::noRow);
    for (std::uint32_t row = 0; row < table->rows.size(); ++row)
        table->rowOfInstance[table->rows[row].instance] = row;
    return table;
}

} // namespace collscope
