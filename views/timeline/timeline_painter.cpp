// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/timeline/timeline_painter.h"

#include "views/format.h"
#include "views/palette.h"
#include "views/theme.h"

#include <QPainterPath>

#include <array>
#include <cmath>

namespace collscope {

namespace {

QColor blended(const QColor& over, const QColor& under, float share)
{
    const auto mix = [share](int a, int b) {
        return static_cast<int>(static_cast<float>(a) * share + static_cast<float>(b) * (1 - share));
    };
    return {mix(over.red(), under.red()), mix(over.green(), under.green()), mix(over.blue(), under.blue())};
}

/// Colours of all classes for one palette, so that a frame asks once.
struct ClassColors
{
    std::array<QColor, kernelClassCount> fill, text;

    explicit ClassColors(const QPalette& palette)
    {
        for (int c = 0; c < kernelClassCount; ++c) {
            fill[static_cast<std::size_t>(c)] = kernelColor(static_cast<KernelClass>(c), palette);
            text[static_cast<std::size_t>(c)] = textOn(fill[static_cast<std::size_t>(c)]);
        }
    }
};

} // namespace

void TimelinePainter::clear()
{
    m_densities.clear();
    m_labels.clear();
}

QString TimelinePainter::label(const TraceModel& model, StringId name)
{
    const auto known = m_labels.constFind(name.value);
    if (known != m_labels.constEnd())
        return *known;
    return *m_labels.insert(name.value, shortName(model.text(name)));
}

void TimelinePainter::paintRow(QPainter& painter, const QRect& lanes, const TimelineRow& row,
                               const TimeAxis& axis, const ViewState& state, const QPalette& palette)
{
    const TraceModel& model = *state.model();
    const ClassColors colors(palette);
    const Surfaces surface = surfaces(palette);
    const bool dimming = !state.evidence().empty();
    const bool isSummary = row.kind == RowKind::Summary;
    const int gap = row.kind == RowKind::Stream || isSummary ? 0 : 1;
    for (const DrawRect& rect : drawRow(model, row, axis, m_densities)) {
        const int left = lanes.left() + static_cast<int>(std::floor(rect.x));
        const int right = lanes.left() + static_cast<int>(std::floor(rect.x + rect.width));
        // A hairline of background keeps neighbours of one class apart.
        const int width = std::max(1, right - left - (right - left > 3 ? 1 : 0));
        const QRect box(left, row.y + lanes.top() + rect.depth * row.laneHeight, width, row.laneHeight - gap);
        const auto c = static_cast<std::size_t>(rect.kernelClass);
        QColor fill = colors.fill[c];
        if (rect.coverage < 1)
            fill = blended(fill, surface.base, rect.coverage);
        const bool faded = dimming && !isSummary && !state.isEvidence(rect.slice);
        if (faded)
            fill = blended(fill, surface.base, 0.5f);
        painter.fillRect(box, fill);
        if (!rect.name || width < minLabelWidth)
            continue;
        const QRect inner = box.adjusted(4, 0, -2, 0);
        const QString text
            = painter.fontMetrics().elidedText(label(model, rect.name), Qt::ElideRight, inner.width());
        if (text.size() < 4)
            continue;
        painter.setPen(faded ? surface.dimText : colors.text[c]);
        painter.drawText(inner, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, text);
    }
}

void TimelinePainter::paintHeader(QPainter& painter, const QRect& header, const TimelineRow& row,
                                  const QPalette& palette)
{
    const Surfaces colors = surfaces(palette);
    const int textHeight = std::max(painter.fontMetrics().height(), row.laneHeight);
    const QRect line(header.left() + 10,
                     header.top() + (std::min(row.laneHeight, header.height()) - textHeight) / 2,
                     header.width() - 16, textHeight);
    QRect rest = line;
    if (!row.title.isEmpty()) {
        QFont bold = painter.font();
        bold.setWeight(QFont::DemiBold);
        painter.save();
        painter.setFont(bold);
        painter.setPen(colors.text);
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, row.title);
        rest.setLeft(line.left() + painter.fontMetrics().horizontalAdvance(row.title) + 6);
        painter.restore();
    } else if (!row.label.isEmpty()) {
        rest.setLeft(line.left() + 10);
        painter.setPen(colors.dimText);
        const QString label = row.expandable
            ? row.label + (row.expanded ? QStringLiteral(" \u25be") : QStringLiteral(" \u25b8"))
            : row.label;
        painter.drawText(rest, Qt::AlignLeft | Qt::AlignVCenter, label);
        rest.setLeft(rest.left() + painter.fontMetrics().horizontalAdvance(label) + 6);
    }
    painter.setPen(colors.dimText);
    painter.drawText(rest, Qt::AlignRight | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(row.note, Qt::ElideRight, rest.width()));
}

void TimelinePainter::paintOutline(QPainter& painter, const QRectF& slice, const QPalette& palette)
{
    const Surfaces colors = surfaces(palette);
    painter.save();
    QPen pen(colors.base, 1);
    pen.setCosmetic(true);
    painter.setPen(pen);
    painter.drawRect(slice.adjusted(-0.5, -0.5, -0.5, -0.5));
    pen = QPen(colors.accent, 2);
    pen.setCosmetic(true);
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
