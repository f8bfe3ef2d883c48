// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/timeline/timeline_painter.h"

#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/common/theme.h"
#include "views/timeline/track_waits.h"

#include <QCoreApplication>
#include <QPainterPath>

#include <algorithm>
#include <map>

namespace collscope {

void TimelinePainter::clear()
{
    m_labels.clear();
}

const QStaticText& TimelinePainter::label(const QPainter& painter, const TraceModel& model, StringId name,
                                          int width)
{
    // Laying out a label takes longer than filling its box a dozen times. Rounding widths to steps lets
    // slices share a label.
    constexpr int step = 8;
    constexpr qsizetype many = 20'000;
    if (m_labelFont != painter.font() || m_labels.size() > many) {
        m_labels.clear();
        m_labelFont = painter.font();
    }
    const int steps = std::min(width / step, 0xffff);
    const quint64 key = static_cast<quint64>(name.value) << 16 | static_cast<quint64>(steps);
    const auto known = m_labels.constFind(key);
    if (known != m_labels.constEnd())
        return *known;
    QStaticText text(
        painter.fontMetrics().elidedText(shortName(model.text(name)), Qt::ElideRight, steps * step));
    text.setTextFormat(Qt::PlainText);
    text.prepare(QTransform(), m_labelFont);
    return *m_labels.insert(key, text);
}

void TimelinePainter::paintRow(QPainter& painter, const QRect& lanes, const TimelineRow& row,
                               const RowPicture& picture, const TimeAxis& axis, const ViewState& state,
                               const GroupLanes& groups, const SliceColors& colors, const QPalette& palette)
{
    const TraceModel& model = *state.run().model();
    for (SliceBox slice : picture.boxes) {
        slice.box.translate(lanes.topLeft());
        paintSlice(painter, slice, model, palette);
    }
    picture.lines.paint(painter, {lanes.left(), lanes.top() + row.yOfLevel(0)}, row.laneHeight,
                        row.sliceHeight(), m_stripe);
    if (row.kind == RowKind::Summary && state.run().collectives())
        paintSummaryWaits(painter, lanes, row, picture.rects, axis, state, groups, colors, palette);
    if (row.instantHeight > 0)
        paintInstants(painter, lanes, row, model.track(row.tracks.front()).instants, axis, palette);
}

/// Hatches the columns of a collapsed rank in which it waits for others.
void TimelinePainter::paintSummaryWaits(QPainter& painter, const QRect& lanes, const TimelineRow& row,
                                        const std::vector<DrawRect>& rects, const TimeAxis& axis,
                                        const ViewState& state, const GroupLanes& groups,
                                        const SliceColors& colors, const QPalette& palette)
{
    std::map<TrackId, TrackWaits> waitsOf;
    QRect hatched;
    KernelClass kind = KernelClass::None;
    const auto flush = [&] {
        if (!hatched.isNull())
            m_hatch.paint(painter, hatched, QColor(colors.fill[static_cast<std::size_t>(kind)]), palette);
        hatched = {};
    };
    for (const DrawRect& rect : rects) {
        std::optional<std::int64_t> arrivedNs;
        if (rect.slice) {
            auto known = waitsOf.find(rect.slice.track);
            if (known == waitsOf.end())
                known = waitsOf
                            .try_emplace(rect.slice.track, *state.run().collectives(), groups,
                                         state.run().clocks(), rect.slice.track, row.timeline)
                            .first;
            arrivedNs = known->second.arrivedNs(rect.slice.row);
        }
        const PixelColumns columns = columnsOf(rect);
        const QRect box(lanes.left() + columns.left, lanes.top() + row.yOfLevel(0), columns.width(),
                        row.laneHeight);
        const bool waits = arrivedNs && axis.timeAt(rect.x + rect.width / 2) < *arrivedNs;
        if (!waits || rect.kernelClass != kind || box.left() != hatched.right() + 1)
            flush();
        if (!waits)
            continue;
        kind = rect.kernelClass;
        hatched = hatched.isNull() ? box : hatched.united(box);
    }
    flush();
}

void TimelinePainter::paintSlice(QPainter& painter, const SliceBox& slice, const TraceModel& model,
                                 const QPalette& palette)
{
    const int waiting = slice.waiting;
    const QColor fill = QColor::fromRgb(slice.fill);
    const QRect body = slice.box.adjusted(waiting, 0, 0, 0);
    painter.fillRect(body, fill);
    if (waiting > 0)
        m_hatch.paint(painter, QRect(slice.box.topLeft(), QSize(waiting, slice.box.height())), fill, palette);
    if (!slice.name)
        return;
    // If the transfer is too short for the name, the name is written on the waiting part and leaves half of
    // it free.
    const bool onBody = waiting == 0 || body.width() >= minLabelWidth;
    const QRect place = onBody ? body : QRect(slice.box.topLeft(), QSize(waiting / 2, slice.box.height()));
    if (place.width() < minLabelWidth)
        return;
    const QRect inner = place.adjusted(4, 0, -2, 0);
    const QStaticText& text = label(painter, model, slice.name, inner.width());
    if (!tellsAName(text.text()))
        return;
    const QPointF at(inner.left(), inner.top() + (inner.height() - painter.fontMetrics().height()) / 2.0);
    if (!onBody)
        painter.fillRect(QRectF(inner.left() - 2, inner.top(), text.size().width() + 4, inner.height()),
                         waitingTint(fill, palette));
    painter.setPen(onBody ? QColor::fromRgb(slice.text) : surfaces(palette).text);
    painter.drawStaticText(at, text);
}

void TimelinePainter::paintInstants(QPainter& painter, const QRect& lanes, const TimelineRow& row,
                                    const InstantColumns& instants, const TimeAxis& axis,
                                    const QPalette& palette)
{
    const std::vector<DrawInstant> drawn = drawInstants(instants, axis);
    const Surfaces colors = surfaces(palette);
    const int top = lanes.top() + row.y;
    const int height = row.instantHeight - 1;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colors.text);
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        const double before = i > 0 ? drawn[i].x - drawn[i - 1].x : height;
        const double after = i + 1 < drawn.size() ? drawn[i + 1].x - drawn[i].x : height;
        const double x = lanes.left() + drawn[i].x;
        if (std::min(before, after) < height) {
            // Diamonds would overlap. The ticks use a dim colour so that a dense strip stays unobtrusive.
            painter.fillRect(QRectF(x, top + 1, 1, height - 2), colors.dimText);
            continue;
        }
        const QPointF centre(x + 0.5, top + height / 2.0);
        const double half = height / 2.0;
        painter.drawPolygon(QPolygonF({centre - QPointF(half, 0), centre - QPointF(0, half),
                                       centre + QPointF(half, 0), centre + QPointF(0, half)}));
    }
    painter.restore();
}

void TimelinePainter::paintHeader(QPainter& painter, const QRect& header, const TimelineRow& row,
                                  const QPalette& palette)
{
    const Surfaces colors = surfaces(palette);
    const int textHeight = std::max(painter.fontMetrics().height(), row.laneHeight);
    const QRect line(header.left() + 10,
                     header.top() + row.instantHeight
                         + (std::min(row.laneHeight, header.height()) - textHeight) / 2,
                     header.width() - 16, textHeight);
    QRect rest = line;
    const auto put = [&](const QString& text, int indent) {
        rest.setLeft(rest.left() + indent);
        painter.drawText(rest, Qt::AlignLeft | Qt::AlignVCenter, text);
        rest.setLeft(rest.left() + painter.fontMetrics().horizontalAdvance(text) + 6);
    };
    if (!row.title.isEmpty()) {
        QFont bold = painter.font();
        bold.setWeight(QFont::DemiBold);
        painter.save();
        painter.setFont(bold);
        painter.setPen(colors.text);
        put(painter.fontMetrics().elidedText(row.title, Qt::ElideRight, rest.width()), 0);
        painter.restore();
    }
    painter.setPen(colors.dimText);
    // The first row of a rank without GPU work shows its threads, so the title needs the marker that opens
    // them.
    const QString mark = row.isExpanded ? QStringLiteral("\u25be") : QStringLiteral("\u25b8");
    if (row.toggle == RowToggle::Rank)
        put(mark, 0);
    else if (row.toggle != RowToggle::None)
        put(row.label + QLatin1Char(' ') + mark, row.title.isEmpty() ? 10 : 0);
    else if (row.title.isEmpty() && !row.label.isEmpty())
        put(row.label, 10);
    const auto fits
        = [&](const QString& note) { return painter.fontMetrics().horizontalAdvance(note) <= rest.width(); };
    const auto shorter = std::find_if(row.shorterNotes.begin(), row.shorterNotes.end(), fits);
    const QString& note = fits(row.note) || shorter == row.shorterNotes.end() ? row.note : *shorter;
    painter.drawText(rest, Qt::AlignRight | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(note, Qt::ElideRight, rest.width()));
    if (row.sharesLastLevel()) {
        const QRect last(line.left(), header.bottom() + 1 - row.laneHeight, line.width(), row.laneHeight);
        painter.drawText(last, Qt::AlignRight | Qt::AlignVCenter,
                         QCoreApplication::translate("Timeline", "levels %1 and deeper").arg(row.levels));
    }
}

void TimelinePainter::paintOutline(QPainter& painter, const QRectF& slice, const QPalette& palette,
                                   double width)
{
    const Surfaces colors = surfaces(palette);
    painter.save();
    QPen pen(colors.base, 1);
    pen.setCosmetic(true);
    painter.setPen(pen);
    painter.drawRect(slice.adjusted(-0.5, -0.5, -0.5, -0.5));
    pen = QPen(colors.accent, width);
    painter.setPen(pen);
    painter.drawRect(slice.adjusted(-2, -2, 1, 1));
    painter.restore();
}

void TimelinePainter::paintFlow(QPainter& painter, QPointF from, QPointF to, const QPalette& palette)
{
    const Surfaces colors = surfaces(palette);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor color = to.x() < from.x() ? colors.worse : colors.text;
    QPen pen(color, 1.3);
    painter.setPen(pen);
    const double bend = std::clamp(std::abs(to.x() - from.x()) / 2, 24.0, 120.0);
    QPainterPath path(from);
    path.cubicTo(from + QPointF(bend, 0), to - QPointF(bend, 0), to);
    painter.drawPath(path);
    painter.setBrush(color);
    painter.drawPolygon(QPolygonF({to, to + QPointF(-7, -3.5), to + QPointF(-7, 3.5)}));
    painter.restore();
}

} // namespace collscope
