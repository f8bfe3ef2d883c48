// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The Lateness tab: a map of the lateness of each rank in each collective.

#include "views/collectives/lateness_canvas.h"

#include <QWidget>

class QComboBox;

namespace collscope {

class ContentStack;

/// Legend of the colours, with numbers. Its words depend on what a cell is.
class LatenessLegend : public QWidget
{
    Q_OBJECT

public:
    explicit LatenessLegend(QWidget* parent = nullptr);
    void setScale(const LatenessScale& scale, LatenessColumns columns, bool isKnown);
    /// Why a rank has no cell; at first "not a member".
    void setAbsentWord(const QString& word);
    QSize sizeHint() const override;
    /// The legend is hidden if it does not fit completely, because a partial scale would be misleading.
    QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString onTimeText() const;
    QString leastText() const;
    QString mostText() const;

    LatenessScale m_scale;
    LatenessColumns m_columns = LatenessColumns::Collectives;
    QString m_absentWord;
    bool m_isKnown = false;
};

/// Shows the grid set with setGrid(), computed from the rows set with setCollectives().
class LatenessMap : public QWidget
{
    Q_OBJECT

public:
    explicit LatenessMap(ViewState* state, QWidget* parent = nullptr);

    void setCollectives(CollectiveRowsPtr collectives);
    void setGrid(LatenessGridPtr grid);
    LatenessCanvas* canvas() const { return m_canvas; }
    /// Text shown instead of cells; empty if there are cells.
    QString emptyText() const;

signals:
    /// Requests cells; answered with setGrid().
    void gridWanted(const collscope::CollectiveRowsPtr& collectives,
                    const collscope::LatenessRequest& request);

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override; ///< a narrow window has no legend
    void changeEvent(QEvent* event) override;

private:
    LatenessRequest request() const;
    void ask();
    void showScale(const LatenessScale& scale);
    void showPage();

    ViewState* m_state;
    CollectiveRowsPtr m_collectives;
    QComboBox* m_groups;
    QComboBox* m_columns;
    LatenessLegend* m_legend;
    ContentStack* m_pages;
    LatenessCanvas* m_canvas;
    bool m_isStale = false; ///< request the grid when the view becomes visible
};

} // namespace collscope
