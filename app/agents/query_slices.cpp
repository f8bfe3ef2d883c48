// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What ran at a place: the slices of a location, a rank or a time range.

#include "app/agents/agent_query.h"
#include "app/cli/command_interrupts.h"
#include "model/kernels/kernel_names.h"
#include "model/queries/location_text.h"
#include "model/queries/slice_filter.h"
#include "model/text/lower_case.h"

#include <algorithm>

namespace collscope {

namespace {

enum class SliceOrder : std::uint8_t
{
    Duration,
    Time
};

class SlicesQuery : public AgentQuery
{
    std::string m_locationText, m_name;
    std::optional<Location> m_location;
    SliceOrder m_order = SliceOrder::Duration;
    RowChoice m_rows;

    void declareQuery() override
    {
        options.text("--location", m_locationText, "LOCATION",
                     "A location of another answer; its rank and time choose the slices");
        options.text("--named", m_name, "TEXT", "Only slices with this text in their name, in any case");
        options.choice("--order", m_order, {{"duration", SliceOrder::Duration}, {"time", SliceOrder::Time}},
                       "The longest first, or the earliest");
        m_rows.declare(options);
    }
    Status check() override;
    Result<std::string> answer(Analysis& analysis) const override;
    TimeRange windowOf(Analysis& analysis, std::size_t timeline) const;
    std::optional<std::int32_t> wantedRank() const
    {
        return m_location && m_location->rank ? m_location->rank : selection.options.rank;
    }
};

Status SlicesQuery::check()
{
    if (Status checked = AgentQuery::check(); !checked || m_locationText.empty())
        return checked;
    m_location = parseLocation(m_locationText);
    if (!m_location)
        return usageError("--location takes run@rank:track:begin-end or run@begin-end, not '" + m_locationText
                          + "'.");
    if (selection.options.range)
        return usageError("--location and --range both choose a time; give one of them.");
    return {};
}

/// In the timeline's own time; empty: nothing is wanted of it.
TimeRange SlicesQuery::windowOf(Analysis& analysis, std::size_t timeline) const
{
    const Timeline& own = analysis.model().timelines[timeline];
    const auto rank = wantedRank();
    if (rank && own.rank != *rank)
        return {};
    // A slice without a duration is at a place, too.
    const auto withEnd = [](TimeRange range) {
        return TimeRange{range.beginNs, std::max(range.endNs, range.beginNs + 1)};
    };
    if (m_location && m_location->rank)
        return withEnd(m_location->range);
    if (m_location)
        return withEnd(analysis.clocks().fromAxis(timeline, m_location->range));
    if (selection.options.range)
        return analysis.clocks().fromAxis(timeline, *selection.options.range);
    return {own.range.beginNs, own.range.endNs + 1};
}

Value sliceValue(Analysis& analysis, SliceRef slice)
{
    const TraceModel& model = analysis.model();
    const Track& track = model.track(slice.track);
    const TimeRange axis = onAxis(analysis, slice);
    const KernelClass kernelClass = model.classOf(slice);
    return Value::Object{
        {"rank", model.timelineOf(slice).rank},
        {"track", shortCell(model.text(track.name))},
        {"name", shortCell(model.nameOf(slice))},
        {"class", kernelClass == KernelClass::None ? Value() : Value(kernelClassName(kernelClass))},
        {"begin_ns", axis.beginNs},
        {"duration_ns", track.slices.durationNs[slice.row]},
        {"depth", static_cast<std::int64_t>(track.slices.depth[slice.row])},
        {"location", locationOf(model, slice, axis)}};
}

Result<std::string> SlicesQuery::answer(Analysis& analysis) const
{
    const TraceModel& model = analysis.model();
    const std::vector<std::int32_t> ranks = model.ranks();
    const auto rank = wantedRank();
    if (rank && std::find(ranks.begin(), ranks.end(), *rank) == ranks.end())
        return Error{Error::Kind::NotFound,
                     "This run has no timeline for rank " + std::to_string(*rank) + "."};
    std::vector<TimeRange> windows;
    for (std::size_t i = 0; i < model.timelines.size(); ++i)
        windows.push_back(windowOf(analysis, i));
    const SliceMatchesPtr found = slicesDuring(model, windows, interruptToken());
    if (!found)
        return Error{Error::Kind::Cancelled, "cancelled."};
    const std::string wanted = lowered(m_name);
    NameVerdicts names(
        model, wanted.empty() ? NameTest() : [&](std::string_view name) {
            return lowered(name).find(wanted) != std::string::npos;
        });
    TopRows rows(m_rows.most);
    std::int64_t totalNs = 0;
    for (const SliceMatches::InTrack& track : found->tracks) {
        const SliceColumns& slices = model.track(track.track).slices;
        for (const std::uint32_t row : track.rows) {
            if (!names.isWanted(slices.name[row]))
                continue;
            const SliceRef slice{track.track, row};
            const std::int64_t ns = slices.durationNs[row];
            totalNs += ns;
            rows.add(m_order == SliceOrder::Time ? -onAxis(analysis, slice).beginNs : ns,
                     [&] { return sliceValue(analysis, slice); });
        }
    }
    return rows.text({{"schema", "collscope.mcp.slices/1"},
                      {"total_ns", totalNs},
                      {"note",
                       "Slices nest on CPU threads, so that total_ns counts a time more than once. "
                       "begin_ns is on the axis, duration_ns on the rank's own clock."}});
}

} // namespace

std::unique_ptr<ProgramCommand> slicesQuery()
{
    return std::make_unique<SlicesQuery>();
}

} // namespace collscope
