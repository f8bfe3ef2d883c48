// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/common/mark_painter.h"

#include "views/common/theme.h"

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {

constexpr int flagWidth = 9; ///< px
constexpr int flagHeight = 9;

struct FlagPosition
{
    std::int64_t timeNs;
    QString note;
    int x; ///< px from the left edge
};

/// The visible marks, from left to right.
std::vector<FlagPosition> flagsInSight(const TimeAxis& axis, const RunEdits& edits)
{
    std::vector<FlagPosition> flags;
    const auto add = [&](std::int64_t timeNs, const QString& note) {
        const double x = axis.xOf(timeNs);
        if (x > -flagWidth && x < axis.width())
            flags.push_back({timeNs, note, static_cast<int>(std::floor(x))});
    };
    for (const Mark& mark : edits.marks())
        add(mark.timeNs, mark.note);
    if (edits.temporaryMark())
        add(*edits.temporaryMark(), {});
    std::stable_sort(flags.begin(), flags.end(),
                     [](const FlagPosition& a, const FlagPosition& b) { return a.x < b.x; });
    return flags;
}

} // namespace

void paintMarkLines(QPainter& painter, const QRect& area, const TimeAxis& axis, const RunEdits& edits,
                    const QPalette& palette)
{
    const Surfaces colors = surfaces(palette);
    painter.save();
    painter.setClipRect(area, Qt::IntersectClip);
    for (const FlagPosition& flag : flagsInSight(axis, edits)) {
        const bool isTemporary = flag.timeNs == edits.temporaryMark();
        QPen pen(colors.worse, 1, isTemporary ? Qt::DashLine : Qt::SolidLine);
        pen.setCosmetic(true);
        painter.setPen(pen);
        painter.drawLine(area.left() + flag.x, area.top(), area.left() + flag.x, area.bottom());
    }
    painter.restore();
}

void paintMarkFlags(QPainter& painter, const QRect& ruler, const TimeAxis& axis, const RunEdits& edits,
                    const QPalette& palette)
{
    const Surfaces colors = surfaces(palette);
    const std::vector<FlagPosition> flags = flagsInSight(axis, edits);
    painter.save();
    painter.setClipRect(ruler, Qt::IntersectClip);
    for (std::size_t i = 0; i < flags.size(); ++i) {
        const FlagPosition& flag = flags[i];
        const bool isCurrent = flag.timeNs == edits.currentMark();
        const QRect cloth(ruler.left() + flag.x, ruler.top() + 2, flagWidth, flagHeight);
        painter.setPen(colors.worse);
        painter.setBrush(isCurrent ? QBrush(colors.worse) : QBrush(colors.base));
        painter.drawRect(cloth.adjusted(0, 0, -1, -1));
        painter.fillRect(cloth.left(), cloth.top(), 1, ruler.height(), colors.worse);
        if (flag.note.isEmpty())
            continue;
        const int end = i + 1 < flags.size() ? flags[i + 1].x : ruler.width();
        const int room = end - flag.x - flagWidth - 10;
        const QString text = painter.fontMetrics().elidedText(flag.note, Qt::ElideRight, room);
        if (text.size() < 2)
            continue;
        // The note covers the numbers of the ruler, because overlapping texts would be unreadable.
        const QRect box(cloth.right() + 2, ruler.top() + 1, painter.fontMetrics().horizontalAdvance(text) + 6,
                        ruler.height() - 3);
        painter.fillRect(box, colors.base);
        painter.setPen(colors.text);
        painter.drawText(box, Qt::AlignCenter, text);
    }
    painter.restore();
}

std::optional<std::int64_t> markFlagAt(const TimeAxis& axis, const RunEdits& edits, double x)
{
    std::optional<std::int64_t> found;
    for (const FlagPosition& flag : flagsInSight(axis, edits)) {
        if (x >= flag.x - 1 && x <= flag.x + flagWidth)
            found = flag.timeNs;
    }
    return found;
}

} // namespace collscope
