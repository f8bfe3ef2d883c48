// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How much a time changed on each rank, as bars: upwards is slower.

#include <QWidget>

#include <cstdint>
#include <optional>
#include <vector>

namespace collscope {

/// Left, Right and the mouse choose a rank; a click beside the bars, or Esc, all of them again.
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

    /// `title`: of what the times are. By rank. Changes up to so many percent have no colour; without a
    /// threshold none has.
    void setBars(std::vector<Bar> bars, const QString& title, std::optional<double> thresholdPercent);
    const std::vector<Bar>& bars() const { return m_bars; }
    void chooseRank(std::optional<std::int32_t> rank);
    std::optional<std::int32_t> chosenRank() const { return m_chosen; }
    /// In widget coordinates; empty if there is no such rank.
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
    /// Bars that share a column of pixels, at least one, and the largest of them.
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
    std::optional<std::size_t> barAt(QPoint position) const; ///< of several in a pixel the largest
    void choose(std::optional<std::size_t> bar);

    std::vector<Bar> m_bars;
    QString m_title;
    std::optional<double> m_thresholdPercent;
    std::int64_t m_lowNs = 0, m_highNs = 1; ///< what the plot shows
    std::optional<std::int32_t> m_chosen;
};

} // namespace collscope
