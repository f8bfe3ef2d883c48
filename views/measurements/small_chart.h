// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One figure over an axis other than time: a line or bars, with named marks.

#include <QChartView>

#include <functional>
#include <vector>

class QValueAxis;

namespace collscope {

struct SmallChartContent
{
    QString title;
    /// ascending in x; for bars: left edge and height, the last point is the right end
    std::vector<QPointF> points;
    bool isBars = false;
    QColor color;
    struct Mark
    {
        double x = 0;
        QString label;
    };
    std::vector<Mark> marks; ///< vertical lines, ascending
    /// Tool tip of a point, by its index.
    std::function<QString(std::size_t point)> describe;
};

class SmallChart : public QChartView
{
    Q_OBJECT

public:
    explicit SmallChart(QWidget* parent = nullptr);

    void setContent(SmallChartContent content);
    const SmallChartContent& content() const { return m_content; }
    /// The point whose column contains a pixel; nullopt outside the plot.
    std::optional<std::size_t> pointAt(QPoint position) const;
    /// Position of a value in viewport px.
    QPointF positionOf(QPointF value) const;

    QSize minimumSizeHint() const override { return {190, 110}; }

protected:
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void showContent();
    void styleAxes(QValueAxis* x, QValueAxis* y) const;

    SmallChartContent m_content;
};

} // namespace collscope
