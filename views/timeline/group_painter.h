// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Lanes of process groups -> pixels: a hatched fan from the first to the last arrival, then the transfer.

#include "views/common/hatch.h"
#include "views/rows/group_lanes.h"

#include <QFont>
#include <QHash>
#include <QImage>
#include <QPainter>
#include <QStaticText>

#include <array>

namespace collscope {

/// The inputs for drawing rows of process groups.
struct GroupScene
{
    const ViewState& state;
    const GroupLanes& groups;
    const std::vector<bool>& evidence; ///< indexed by instance; empty: nothing is emphasised
    const QPalette& palette;
};

class GroupPainter
{
public:
    /// Discards labels cached for another run.
    void clear() { m_labels.clear(); }

    /// Paints the collectives of one group. `axis` is the common axis; `lanes` is the target area, whose left
    /// edge is the start of the axis.
    void paintLane(QPainter& painter, const QRect& lanes, const TimelineRow& row, const TimeAxis& axis,
                   const GroupScene& scene);
    /// Paints several groups as one strip.
    void paintDensity(QPainter& painter, const QRect& lanes, const TimelineRow& row, const TimeAxis& axis,
                      const GroupDensity& density, const QPalette& palette);

private:
    /// One collective, in widget px.
    struct Box
    {
        const DrawCollective* collective = nullptr;
        QRect fan, body; ///< either may be empty
        QColor hue;
        bool isFaded = false; ///< not part of the evidence
    };
    /// Hues of all classes for one palette, computed once per frame.
    struct Hues
    {
        explicit Hues(const GroupScene& scene);
        std::array<QColor, kernelClassCount> plain, faded;
        std::array<QRgb, kernelClassCount> tint, fadedTint;
    };
    static Box boxOf(const DrawCollective& collective, int lanesLeft, int top, int height);
    void paintCollective(QPainter& painter, const QRect& lanes, const TimeAxis& axis, const Box& box,
                         const GroupScene& scene);
    /// Tints the area before each rank's arrival, one step per rank: a rank that has not arrived does not
    /// wait.
    static void paintSteps(QPainter& painter, const QRect& lanes, const TimeAxis& axis, const Box& box,
                           const GroupScene& scene);
    void paintLabel(QPainter& painter, const Box& box, const GroupScene& scene);
    /// Returns name and size, elided to about `width`.
    const QStaticText& label(const QPainter& painter, const RunCollectives& run,
                             const DrawCollective& collective, int width);

    Hatch m_hatch;
    QImage m_stripe; ///< scratch memory for one level of a row
    QHash<QPair<quint64, quint64>, QStaticText> m_labels; ///< keyed by size, class and width
    QFont m_labelFont; ///< font of m_labels
};

} // namespace collscope
