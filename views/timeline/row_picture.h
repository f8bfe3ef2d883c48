// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// What a row of slices shows, as data without a painter, so that several cores can make the pictures of the
// rows in sight.

#include "model/text/pass_names.h"
#include "views/rows/draw_list.h"
#include "views/rows/group_lanes.h"
#include "views/rows/pixel_lines.h"
#include "views/state/view_state.h"

#include <QColor>
#include <QPalette>
#include <QRect>

#include <array>
#include <vector>

namespace collscope {

/// The colours of slices for one palette, made once a frame.
struct SliceColors
{
    static constexpr std::size_t categories = static_cast<std::size_t>(SliceCategory::Other) + 1;
    static constexpr std::size_t passes = static_cast<std::size_t>(PassKind::Mixed) + 1;

    std::array<QRgb, kernelClassCount> fill;
    std::array<QRgb, kernelClassCount> text;
    std::array<QRgb, categories> cpu; ///< of slices on CPU threads without a class
    std::array<QRgb, passes> pass; ///< of passes of an inference server; None is not used
    QRgb base, dimText;

    explicit SliceColors(const QPalette& palette);
};

/// A slice that is painted by itself: it may have a name, or a part in which it waits for other ranks.
struct SliceBox
{
    QRect box; ///< px from the top left of the row's lanes
    int waiting = 0; ///< px at its start in which it waits for other ranks
    QRgb fill, text;
    StringId name;
};

struct RowPicture
{
    std::vector<DrawRect> rects; ///< of a summary, whose waiting parts are hatched; else empty
    /// Painted first: a slice that is wide enough for a name lies in no slice that is not, so none of these
    /// covers what it should not.
    std::vector<SliceBox> boxes;
    PixelLines lines; ///< all other slices
};

/// What a row of the kind Stream, Stack or Summary shows. `width` in px. `axis` is in the row's own time.
/// Reads `state`, which nobody may change meanwhile.
RowPicture pictureOf(const TimelineRow& row, const TimeAxis& axis, int width, const ViewState& state,
                     const GroupLanes& groups, const SliceColors& colors);

} // namespace collscope
