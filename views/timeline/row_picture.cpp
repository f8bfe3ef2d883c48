// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/timeline/row_picture.h"

#include "metrics/analysis/serving_passes.h"
#include "views/common/palette.h"
#include "views/common/theme.h"
#include "views/timeline/track_waits.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace collscope {

namespace {

/// Kind of a pass of an inference server, derived from its annotation.
PassKind passOf(const TraceModel& model, const DrawRect& rect)
{
    return rect.kernelClass == KernelClass::None && rect.slice ? passKindOf(model.nameOf(rect.slice))
                                                               : PassKind::None;
}

/// Tells which slices of a row a search or a metric did not find.
class Fading
{
public:
    Fading(const TimelineRow& row, const Emphasis& emphasis)
        : m_emphasis(emphasis)
        , m_isActive(emphasis.isActive() && row.kind != RowKind::Summary)
    {
        if (m_isActive && emphasis.evidence().empty())
            m_found.emplace(*emphasis.matches(), row.tracks.front()); // it can match half of a million slices
    }

    bool fades(const DrawRect& rect)
    {
        if (!m_isActive)
            return false;
        return m_found ? !m_found->contains(rect.slice.row) : !m_emphasis.contains(rect.slice);
    }

private:
    const Emphasis& m_emphasis;
    const bool m_isActive;
    std::optional<TrackMatches> m_found;
};

/// How a slice is painted.
struct SliceLook
{
    QRgb fill;
    QRgb text; ///< 0: the ink on `fill`
};

SliceLook lookOf(const TraceModel& model, const TimelineRow& row, const DrawRect& rect, bool isFaded,
                 const SliceColors& colors)
{
    const bool isNamed = rect.kernelClass != KernelClass::None;
    const auto kernelClass = static_cast<std::size_t>(rect.kernelClass);
    QRgb fill = row.kind == RowKind::Stack && !isNamed ? colors.cpu[static_cast<std::size_t>(rect.category)]
                                                       : colors.fill[kernelClass];
    if (const PassKind pass = passOf(model, rect); pass != PassKind::None)
        fill = colors.pass[static_cast<std::size_t>(pass)];
    if (rect.coverage < 1)
        fill = blended(fill, colors.base, shadeOf(rect.coverage));
    if (isFaded)
        return {blended(fill, colors.base, 0.5f), colors.dimText};
    return {fill, isNamed ? colors.text[kernelClass] : 0};
}

} // namespace

SliceColors::SliceColors(const QPalette& palette)
    : base(surfaces(palette).base.rgb())
    , dimText(surfaces(palette).dimText.rgb())
{
    for (std::size_t c = 0; c < fill.size(); ++c) {
        const QColor color = kernelColor(static_cast<KernelClass>(c), palette);
        fill[c] = color.rgb();
        text[c] = textOn(color).rgb();
    }
    for (std::size_t c = 0; c < cpu.size(); ++c)
        cpu[c] = cpuColor(static_cast<SliceCategory>(c), palette).rgb();
    pass[0] = base;
    for (std::size_t p = 1; p < pass.size(); ++p)
        pass[p] = passColor(static_cast<PassKind>(p), palette).rgb();
}

RowPicture pictureOf(const TimelineRow& row, const TimeAxis& axis, int width, const ViewState& state,
                     const GroupLanes& groups, const SliceColors& colors)
{
    constexpr int leastWaiting = 3; // px
    const TraceModel& model = *state.run().model();
    const bool isSummary = row.kind == RowKind::Summary;
    const int height = row.sliceHeight();
    RowPicture picture{drawRow(model, row, axis), {}, PixelLines(width)};
    TrackWaits waits;
    if (row.kind == RowKind::Stream && state.run().collectives())
        waits = TrackWaits(*state.run().collectives(), groups, state.run().clocks(), row.tracks.front(),
                           row.timeline);
    Fading fading(row, state.emphasis());
    std::vector<std::pair<const DrawRect*, QRgb>> narrow;
    for (const DrawRect& rect : picture.rects) {
        const PixelColumns columns = columnsOf(rect);
        SliceLook look = lookOf(model, row, rect, fading.fades(rect), colors);
        if (columns.areNarrow()) {
            narrow.emplace_back(&rect, look.fill);
            continue;
        }
        // A hairline of background separates adjacent slices of the same class.
        SliceBox slice{{columns.left, row.yOfLevel(rect.level), columns.width() - 1, height},
                       0,
                       look.fill,
                       look.text,
                       rect.name};
        if (const auto arrived = waits.arrivedNs(rect.slice.row)) {
            const int until = static_cast<int>(std::floor(axis.xOf(*arrived)));
            const int waiting = std::clamp(until - columns.left, 0, slice.box.width());
            slice.waiting = waiting >= leastWaiting ? waiting : 0;
        }
        const bool isPlain = slice.waiting == 0 && (!slice.name || slice.box.width() < minLabelWidth);
        if (isPlain) {
            picture.lines.fill(rect.level, columns.left, columns.right - 1, slice.fill);
            continue;
        }
        if (slice.text == 0)
            slice.text = textOn(QColor::fromRgb(slice.fill)).rgb();
        picture.boxes.push_back(slice);
    }
    for (const auto& [rect, fill] : narrow) {
        const PixelColumns columns = columnsOf(*rect);
        picture.lines.fill(rect->level, columns.left, columns.right, fill);
    }
    if (!isSummary)
        picture.rects.clear();
    return picture;
}

} // namespace collscope
