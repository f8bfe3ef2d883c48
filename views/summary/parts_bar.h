// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The parts of a step as one stacked bar, with a line for each part below it.

#include "metrics/partition/partition.h"
#include "views/summary/part_fill.h"

#include <QWidget>

namespace collscope {

class PartsBar : public QWidget
{
    Q_OBJECT

public:
    explicit PartsBar(QWidget* parent = nullptr);

    /// Times per step; all 0: draws nothing. `unknown`: parts whose time is unknown and not 0.
    void setParts(const PartTimes& parts, PartSet unknown = {});
    /// "computing 6.50 ms, 61 %; ...": what the bar shows, for screen readers and copies.
    QString text() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    PartTimes m_parts;
    PartSet m_unknown;
    PartFill m_fill;
};

} // namespace collscope
