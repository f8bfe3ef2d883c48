// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The Lateness tab: which rank came late to which collective, as a map.

#include "views/collectives/lateness_canvas.h"

#include <QWidget>

class QComboBox;

namespace collscope {

class ContentStack;

/// What the colours mean, with numbers.
class LatenessLegend : public QWidget
{
    Q_OBJECT

public:
    explicit LatenessLegend(QWidget* parent = nullptr);
    void setScale(const LatenessScale& scale, bool isKnown);
    QSize sizeHint() const override;
    /// Where there is no room for all of it, nothing is shown: half of a scale would mislead.
    QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    LatenessScale m_scale;
    bool m_isKnown = false;
};

/// Shows what app lays out (setGrid) of what app lists (setCollectives).
class LatenessMap : public QWidget
{
    Q_OBJECT

public:
    explicit LatenessMap(ViewState* state, QWidget* parent = nullptr);

    void setCollectives(CollectiveRowsPtr collectives);
    void setGrid(LatenessGridPtr grid);
    LatenessCanvas* canvas() const { return m_canvas; }
    /// What is shown instead of cells; empty if there are some.
    QString emptyText() const;

signals:
    /// These cells are wanted; the answer is setGrid().
    void gridWanted(const collscope::CollectiveRowsPtr& collectives,
                    const collscope::LatenessRequest& request);

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    LatenessRequest request() const;
    void ask();
    void showPage();

    ViewState* m_state;
    CollectiveRowsPtr m_collectives;
    QComboBox* m_groups;
    QComboBox* m_columns;
    LatenessLegend* m_legend;
    ContentStack* m_pages;
    LatenessCanvas* m_canvas;
    bool m_isStale = false; ///< ask when somebody looks
};

} // namespace collscope
