// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The step times of a job, and below them the speed of the members of its communicators.

#include "metrics/history/speed_map.h"

#include <QAbstractScrollArea>

namespace collscope {

class JobCanvas : public QAbstractScrollArea
{
    Q_OBJECT

public:
    explicit JobCanvas(QWidget* parent = nullptr);

    /// nullptr: nothing to show.
    void setJob(JobCasePtr own);
    /// Where the values of the step times are drawn, and the rows of the map, in the viewport.
    QRect chartRect() const;
    QRect mapRect() const;
    QString textAt(QPoint position) const; ///< of the tool tip; empty: nothing is there
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    void layOut();
    bool hasSteps() const;
    bool hasMap() const;
    double xOfStep(std::size_t index) const;
    double yOfStep(double ns) const;
    int rowHeight() const;
    QString rowText(const SpeedMap::Row& row) const;
    QString stepTextAt(int x) const;
    QString cellTextAt(QPoint position) const;
    void paintSteps(QPainter& painter) const;
    void paintChanges(QPainter& painter) const;
    void paintMap(QPainter& painter) const;

    JobCasePtr m_job;
    int m_labelWidth = 0;
    double m_lowest = 0, m_highest = 1; ///< step times on the axis
};

} // namespace collscope
