// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/common/location.h"

#include "model/queries/slice_query.h"
#include "views/common/format.h"

#include <QCoreApplication>

namespace collscope {

namespace {

struct LocationText
{
    Q_DECLARE_TR_FUNCTIONS(Location)
};

Error notFound(const QString& message)
{
    return {Error::Kind::NotFound, message.toStdString()};
}

/// The slice of a track with that start, preferably also with that end; nullopt if none starts there.
std::optional<SliceRef> sliceBeginningAt(const TraceModel& model, TrackId id, TimeRange own)
{
    const SliceColumns& slices = model.track(id).slices;
    std::optional<SliceRef> found;
    for (std::size_t row = firstStartingAt(slices, own.beginNs);
         row < slices.size() && slices.startNs[row] == own.beginNs; ++row) {
        const bool isSame = slices.range(row) == own;
        if (!found || isSame)
            found = SliceRef{id, static_cast<std::uint32_t>(row)};
        if (isSame)
            break;
    }
    return found;
}

} // namespace

Location locationOf(const ViewState& state)
{
    Location location;
    if (!state.run().model())
        return location;
    location.run = state.run().model()->title;
    location.range = state.selection().range().value_or(state.viewport().visibleRange());
    if (const SliceRef slice = state.selection().slice()) {
        location.rank = state.run().model()->timelineOf(slice).rank;
        location.track = state.run().model()->text(state.run().model()->track(slice.track).name);
        location.range = state.run().model()->rangeOf(slice);
    }
    return location;
}

Status goTo(ViewState& state, const Location& location)
{
    if (!state.run().model())
        return notFound(LocationText::tr("Open a run first."));
    if (state.run().model()->isSummarized())
        return notFound(LocationText::tr("Summaries of ranks contain no events to go to. Open the trace of a "
                                         "rank first."));
    if (!location.rank) {
        if (!state.run().range().overlaps(location.range))
            return notFound(LocationText::tr("That time is outside the run."));
        state.selection().setRange(location.range);
        state.viewport().showRange(location.range);
        return {};
    }
    std::optional<std::size_t> clock; // clock of the track
    for (const Timeline& timeline : state.run().model()->timelines) {
        if (timeline.rank != *location.rank)
            continue;
        for (const TrackId id : timeline.tracks) {
            if (state.run().model()->text(state.run().model()->track(id).name) != location.track)
                continue;
            clock = state.run().model()->indexOf(timeline);
            if (const auto slice = sliceBeginningAt(*state.run().model(), id, location.range)) {
                state.revealSlice(*slice);
                return {};
            }
        }
    }
    if (!clock)
        return notFound(LocationText::tr("This run has no track \u201c%1\u201d on rank %2.")
                            .arg(toText(location.track), QString::number(*location.rank)));
    state.viewport().showRange(state.run().clocks().toAxis(*clock, location.range));
    return notFound(LocationText::tr("No slice starts at that time on %1 of rank %2.")
                        .arg(toText(location.track), QString::number(*location.rank)));
}

} // namespace collscope
