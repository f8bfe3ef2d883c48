// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/timeline/timeline_tool_tips.h"

#include "views/common/format.h"
#include "views/common/moment.h"
#include "views/rows/group_text.h"
#include "views/summary/finding_label.h"
#include "views/timeline/timeline_geometry.h"
#include "views/timeline/timeline_rows.h"

#include <QCoreApplication>

#include <algorithm>

namespace collscope {

namespace {

struct TipText
{
    Q_DECLARE_TR_FUNCTIONS(TimelineToolTips)
};

QString rangeLabelToolTip(const ViewState& state, const RangeLabel& label, QPoint position)
{
    if (label.button.box.contains(position))
        return TipText::tr("Compute the metrics for this range");
    const RangeSummaryPtr& summary = state.selection().summary();
    const TimeRange range = *state.selection().range();
    return summary && summary->range == range ? rangeToolTip(*summary)
                                              : formatDurationExact(range.lengthNs());
}

QString instantToolTip(const ViewState& state, const Track& track, const DrawInstant& instant)
{
    const TraceModel& model = *state.run().model();
    const QString more = instant.count > 1
        ? TipText::tr("<br>and %1 more in this pixel; zoom in to separate them")
              .arg(formatCount(instant.count - 1))
        : QString();
    return QStringLiteral("<p style='white-space:pre-wrap'><b>%1</b></p><p>%2<br>%3%4</p>")
        .arg(toText(model.text(track.instants.name[instant.first])).left(400).toHtmlEscaped(),
             TipText::tr("at %1, no duration")
                 .arg(MomentText(state).of(
                     state.run().clocks().toAxis(track.timeline.value, track.instants.timeNs[instant.first]),
                     1)),
             TipText::tr("rank %1, %2")
                 .arg(model.timeline(track.timeline).rank)
                 .arg(toText(model.text(track.name)).toHtmlEscaped()),
             more);
}

QString gapToolTip(const ViewState& state, const LaneGap& gap, std::int32_t rank)
{
    const QString name = toText(state.run().model()->text(gap.name)).left(400);
    const QString cause = name.isEmpty() ? idleCauseLabel(gap.cause)
        : blamesNextEvent(gap.cause)     ? TipText::tr("%1, before %2").arg(idleCauseLabel(gap.cause), name)
                                         : TipText::tr("%1, mostly %2").arg(idleCauseLabel(gap.cause), name);
    return QStringLiteral("<p style='white-space:pre-wrap'><b>%1</b></p><p>%2</p>")
        .arg(
            TipText::tr("The GPU of rank %1 is idle: %2").arg(rank).arg(formatDuration(gap.range.lengthNs())),
            cause.toHtmlEscaped());
}

QString sliceToolTip(const ViewState& state, SliceRef slice)
{
    const TraceModel& model = *state.run().model();
    const TimeRange range = state.run().rangeOf(slice);
    const Track& track = model.track(slice.track);
    return QStringLiteral("<p style='white-space:pre-wrap'><b>%1</b></p><p>%2 \u00b7 %3<br>%4</p>")
        .arg(toText(model.nameOf(slice)).left(400).toHtmlEscaped(), formatDuration(range.lengthNs()),
             TipText::tr("at %1").arg(
                 MomentText(state).of(range.beginNs, std::max<std::int64_t>(range.lengthNs() / 10, 1))),
             TipText::tr("rank %1, %2")
                 .arg(model.timelineOf(slice).rank)
                 .arg(toText(model.text(track.name)).toHtmlEscaped()));
}

} // namespace

QString timelineToolTip(const TimelineGeometry& geometry, QPoint position)
{
    const ViewState& state = geometry.state();
    const TimelineRow* row = geometry.rowAt(position.y());
    if (position.x() < geometry.lanesRect().left())
        return row ? row->toolTip : QString();
    if (const RangeLabel label = geometry.rangeLabel(); label.box.contains(position))
        return rangeLabelToolTip(state, label, position);
    if (const auto instance = geometry.collectiveAt(position))
        return collectiveToolTip(state, geometry.rows().groups(), *instance);
    if (const auto gap = geometry.gapAt(position))
        return gapToolTip(state, *gap, state.run().model()->timeline(row->timeline).rank);
    if (const auto slice = geometry.sliceAt(position))
        return sliceToolTip(state, *slice);
    const auto instant = row ? geometry.instantAt(*row, position) : std::nullopt;
    return instant ? instantToolTip(state, state.run().model()->track(row->tracks.front()), *instant)
                   : QString();
}

} // namespace collscope
