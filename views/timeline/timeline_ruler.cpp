// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/timeline/timeline_ruler.h"

#include "metrics/core/clock_map.h"
#include "model/trace_model.h"
#include "views/common/format.h"
#include "views/common/moment.h"
#include "views/common/palette.h"
#include "views/common/theme.h"

#include <QCoreApplication>

#include <algorithm>
#include <utility>

namespace collscope {

void paintRuler(QPainter& painter, const QRect& area, const TimeAxis& axis, const MomentText& moments,
                const QPalette& palette)
{
    const Surfaces colors = surfaces(palette);
    painter.save();
    painter.setClipRect(area);
    const std::int64_t step = axis.tickStep(moments.tickSpacing());
    for (const TimeAxis::Tick& tick : axis.ticks(step, moments.originNs())) {
        const int x = area.left() + static_cast<int>(tick.x);
        const int length = tick.major ? 8 : 4;
        painter.fillRect(x, area.bottom() - length, 1, length, tick.major ? colors.dimText : colors.line);
        const QString label = tick.major ? moments.of(tick.timeNs, step) : QString();
        const bool fits = x + 4 + painter.fontMetrics().horizontalAdvance(label) <= area.right();
        if (tick.major && fits) {
            painter.setPen(colors.dimText);
            painter.drawText(QRect(x + 4, area.top(), 200, area.height() - 4),
                             Qt::AlignLeft | Qt::AlignVCenter, label);
        }
    }
    painter.fillRect(area.left(), area.bottom(), area.width(), 1, colors.line);
    painter.restore();
}

void paintGrid(QPainter& painter, const QRect& area, const TimeAxis& axis, const MomentText& moments,
               const QPalette& palette)
{
    const QColor color = surfaces(palette).grid;
    for (const TimeAxis::Tick& tick : axis.ticks(axis.tickStep(moments.tickSpacing()), moments.originNs())) {
        if (tick.major && tick.x >= 0)
            painter.fillRect(area.left() + static_cast<int>(tick.x), area.top(), 1, area.height(), color);
    }
}

namespace {

/// Puts the kind of a pass first, because the name is long.
QString stepText(std::string_view name, PassKind pass)
{
    switch (pass) {
    case PassKind::Prefill:
        return QCoreApplication::translate("TimelineRuler", "prefill %1").arg(toText(name));
    case PassKind::Decode:
        return QCoreApplication::translate("TimelineRuler", "decode %1").arg(toText(name));
    case PassKind::Mixed:
        return QCoreApplication::translate("TimelineRuler", "prefill and decode %1").arg(toText(name));
    case PassKind::None:
        break;
    }
    return toText(name);
}

} // namespace

void paintSteps(QPainter& painter, const QRect& area, const TimeAxis& common, const TraceModel& model,
                const ClockMap& clocks, const QPalette& palette)
{
    const auto marked
        = std::find_if(model.timelines.begin(), model.timelines.end(), [](const Timeline& timeline) {
              return timeline.stepSource != StepSource::WholeTrace && !timeline.steps.empty();
          });
    const Surfaces colors = surfaces(palette);
    if (marked == model.timelines.end()) {
        painter.setPen(colors.dimText);
        painter.drawText(area.adjusted(8, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         QCoreApplication::translate("TimelineRuler", "No step markers in this run"));
        return;
    }
    const auto timeline = model.indexOf(*marked);
    const TimeAxis axis(clocks.fromAxis(timeline, common.range()), common.width());
    painter.save();
    painter.setClipRect(area);
    bool odd = false;
    int taken = -1; // column of a step of one pixel: a server may have thousands of passes in it
    for (const Step& step : marked->steps) {
        odd = !odd;
        const double left = std::max(axis.xOf(step.range.beginNs), 0.0);
        const double right = std::min(axis.xOf(step.range.endNs), axis.width());
        if (right <= left)
            continue;
        const QRect box(area.left() + static_cast<int>(left), area.top() + 2,
                        std::max(1, static_cast<int>(right - left) - 1), area.height() - 4);
        if (box.width() == 1 && std::exchange(taken, box.left()) == box.left())
            continue;
        const PassKind pass = passKindOf(model.text(step.name));
        const QColor fill = pass != PassKind::None ? passColor(pass, palette)
            : odd                                  ? colors.line
                                                   : colors.grid;
        painter.fillRect(box, fill);
        if (marked->stepSource == StepSource::Detected) {
            painter.setPen(QPen(colors.dimText, 1, Qt::DashLine));
            painter.drawRect(box.adjusted(0, 0, -1, -1));
        }
        if (box.width() < 40)
            continue;
        const QString text = stepText(model.text(step.name), pass) + QStringLiteral("   ")
            + formatDuration(step.range.lengthNs());
        painter.setPen(pass != PassKind::None ? textOn(fill) : colors.text);
        const QRect inner = box.adjusted(7, 0, -4, 0);
        painter.drawText(inner, Qt::AlignLeft | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(text, Qt::ElideRight, inner.width()));
    }
    painter.restore();
}

} // namespace collscope
