// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/summary/part_fill.h"

#include "metrics/looks/part_looks.h"
#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/common/theme.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>

namespace collscope {

namespace {

struct PartLabels
{
    Q_DECLARE_TR_FUNCTIONS(PartLabels)
};

/// partLabels, for translators.
constexpr std::array<const char*, partCount> translatedLabels{
    QT_TRANSLATE_NOOP("PartLabels", "computing"), QT_TRANSLATE_NOOP("PartLabels", "exposed communication"),
    QT_TRANSLATE_NOOP("PartLabels", "waiting for other ranks"),
    QT_TRANSLATE_NOOP("PartLabels", "exposed copies"), QT_TRANSLATE_NOOP("PartLabels", "idle")};
static_assert(std::equal(translatedLabels.begin(), translatedLabels.end(), partLabels.begin()));

} // namespace

QString partLabel(Part part)
{
    return PartLabels::tr(translatedLabels[static_cast<std::size_t>(part)]);
}

QString partShareText(std::int64_t ns, std::int64_t wholeNs)
{
    const double percent = wholeNs > 0 ? 100.0 * static_cast<double>(ns) / static_cast<double>(wholeNs) : 0;
    return QLocale().toString(percent, 'f', percent < 10 && ns > 0 ? 1 : 0) + QStringLiteral(" %");
}

PartSet unknownParts(const Findings& findings)
{
    PartSet unknown;
    for (std::size_t part = 0; part < partCount; ++part)
        unknown[part] = !findings.whyUnknown(static_cast<Part>(part)).empty();
    return unknown;
}

QString partsText(const PartTimes& parts, PartSet unknown)
{
    QStringList texts;
    for (std::size_t i = 0; i < partCount; ++i) {
        const auto part = static_cast<Part>(i);
        texts << (unknown[i] ? PartLabels::tr("%1 unknown").arg(partLabel(part))
                             : PartLabels::tr("%1 %2, %3")
                                   .arg(partLabel(part), formatDuration(parts.of(part)),
                                        partShareText(parts.of(part), parts.total())));
    }
    return texts.join(QStringLiteral("; "));
}

void PartFill::paint(QPainter& painter, const QRect& box, Part part, const QPalette& palette)
{
    const KernelClass hue = partHue(part);
    if (part == Part::Waiting)
        return m_hatch.paint(painter, box, kernelColor(hue, palette), palette);
    painter.fillRect(box, hue == KernelClass::None ? surfaces(palette).line : kernelColor(hue, palette));
}

void PartFill::paintStack(QPainter& painter, const QRect& box, const PartTimes& parts,
                          const QPalette& palette)
{
    const std::int64_t wholeNs = parts.total();
    if (wholeNs <= 0)
        return;
    const auto x = [&](std::int64_t ns) {
        return box.left()
            + static_cast<int>(
                   std::lround(static_cast<double>(ns) / static_cast<double>(wholeNs) * box.width()));
    };
    std::int64_t beforeNs = 0;
    for (std::size_t i = 0; i < partCount; ++i) {
        const auto part = static_cast<Part>(i);
        const std::int64_t afterNs = beforeNs + parts.of(part);
        if (x(afterNs) > x(beforeNs))
            paint(painter, {x(beforeNs), box.top(), x(afterNs) - x(beforeNs), box.height()}, part, palette);
        beforeNs = afterNs;
    }
}

} // namespace collscope
