// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The "Range" tab: a pivot of the slices in the selected range, else in the visible range.

#include "views/tables/range_model.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QTableView;

namespace collscope {

class ContentStack;
class NameColumnFit;

class RangePanel : public QWidget
{
    Q_OBJECT

public:
    explicit RangePanel(ViewState* state, QWidget* parent = nullptr);

    QTableView* table() const { return m_table; }
    const RangeModel& rows() const { return m_model; }
    /// The summary line: which range, and what happens in it.
    QString summaryText() const;
    /// Message shown instead of the table; empty if the table is shown.
    QString emptyText() const;

signals:
    /// The slices with this name are to be found on the timeline.
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
    NameColumnFit* m_names = nullptr;
    QAction* m_showName;
    RangeSummaryPtr m_summary; ///< summary that the rows were made from
    bool m_isOfSelection = false; ///< false: of the visible range
    bool m_isStale = true; ///< to be refilled when visible
};

} // namespace collscope
