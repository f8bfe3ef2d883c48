// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/charts/curve_pieces.h"

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {

/// Adds points to the last piece, or starts a new piece.
class Pen
{
public:
    void move() { m_isDown = false; }
    void draw(double x, double y)
    {
        if (!m_isDown)
            m_pieces.emplaceBack();
        m_isDown = true;
        m_pieces.last() << QPointF(x, y);
    }
    bool isDown() const { return m_isDown; }
    QList<CurvePiece> take() { return std::move(m_pieces); }

private:
    QList<CurvePiece> m_pieces;
    bool m_isDown = false;
};

QList<CurvePiece> eachSample(const SampledCurve& curve, const TimeAxis& axis, std::size_t first,
                             std::size_t last)
{
    Pen pen;
    double end = 0;
    for (std::size_t i = first; i < last; ++i) {
        const double value = curve.value(i);
        if (std::isnan(value))
            continue;
        const TimeRange range = curve.range(i);
        const double begin = std::clamp(axis.xOf(range.beginNs), 0.0, axis.width());
        if (begin - end >= 1)
            pen.move();
        end = std::clamp(axis.xOf(range.endNs), 0.0, axis.width());
        pen.draw(begin, value);
        pen.draw(end, value);
    }
    return pen.take();
}

QList<CurvePiece> eachColumn(const SampledCurve& curve, const TimeAxis& axis, std::size_t first,
                             std::size_t last)
{
    Pen pen;
    const auto columns = static_cast<int>(std::ceil(axis.width()));
    for (int column = 0; column < columns && first < last; ++column) {
        // The samples that end in this column, and the sample that continues into the next column.
        const std::int64_t endNs = axis.timeAt(column + 1.0);
        const std::size_t ended = std::clamp(curve.firstEndingAfter(endNs), first, last);
        const bool goesOn = ended < last && curve.range(ended).beginNs < endNs;
        const SampledCurve::Extremes extremes = curve.extremes(first, goesOn ? ended + 1 : ended);
        first = ended;
        if (extremes.isEmpty()) {
            pen.move();
            continue;
        }
        pen.draw(column, extremes.low);
        pen.draw(column, extremes.high);
    }
    return pen.take();
}

} // namespace

QList<CurvePiece> curvePieces(const SampledCurve& curve, const TimeAxis& axis)
{
    const TimeRange visible = axis.range();
    const std::size_t first = curve.firstEndingAfter(visible.beginNs);
    std::size_t last = std::min(curve.firstEndingAfter(visible.endNs), curve.size());
    if (last < curve.size() && curve.range(last).beginNs < visible.endNs)
        ++last;
    return static_cast<double>(last - first) <= 2 * axis.width() ? eachSample(curve, axis, first, last)
                                                                 : eachColumn(curve, axis, first, last);
}

} // namespace collscope
