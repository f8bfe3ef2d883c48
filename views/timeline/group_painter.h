// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Lanes of process groups -> pixels: from the first arrival to the last one a hatched fan, then the transfer.

#include "views/hatch.h"
#include "views/timeline/group_lanes.h"

#include <QFont>
#include <QHash>
#include <QImage>
#include <QPainter>
#include <QStaticText>

#include <array>

namespace collscope {

/// What the rows of process groups are drawn from.
struct GroupScene
{
    const ViewState& state;
    const GroupLanes& groups;
    const std::vector<bool>& evidence; ///< by instance; empty: nothing is emphasised
    const QPalette& palette;
};

class GroupPainter
{
public:
    /// Forgets what belongs to another run.
    void clear() { m_labels.clear(); }

    /// The collectives of one group. `axis` is the common one, `lanes` where they go (left edge = its begin).
    void paintLane(QPainter& painter, const QRect& lanes, const TimelineRow& row, const TimeAxis& axis,
                   const GroupScene& scene);
    /// Several groups as one strip.
    void paintDensity(QPainter& painter, const QRect& lanes, const TimelineRow& row, const TimeAxis& axis,
                      const GroupDensity& density, const QPalette& palette);

private:
    /// One collective in px of the widget.
    struct Box
    {
        const DrawCollective* collective = nullptr;
        QRect fan, body; ///< either may be empty
        QColor hue;
    };
    /// Hues of all classes for one palette, so that a frame asks once.
    struct Hues
    {
        explicit Hues(const GroupScene& scene);
        std::array<QColor, kernelClassCount> plain, faded;
        std::array<QRgb, kernelClassCount> tint, fadedTint;
    };
    static Box boxOf(const DrawCollective& collective, int lanesLeft, int top, int height);
    void paintCollective(QPainter& painter, const QRect& lanes, const TimeAxis& axis, const Box& box,
                         const GroupScene& scene);
    /// Tints what is left of each rank's arrival, one step per rank: who has not come yet does not wait.
    static void paintSteps(QPainter& painter, const QRect& lanes, const TimeAxis& axis, const Box& box,
                           const GroupScene& scene);
    void paintLabel(QPainter& painter, const Box& box, const GroupScene& scene);
    /// Name and size, elided to about this width.
    const QStaticText& label(const QPainter& painter, const RunCollectives& run,
                             const DrawCollective& collective, int width);

    Hatch m_hatch;
    QImage m_stripe; ///< memory for one level of a row
    QHash<QPair<quint64, quint64>, QStaticText> m_labels; ///< by size, class and width
    QFont m_labelFont; ///< of m_labels
};

} // namespace collscope
