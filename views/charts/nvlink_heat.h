// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// NVLink throughput of all GPUs as a map of GPU by time, on the timeline's time axis.

#include "metrics/counters/nvlink_curves.h"
#include "metrics/counters/nvlink_needs.h"
#include "views/charts/chart_legend.h"
#include "views/common/time_axis.h"
#include "views/state/run_context.h"

#include <QPainter>

#include <array>
#include <optional>
#include <vector>

namespace collscope {

/// A row per GPU, by rank; GPUs without a rank last. A pixel has the colour of the highest sample in it, sent
/// or received, relative to the highest of all GPUs. The lower part of a row shows in the same colours what
/// collectives need to send.
class NvlinkHeat
{
public:
    /// The run must outlive it. `curves` may be nullptr: no rows.
    void setCurves(const RunContext& run, std::shared_ptr<const NvlinkCurves> curves);
    /// nullptr: not known yet. Kept until the next setCurves().
    void setNeeds(std::shared_ptr<const NvlinkNeeds> needs);
    /// What collectives need of a GPU at a time of its counters, GB/s per direction; nullopt: not told.
    std::optional<double> needAt(std::size_t device, std::int64_t timeNs) const;
    /// Device indices, by row.
    const std::vector<std::size_t>& rows() const { return m_rows; }

    /// The row at a height of the plot; nullopt outside.
    std::optional<std::size_t> rowAt(const QRectF& plot, double y) const;
    QRectF rectOf(const QRectF& plot, std::size_t row) const;
    /// The part of a row on the plot that shows needs; empty if they are not known or the row is too low.
    QRectF needsPartOf(const QRectF& plot, std::size_t row) const;
    /// The highest sample of a GPU within a range of the axis; nullopt: nothing was sampled there.
    struct Cell
    {
        TimeRange range; ///< of the sample, on the axis
        double gigabytesPerSecond = 0;
        LinkDirection direction = LinkDirection::Tx;
    };
    std::optional<Cell> cellOf(std::size_t device, TimeRange onAxis) const;

    /// Paints rows, and left of the plot their ranks, as far as there is room. O(rows x width x log samples).
    /// `chosen`: the device whose row is marked.
    void paint(QPainter& painter, const QRectF& plot, const TimeAxis& axis, std::optional<std::size_t> chosen,
               const QPalette& palette) const;
    /// For a plot: where its rows are too low, it has no needs.
    ChartLegend legend(const QRectF& plot, const QPalette& palette) const;

private:
    /// One curve, or two of which the higher one counts.
    using Curves = std::array<const SampledCurve*, 2>;
    void paintCells(QPainter& painter, const QRectF& row, const Curves& curves, std::size_t device,
                    const TimeAxis& axis, const QPalette& palette) const;
    void paintRow(QPainter& painter, const QRectF& plot, std::size_t row, const TimeAxis& axis,
                  const QPalette& palette) const;

    const RunContext* m_run = nullptr;
    std::shared_ptr<const NvlinkCurves> m_curves;
    std::shared_ptr<const NvlinkNeeds> m_needs;
    std::vector<std::size_t> m_rows;
    std::vector<std::optional<std::size_t>>
        m_clocks; ///< by device: the timeline whose clock its counters have
    double m_highest = 0; ///< GB/s, of all GPUs
};

} // namespace collscope
