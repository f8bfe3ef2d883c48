// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/timeline/group_painter.h"

#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/common/theme.h"
#include "views/rows/group_text.h"
#include "views/rows/pixel_lines.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {

constexpr int leastFan = 3; ///< px; a narrower fan is only tinted
constexpr int leastSteps = 12; ///< px; minimum width of a fan that shows the ranks' arrivals as steps
constexpr int leastStep = 3; ///< px; height per rank

/// Arrival of each rank, ascending, in px from the left of the lanes.
std::vector<double> arrivals(const GroupScene& scene, const TimeAxis& axis, std::uint32_t instance)
{
    const RunCollectives& run = *scene.state.run().collectives();
    std::vector<double> xs;
    for (const CallRef member : run.matching.membersOf(run.matching.instances[instance])) {
        const Call& call = run.callOf(member);
        const std::size_t timeline = scene.state.run().model()->track(call.slice.track).timeline.value;
        xs.push_back(axis.xOf(scene.state.run().clocks().toAxis(timeline, call.range.beginNs)));
    }
    std::sort(xs.begin(), xs.end());
    return xs;
}

} // namespace

const QStaticText& GroupPainter::label(const QPainter& painter, const RunCollectives& run,
                                       const DrawCollective& collective, int width)
{
    constexpr int step = 8;
    constexpr qsizetype many = 20'000;
    if (m_labelFont != painter.font() || m_labels.size() > many) {
        m_labels.clear();
        m_labelFont = painter.font();
    }
    const std::uint32_t instance = collective.instance;
    const Call& call = run.callOf(run.matching.membersOf(run.matching.instances[instance]).front());
    const int steps = width / step;
    const quint64 look = static_cast<quint64>(call.kind) << 33
        | static_cast<quint64>(collective.contradicts ? 1 : 0) << 32 | static_cast<quint64>(steps);
    const QPair<quint64, quint64> key(call.bytes.value_or(~quint64{0}), look);
    const auto known = m_labels.constFind(key);
    if (known != m_labels.constEnd())
        return *known;
    QString full = collectiveTitle(run, instance);
    if (collective.contradicts)
        full += QStringLiteral("  ")
            + QCoreApplication::translate("GroupLanes", "ends before all ranks arrive: clocks differ");
    QStaticText text(painter.fontMetrics().elidedText(full, Qt::ElideRight, steps * step));
    text.setTextFormat(Qt::PlainText);
    text.prepare(QTransform(), m_labelFont);
    return *m_labels.insert(key, text);
}

GroupPainter::Box GroupPainter::boxOf(const DrawCollective& collective, int lanesLeft, int top, int height)
{
    const bool hasBody = collective.arrivedX < collective.endX && !collective.contradicts;
    const int left = static_cast<int>(std::floor(collective.x));
    const int right = std::max(left + 1, static_cast<int>(std::floor(collective.endX)));
    // Even a very short transfer is drawn.
    const int arrived
        = hasBody ? std::min(static_cast<int>(std::floor(collective.arrivedX)), right - 1) : right;
    Box box;
    box.collective = &collective;
    box.fan = QRect(lanesLeft + left, top, arrived - left, height);
    box.body = QRect(lanesLeft + arrived, top, right - arrived, height);
    return box;
}

GroupPainter::Hues::Hues(const GroupScene& scene)
{
    const QRgb base = surfaces(scene.palette).base.rgb();
    for (std::size_t kind = 0; kind < plain.size(); ++kind) {
        plain[kind] = kernelColor(static_cast<KernelClass>(kind), scene.palette);
        faded[kind] = QColor(blended(plain[kind].rgb(), base, 0.4f));
        tint[kind] = waitingTint(plain[kind], scene.palette).rgb();
        fadedTint[kind] = waitingTint(faded[kind], scene.palette).rgb();
    }
}

void GroupPainter::paintLane(QPainter& painter, const QRect& lanes, const TimelineRow& row,
                             const TimeAxis& axis, const GroupScene& scene)
{
    const QRgb base = surfaces(scene.palette).base.rgb();
    const int height = row.laneHeight - (row.levels > 1 ? 1 : 0);
    const std::vector<DrawCollective> drawn
        = drawLane(scene.groups, scene.groups.lanes()[row.lanes.front()], axis);
    PixelLines lines(lanes.width());
    std::vector<Box> wide;
    const Hues hues(scene);
    for (const DrawCollective& collective : drawn) {
        Box box = boxOf(collective, lanes.left(), lanes.top() + row.yOfLevel(collective.level), height);
        const bool faded = !scene.evidence.empty() && !scene.evidence[collective.instance];
        const auto kind = static_cast<std::size_t>(collective.kind);
        const QColor& hue = faded ? hues.faded[kind] : hues.plain[kind];
        if (box.fan.width() + box.body.width() > 3) {
            box.hue = hue;
            box.isFaded = faded;
            wide.push_back(box);
            continue;
        }
        const int left = box.fan.left() - lanes.left();
        const int arrived = left + box.fan.width();
        lines.fill(collective.level, left, arrived, faded ? hues.fadedTint[kind] : hues.tint[kind]);
        lines.fill(collective.level, arrived, arrived + box.body.width(),
                   blended(hue.rgb(), base, shadeOf(collective.coverage)));
    }
    lines.paint(painter, {lanes.left(), lanes.top() + row.y}, row.laneHeight, height, m_stripe);
    for (Box& box : wide) {
        // A hairline of background separates adjacent boxes.
        QRect& last = box.body.width() > 1 || box.fan.isEmpty() ? box.body : box.fan;
        if (box.body.width() != 1)
            last.setWidth(last.width() - 1);
        paintCollective(painter, lanes, axis, box, scene);
    }
}

void GroupPainter::paintCollective(QPainter& painter, const QRect& lanes, const TimeAxis& axis,
                                   const Box& box, const GroupScene& scene)
{
    const bool contradicts = box.collective->contradicts;
    if (box.fan.width() >= leastFan) {
        m_hatch.paint(painter, box.fan, box.hue, scene.palette);
        if (box.fan.width() >= leastSteps && !contradicts)
            paintSteps(painter, lanes, axis, box, scene);
    } else if (!box.fan.isEmpty()) {
        painter.fillRect(box.fan, waitingTint(box.hue, scene.palette));
    }
    if (!box.body.isEmpty())
        painter.fillRect(box.body, box.hue);
    if (contradicts) {
        // Impossible on these clocks. The box may have the colour used for errors, so the mark uses the text
        // colour.
        const QColor mark = surfaces(scene.palette).text;
        painter.fillRect(QRect(box.fan.left(), box.fan.top(), box.fan.width(), 1), mark);
        painter.fillRect(QRect(box.fan.left(), box.fan.bottom(), box.fan.width(), 1), mark);
    }
    paintLabel(painter, box, scene);
}

void GroupPainter::paintSteps(QPainter& painter, const QRect& lanes, const TimeAxis& axis, const Box& box,
                              const GroupScene& scene)
{
    const std::vector<double> xs = arrivals(scene, axis, box.collective->instance);
    const auto ranks = static_cast<int>(xs.size());
    const int steps = std::min(ranks, box.fan.height() / leastStep);
    const QColor tint = waitingTint(box.hue, scene.palette);
    for (int step = 0; step < steps && steps > 1; ++step) {
        // If the height does not suffice for all ranks, only some are shown, always including the first and
        // last.
        const auto nth = static_cast<std::size_t>(step * (ranks - 1) / (steps - 1));
        const double x = std::clamp(std::floor(xs[nth]) + lanes.left(), static_cast<double>(box.fan.left()),
                                    static_cast<double>(box.fan.right() + 1));
        const int top = box.fan.top() + step * box.fan.height() / steps;
        const int bottom = box.fan.top() + (step + 1) * box.fan.height() / steps;
        painter.fillRect(QRect(box.fan.left(), top, static_cast<int>(x) - box.fan.left(), bottom - top),
                         tint);
    }
}

void GroupPainter::paintLabel(QPainter& painter, const Box& box, const GroupScene& scene)
{
    // If the transfer is too short for the name, the name is written on the fan and leaves half of it free.
    const bool onBody = box.body.width() >= minLabelWidth;
    const int free = box.collective->contradicts ? 0 : box.fan.width() / 2;
    const QRect place = onBody ? box.body : box.fan.adjusted(0, 0, -free, 0);
    if (place.width() < minLabelWidth)
        return;
    const QRect inner = place.adjusted(4, 0, -2, 0);
    const QStaticText& text
        = label(painter, *scene.state.run().collectives(), *box.collective, inner.width());
    if (!tellsAName(text.text()))
        return;
    if (!onBody)
        painter.fillRect(QRectF(inner.left() - 2, inner.top(), text.size().width() + 4, inner.height()),
                         waitingTint(box.hue, scene.palette));
    const Surfaces colors = surfaces(scene.palette);
    painter.setPen(box.isFaded ? colors.dimText : onBody ? textOn(box.hue) : colors.text);
    painter.drawStaticText(
        QPointF(inner.left(), inner.top() + (inner.height() - painter.fontMetrics().height()) / 2.0), text);
}

void GroupPainter::paintDensity(QPainter& painter, const QRect& lanes, const TimelineRow& row,
                                const TimeAxis& axis, const GroupDensity& density, const QPalette& palette)
{
    const QRgb base = surfaces(palette).base.rgb();
    PixelLines lines(lanes.width());
    for (const DrawRect& rect : density.draw(axis))
        lines.fill(0, static_cast<int>(rect.x), static_cast<int>(rect.x + rect.width),
                   blended(kernelColor(rect.kernelClass, palette).rgb(), base, shadeOf(rect.coverage)));
    lines.paint(painter, {lanes.left(), lanes.top() + row.y}, row.laneHeight, row.laneHeight, m_stripe);
}

} // namespace collscope
