// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Change of a time on each rank, as bars; upwards is slower.

#include <QWidget>

#include <cstdint>
#include <optional>
#include <vector>

namespace collscope {

/// Left, Right and the mouse select a rank; a click outside the bars, or Esc, selects all ranks again.
class RankChanges : public QWidget
{
    Q_OBJECT

public:
    struct Bar
    {
        std::int32_t rank = 0;
        std::int64_t baseNs = 0, testNs = 0;
        std::int64_t changeNs() const { return testNs - baseNs; }
    };

    explicit RankChanges(QWidget* parent = nullptr);

    /// Sets the bars, in order of rank. `title` names the times. Changes up to `thresholdPercent` are not
    /// coloured; without a threshold, all bars are uncoloured.
    void setBars(std::vector<Bar> bars, const QString& title, std::optional<double> thresholdPercent);
    const std::vector<Bar>& bars() const { return m_bars; }
    void chooseRank(std::optional<std::int32_t> rank);
    std::optional<std::int32_t> chosenRank() const { return m_chosen; }
    /// The bar of a rank in widget coordinates; empty if the rank does not exist.
    QRectF barOf(std::int32_t rank) const;

    QSize sizeHint() const override { return {480, 160}; }
    QSize minimumSizeHint() const override { return {200, 90}; }

signals:
    void rankChosen(std::optional<std::int32_t> rank);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    /// One or more bars that share a column of pixels, and the largest of them.
    struct Column
    {
        std::size_t largest = 0, end = 0;
    };

    QRectF plotRect() const;
    std::optional<std::size_t> indexOf(std::optional<std::int32_t> rank) const;
    QRectF rectOf(std::size_t index) const;
    Column columnFrom(std::size_t first) const;
    double yOf(std::int64_t ns) const;
    double slotWidth() const;
    std::optional<std::size_t> barAt(QPoint position) const; ///< the largest one if several share a pixel
    void choose(std::optional<std::size_t> bar);

    std::vector<Bar> m_bars;
    QString m_title;
    std::optional<double> m_thresholdPercent;
    std::int64_t m_lowNs = 0, m_highNs = 1; ///< value range of the plot
    std::optional<std::int32_t> m_chosen;
};

} // namespace collscope
