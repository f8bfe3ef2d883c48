// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Pictures of rows -> pixels. Fills rectangles aligned to device pixels, without pen or antialiasing; elides
// and caches labels.

#include "views/common/hatch.h"
#include "views/timeline/row_picture.h"

#include <QFont>
#include <QHash>
#include <QImage>
#include <QPainter>
#include <QStaticText>

namespace collscope {

class TimelinePainter
{
public:
    /// Discards data cached for another run.
    void clear();

    /// Paints the slices and instants of a row. `lanes` is the target area in widget px; its left edge is the
    /// start of the axis. `axis` is in the row's own time. The time that a communication kernel waits for
    /// other ranks is hatched. `picture` is of this row, axis and state.
    void paintRow(QPainter& painter, const QRect& lanes, const TimelineRow& row, const RowPicture& picture,
                  const TimeAxis& axis, const ViewState& state, const GroupLanes& groups,
                  const SliceColors& colors, const QPalette& palette);
    /// Paints the row's title, label and note into the column of names.
    static void paintHeader(QPainter& painter, const QRect& header, const TimelineRow& row,
                            const QPalette& palette);
    /// Paints the outline of the selected slice, or a thinner one around related slices. `width` in px.
    static void paintOutline(QPainter& painter, const QRectF& slice, const QPalette& palette,
                             double width = 2);
    /// Paints an arrow from a launch call to its kernel, in a warning colour if the kernel starts before its
    /// launch.
    static void paintFlow(QPainter& painter, QPointF from, QPointF to, const QPalette& palette);

private:
    void paintSummaryWaits(QPainter& painter, const QRect& lanes, const TimelineRow& row,
                           const std::vector<DrawRect>& rects, const TimeAxis& axis, const ViewState& state,
                           const GroupLanes& groups, const SliceColors& colors, const QPalette& palette);
    void paintSlice(QPainter& painter, const SliceBox& slice, const TraceModel& model,
                    const QPalette& palette);
    static void paintInstants(QPainter& painter, const QRect& lanes, const TimelineRow& row,
                              const InstantColumns& instants, const TimeAxis& axis, const QPalette& palette);
    /// Returns the name, elided to about `width` in the painter's font, ready to be drawn.
    const QStaticText& label(const QPainter& painter, const TraceModel& model, StringId name, int width);

    Hatch m_hatch;
    QImage m_stripe; ///< scratch memory for one level of a row
    QHash<quint64, QStaticText> m_labels; ///< keyed by name and width
    QFont m_labelFont; ///< font of m_labels
};

} // namespace collscope
