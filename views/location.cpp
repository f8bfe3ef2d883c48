// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/location.h"

#include "model/slice_query.h"
#include "views/format.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <cstdlib>

namespace collscope {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("Location", text);
}

/// The slice of a track that begins at a time of the axis, the outermost of several; nullopt if none does.
std::optional<SliceRef> sliceBeginningAt(const ViewState& state, TrackId id, TimeRange range)
{
    const Track& track = state.model()->track(id);
    // Back from the axis a drifting clock may round to the neighbour.
    constexpr std::int64_t roundingNs = 1;
    const std::int64_t own = state.clocks().fromAxis(track.timeline.value, range.beginNs);
    std::optional<SliceRef> found;
    for (std::size_t row = firstStartingAt(track.slices, own - roundingNs);
         row < track.slices.size() && track.slices.startNs[row] <= own + roundingNs; ++row) {
        const bool hasLength
            = std::abs(track.slices.range(row).lengthNs() - range.lengthNs()) <= 2 * roundingNs;
        if (!found || hasLength)
            found = SliceRef{id, static_cast<std::uint32_t>(row)};
        if (hasLength)
            break;
    }
    return found;
}

} // namespace

std::optional<Location> parseLocation(const QString& text)
{
    static const QRegularExpression shape(
        QStringLiteral("^(.*?)@(?:(\\d{1,9}):(.*):)?(-?\\d{1,18})-(-?\\d{1,18})$"));
    const QRegularExpressionMatch match = shape.match(text.trimmed());
    if (!match.hasMatch())
        return std::nullopt;
    Location location;
    location.run = match.captured(1);
    if (!match.captured(2).isEmpty())
        location.rank = match.captured(2).toInt();
    location.track = match.captured(3);
    location.range = {match.captured(4).toLongLong(), match.captured(5).toLongLong()};
    return location.range.lengthNs() >= 0 ? std::optional(location) : std::nullopt;
}

QString locationText(const Location& location)
{
    const QString range = QStringLiteral("%1-%2").arg(location.range.beginNs).arg(location.range.endNs);
    const QString place
        = location.rank ? QStringLiteral("%1:%2:").arg(*location.rank).arg(location.track) : QString();
    return location.run + QLatin1Char('@') + place + range;
}

Location locationOf(const ViewState& state)
{
    Location location;
    if (!state.model())
        return location;
    location.run = toText(state.model()->title);
    location.range = state.selectedRange().value_or(state.visibleRange());
    if (const SliceRef slice = state.selectedSlice()) {
        location.rank = state.model()->timelineOf(slice).rank;
        location.track = toText(state.model()->text(state.model()->track(slice.track).name));
        location.range = state.rangeOf(slice);
    }
    return location;
}

QString goTo(ViewState& state, const Location& location)
{
    if (!state.model())
        return tr("Open a run first.");
    if (!location.rank) {
        if (!state.runRange().overlaps(location.range))
            return tr("The run does not reach to that time.");
        state.setSelectedRange(location.range);
        state.showRange(location.range);
        return {};
    }
    bool hasTrack = false;
    for (const Timeline& timeline : state.model()->timelines) {
        if (timeline.rank != *location.rank)
            continue;
        for (const TrackId id : timeline.tracks) {
            if (toText(state.model()->text(state.model()->track(id).name)) != location.track)
                continue;
            hasTrack = true;
            if (const auto slice = sliceBeginningAt(state, id, location.range)) {
                state.revealSlice(*slice);
                return {};
            }
        }
    }
    if (!hasTrack)
        return tr("The run has no %1 on rank %2.").arg(location.track).arg(*location.rank);
    state.showRange(location.range);
    return tr("No slice begins there on %1 of rank %2.").arg(location.track).arg(*location.rank);
}

} // namespace collscope
