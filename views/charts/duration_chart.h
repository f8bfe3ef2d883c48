// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How long slices last, as bars over a logarithmic axis; what is dragged over are the durations wanted.

#include "metrics/slice_listing.h"

#include <QWidget>

namespace collscope {

/// A drag chooses a range, its edges can be dragged on, a double click or Escape gives all durations back.
class DurationChart : public QWidget
{
    Q_OBJECT

public:
    explicit DurationChart(QWidget* parent = nullptr);

    /// Of other slices or of the same; nullptr: nothing to show. The range becomes the listing's, unless the
    /// mouse holds it.
    void setListing(SliceListingPtr listing);
    /// Marks a duration: that of the selected slice.
    void setMark(std::optional<std::int64_t> ns);
    const DurationRange& range() const { return m_range; }
    /// What is drawn as wanted; tells nobody.
    void setRange(DurationRange range);
    /// Where a duration stands, in px.
    double xOf(std::int64_t ns) const;
    /// What the tool tip says there; empty beside the bars.
    QString textAt(QPoint position) const;

    QSize sizeHint() const override { return {320, 150}; }
    QSize minimumSizeHint() const override { return {200, 80}; }

signals:
    /// By mouse or Escape; also while the mouse moves.
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
    /// Some bins of the histogram beside each other, wide enough to be seen and hit.
    struct Bar
    {
        std::int64_t fromNs = 0, toNs = 0; ///< without the latter
        std::uint64_t count = 0;
        double left = 0, right = 0;
    };
    enum class Drag
    {
        None,
        Pending, ///< pressed, not moved yet
        Bound
    };

    QRectF plotRect() const;
    void updateBars();
    const Bar* barAt(QPoint position) const;
    /// The bound that a pixel column means: a number as round as fits in the column; beyond the bars there is
    /// no bound.
    std::int64_t boundAt(double x) const;
    std::pair<double, double> edges() const; ///< of the range, in px
    /// The bound of the range that stays while the edge under the mouse is dragged; nullopt: none is there.
    std::optional<std::int64_t> otherBound(double x) const;
    void choose(DurationRange range);
    void paintBars(QPainter& painter) const;
    void paintRange(QPainter& painter) const;
    void paintAxis(QPainter& painter) const;
    void paintMarks(QPainter& painter) const;

    SliceListingPtr m_listing;
    std::vector<Bar> m_bars;
    std::uint64_t m_highest = 0; ///< count of a bar
    DurationRange m_range;
    std::optional<std::int64_t> m_mark;
    Drag m_drag = Drag::None;
    QPoint m_press;
    std::int64_t m_fixedNs = 0; ///< the bound that stays while the other one is dragged
    std::optional<std::int64_t> m_hoveredNs; ///< begin of the bar under the mouse
};

/// "1.2 to 1.3 ms", as precise as the two differ.
QString durationRangeText(std::int64_t fromNs, std::int64_t toNs);

} // namespace collscope
