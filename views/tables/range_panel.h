// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The tab "Range": what happens in the selected range, else in what is visible, as a pivot.

#include "views/tables/range_model.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QTableView;

namespace collscope {

class ContentStack;

class RangePanel : public QWidget
{
    Q_OBJECT

public:
    explicit RangePanel(ViewState* state, QWidget* parent = nullptr);

    QTableView* table() const { return m_table; }
    const RangeModel& rows() const { return m_model; }
    /// The first line: which range, and what happens in it.
    QString summaryText() const;
    /// What is shown instead of a table; empty if there is one.
    QString emptyText() const;

signals:
    /// The slices of one name are to be found on the timeline.
    void nameWanted(const QString& name);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void buildControls();
    void buildTable();
    void onSummaryChanged();
    void refill();
    void updatePage();
    void reveal(const QModelIndex& index);

    ViewState* m_state;
    RangeModel m_model;
    QLabel* m_summaryLine;
    QLineEdit* m_filter;
    QComboBox* m_grouping;
    QComboBox* m_work;
    ContentStack* m_pages;
    QTableView* m_table;
    QAction* m_showName;
    RangeSummaryPtr m_summary; ///< that the rows are of
    bool m_isOfSelection = false; ///< else of what was visible
    bool m_isStale = true; ///< refilled when it can be seen
    bool m_isLaidOut = false; ///< sized once; from then on as a person wants it
};

} // namespace collscope
