// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the steps of all ranks were made of, as one small picture.

#include "metrics/findings/finding.h"
#include "views/common/time_axis.h"
#include "views/summary/part_fill.h"

namespace collscope {

/// One row of pixels or more for a rank, or for several, of which the one that computes least is shown. From
/// left to right the steps; in a step its parts side by side.
class Composition
{
public:
    /// Only findings of steps have a composition: not nullptr, and not those of a range.
    void setFindings(FindingsPtr findings);
    bool isEmpty() const { return !steps(); }
    /// Paints into a box whose width is that of the axis. O(steps).
    void paint(QPainter& painter, const QRect& box, const TimeAxis& axis, const QPalette& palette);
    /// The step that is painted at a point of the box; nullptr if there is none. O(steps).
    const StepParts* stepAt(QPoint point, const QRect& box, const TimeAxis& axis) const;

private:
    struct Cell
    {
        QRect box;
        const StepParts* step = nullptr;
    };
    const std::vector<StepParts>* steps() const;
    std::vector<Cell> cellsOf(const QRect& box, const TimeAxis& axis) const;

    FindingsPtr m_findings;
    PartFill m_fill;
};

} // namespace collscope
