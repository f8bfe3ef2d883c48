// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Tool tips of the timeline. Times are on the common axis.

#include "views/format.h"
#include "views/moment.h"
#include "views/timeline/group_text.h"
#include "views/timeline/timeline_view.h"

#include <algorithm>

namespace collscope {

QString TimelineView::toolTipAt(QPoint position) const
{
    const TimelineRow* row = rowAtViewport(position.y());
    if (position.x() < lanesRect().left())
        return row ? row->toolTip : QString();
    if (const RangeLabel label = rangeLabel(); label.box.contains(position))
        return rangeLabelToolTip(label, position);
    if (const auto instance = collectiveAt(position))
        return collectiveToolTip(*m_state, m_groups, *instance);
    if (const auto slice = sliceAt(position))
        return sliceToolTip(*slice);
    const auto instant = row ? instantAt(*row, position) : std::nullopt;
    return instant ? instantToolTip(m_state->model()->track(row->tracks.front()), *instant) : QString();
}

QString TimelineView::rangeLabelToolTip(const RangeLabel& label, QPoint position) const
{
    if (label.button.box.contains(position))
        return tr("Compute the metrics for this range");
    const RangeSummaryPtr& summary = m_state->rangeSummary();
    const TimeRange range = *m_state->selectedRange();
    return summary && summary->range == range ? rangeToolTip(*summary)
                                              : formatDurationExact(range.lengthNs());
}

QString TimelineView::instantToolTip(const Track& track, const DrawInstant& instant) const
{
    const TraceModel& model = *m_state->model();
    const QString more = instant.count > 1
        ? tr("<br>and %1 more in this pixel; zoom in to separate them").arg(formatCount(instant.count - 1))
        : QString();
    return QStringLiteral("<p style='white-space:pre-wrap'><b>%1</b></p><p>%2<br>%3%4</p>")
        .arg(
            toText(model.text(track.instants.name[instant.first])).left(400).toHtmlEscaped(),
            tr("at %1, no duration")
                .arg(MomentText(*m_state).of(
                    m_state->clocks().toAxis(track.timeline.value, track.instants.timeNs[instant.first]), 1)),
            tr("rank %1, %2")
                .arg(model.timeline(track.timeline).rank)
                .arg(toText(model.text(track.name)).toHtmlEscaped()),
            more);
}

QString TimelineView::sliceToolTip(SliceRef slice) const
{
    const TraceModel& model = *m_state->model();
    const TimeRange range = m_state->rangeOf(slice);
    const Track& track = model.track(slice.track);
    return QStringLiteral("<p style='white-space:pre-wrap'><b>%1</b></p><p>%2 \u00b7 %3<br>%4</p>")
        .arg(toText(model.nameOf(slice)).left(400).toHtmlEscaped(), formatDuration(range.lengthNs()),
             tr("at %1").arg(
                 MomentText(*m_state).of(range.beginNs, std::max<std::int64_t>(range.lengthNs() / 10, 1))),
             tr("rank %1, %2")
                 .arg(model.timelineOf(slice).rank)
                 .arg(toText(model.text(track.name)).toHtmlEscaped()));
}

} // namespace collscope
