// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/tables/call_rows.h"

#include "metrics/partition/partition.h"

namespace collscope {

namespace {

const StepWindow* windowOf(const TableSource& source, std::optional<std::size_t> step)
{
    return step ? &source.windows.all()[*step] : nullptr;
}

std::optional<std::uint64_t> largestBytes(const RunCollectives& run, const CollectiveInstance& instance)
{
    std::optional<std::uint64_t> bytes;
    for (const CallRef member : run.matching.membersOf(instance)) {
        if (const auto own = run.callOf(member).bytes)
            bytes = std::max(bytes.value_or(0), *own);
    }
    return bytes;
}

/// Passes on the calls of one rank or collective.
class MemberRows
{
public:
    MemberRows(TableSource& source, const TakeTyped<MemberTableRow>& take)
        : m_source(source)
        , m_run(source.run())
        , m_partition(partitionOf(*source.every))
        , m_timer(source)
        , m_take(take)
    {
        for (const RankCalls& rank : m_run.ranks)
            m_reasons.emplace_back(rank.calls.size(), unseen);
        for (const Unmatched& unmatched : m_run.matching.unmatched)
            m_reasons[unmatched.call.rank][unmatched.call.call] = static_cast<std::uint8_t>(unmatched.reason);
    }

    /// The calls of all collectives, in their order, then those without one, by rank.
    bool all()
    {
        const std::vector<CollectiveInstance>& instances = m_run.matching.instances;
        for (std::uint32_t i = 0; i < instances.size(); ++i) {
            if (!membersOf(i))
                return false;
        }
        for (std::uint32_t rank = 0; rank < m_run.ranks.size(); ++rank) {
            for (std::uint32_t call = 0; call < m_run.ranks[rank].calls.size(); ++call) {
                if (m_reasons[rank][call] != written && !one({rank, call}, {}, {}, {}, {}))
                    return false;
            }
        }
        return true;
    }

private:
    static constexpr std::uint8_t unseen = 0xff, written = 0xfe;

    bool membersOf(std::uint32_t number)
    {
        const CollectiveInstance& instance = m_run.matching.instances[number];
        const std::span<const CallRef> members = m_run.matching.membersOf(instance);
        if (members.size() < 2) {
            for (const CallRef member : members) {
                if (!one(member, {}, instance.group, {}, {}))
                    return false;
            }
            return true;
        }
        m_timer.measure(instance);
        for (std::size_t i = 0; i < members.size(); ++i) {
            if (!one(members[i], number, instance.group, m_timer.waitOf(i), m_timer.latenessOf(i)))
                return false;
        }
        return true;
    }

    bool one(CallRef ref, std::optional<std::uint32_t> collective, std::optional<std::uint32_t> group,
             std::optional<std::int64_t> waitNs, std::optional<std::int64_t> latenessNs)
    {
        const TraceModel& model = m_source.model();
        const Call& call = m_run.callOf(ref);
        std::uint8_t& reason = m_reasons[ref.rank][ref.call];
        MemberTableRow row{model,
                           m_next++,
                           call,
                           m_run.ranks[ref.rank].rank,
                           m_source.every->onAxis(call),
                           collective,
                           group,
                           waitNs,
                           latenessNs,
                           {},
                           m_source.windows.of(call, model)};
        if (reason < written)
            row.unmatched = static_cast<UnmatchedReason>(reason);
        reason = written;
        row.window = windowOf(m_source, row.step);
        const ExposedCalls& calls = m_partition.calls;
        const std::size_t place = calls.firstAt(call.slice);
        if (place < calls.times.size() && calls.times[place].slice == call.slice
            && calls.shares[place].isCounted)
            row.share = &calls.shares[place];
        return m_take(row);
    }

    TableSource& m_source;
    const RunCollectives& m_run;
    const Partition& m_partition;
    TableTimer m_timer;
    const TakeTyped<MemberTableRow>& m_take;
    std::vector<std::vector<std::uint8_t>> m_reasons; ///< UnmatchedReason, or one of the above
    std::int64_t m_next = 0;
};

} // namespace

TableTimer::TableTimer(TableSource& source)
    : m_timer(source.run().timer(source.model(), source.every->clocks()))
{
    const RunCollectives& run = source.run();
    if (run.clocks.fitsPoorly(source.every->options().clocks))
        m_byDuration.emplace(source.model(), run.ranks, run.matching, source.every->clocks(), true);
}

void TableTimer::measure(const CollectiveInstance& instance)
{
    m_times = m_timer.of(instance);
    m_waits = m_byDuration ? m_byDuration->of(instance) : m_times;
}

std::optional<std::int64_t> TableTimer::waitOf(std::size_t member) const
{
    const CollectiveTimer& timer = m_byDuration ? *m_byDuration : m_timer;
    return m_waits.tellsWaits ? std::optional(timer.waits()[member]) : std::nullopt;
}

std::optional<std::int64_t> TableTimer::latenessOf(std::size_t member) const
{
    const CollectiveTimer& timer = m_byDuration ? *m_byDuration : m_timer;
    return m_waits.tellsWaits ? std::optional(timer.lateness()[member]) : std::nullopt;
}

std::string forEachCollectiveRow(TableSource& source, const TakeTyped<CollectiveTableRow>& take)
{
    const TraceModel& model = source.model();
    const RunCollectives& run = source.run();
    std::vector<std::int64_t> next(run.matching.groups.size(), 0);
    TableTimer timer(source);
    for (std::uint32_t i = 0; i < run.matching.instances.size(); ++i) {
        const CollectiveInstance& instance = run.matching.instances[i];
        const std::int64_t ordinal = next[instance.group]++;
        if (instance.memberCount < 2)
            continue;
        timer.measure(instance);
        CollectiveTableRow row{
            model, run, i, ordinal, timer.times(), timer.waits(), largestBytes(run, instance), {}, nullptr};
        row.step = source.windows.of(row.call(timer.times().first), model);
        row.window = windowOf(source, row.step);
        if (!take(row))
            break;
    }
    if (run.ranks.size() < 2)
        return "Calls are matched over the ranks of a run, and only one rank was loaded.";
    return run.matching.skipped + run.matching.mismatched > 0
        ? "Not all calls could be matched; members says which and why."
        : std::string();
}

std::string forEachMemberRow(TableSource& source, const TakeTyped<MemberTableRow>& take)
{
    MemberRows(source, take).all();
    return {};
}

} // namespace collscope
