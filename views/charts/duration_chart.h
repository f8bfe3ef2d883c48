// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Histogram of slice durations over a logarithmic axis. Dragging over it chooses a range of durations.

#include "metrics/analysis/slice_listing.h"

#include <QWidget>

namespace collscope {

/// A drag chooses a range, whose edges can be dragged afterwards. A double click or Escape restores all
/// durations.
class DurationChart : public QWidget
{
    Q_OBJECT

public:
    explicit DurationChart(QWidget* parent = nullptr);

    /// Sets the listing to show, of the same or of other slices; nullptr: nothing to show. The range becomes
    /// that of the listing, unless it is being dragged.
    void setListing(SliceListingPtr listing);
    /// Marks the duration of the selected slice.
    void setMark(std::optional<std::int64_t> ns);
    const DurationRange& range() const { return m_range; }
    /// Sets the highlighted range without emitting a signal.
    void setRange(DurationRange range);
    /// The position of a duration, in px.
    double xOf(std::int64_t ns) const;
    /// The tool tip text at a position; empty outside the bars.
    QString textAt(QPoint position) const;

    QSize sizeHint() const override { return {320, 150}; }
    QSize minimumSizeHint() const override { return {200, 80}; }

signals:
    /// Emitted when the mouse or Escape changes the range, also during a drag.
    void rangeChosen(const collscope::DurationRange& range);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    /// Adjacent bins of the histogram, together wide enough to see and click.
    struct Bar
    {
        std::int64_t fromNs = 0, toNs = 0; ///< exclusive of toNs
        std::uint64_t count = 0;
        double left = 0, right = 0;
    };
    enum class Drag
    {
        None,
        Pending, ///< pressed, not yet moved
        Bound
    };

    QRectF plotRect() const;
    void updateBars();
    const Bar* barAt(QPoint position) const;
    /// The bound at a pixel column, rounded to as few digits as the column allows; unbounded outside the
    /// bars.
    std::int64_t boundAt(double x) const;
    std::pair<double, double> edges() const; ///< edges of the range, in px
    /// The bound that stays fixed while the edge under the mouse is dragged; nullopt without an edge there.
    std::optional<std::int64_t> otherBound(double x) const;
    void choose(DurationRange range);
    void paintBars(QPainter& painter) const;
    void paintRange(QPainter& painter) const;
    void paintAxis(QPainter& painter) const;
    void paintMarks(QPainter& painter) const;

    SliceListingPtr m_listing;
    std::vector<Bar> m_bars;
    std::uint64_t m_highest = 0; ///< largest count of a bar
    DurationRange m_range;
    std::optional<std::int64_t> m_mark;
    Drag m_drag = Drag::None;
    QPoint m_press;
    std::int64_t m_fixedNs = 0; ///< the bound that stays fixed while the other one is dragged
    std::optional<std::int64_t> m_hoveredNs; ///< start of the bar under the mouse
};

/// "1.2 to 1.3 ms", with the precision needed to distinguish the two.
QString durationRangeText(std::int64_t fromNs, std::int64_t toNs);

} // namespace collscope
