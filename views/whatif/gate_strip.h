// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How far a replay can be trusted: each measure with its value, in the colour of its verdict.

#include "metrics/whatif/what_if_replay.h"

#include <QWidget>

namespace collscope {

class GateStrip : public QWidget
{
    Q_OBJECT

public:
    explicit GateStrip(QWidget* parent = nullptr);

    void setGates(std::vector<Gate> gates);
    QSize sizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Item
    {
        QRect rect;
        QString text;
        std::size_t gate = 0; ///< the first that it stands for
    };
    /// The items in lines of this width.
    std::vector<Item> itemsIn(int width) const;

    std::vector<Gate> m_gates;
};

} // namespace collscope
