// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Every collective of the run as a row: who came last and by how much, transfer time, bandwidth; and every
// call that found no partner, with the reason.

#include "views/collectives/collectives_model.h"
#include "views/collectives/unmatched_model.h"
#include "views/view_state.h"

#include <QTimer>
#include <QWidget>

class QAction;
class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QTableView;

namespace collscope {

class ContentStack;

/// Shows what app lists (setCollectives); until then it says what is missing.
class CollectivesTable : public QWidget
{
    Q_OBJECT

public:
    explicit CollectivesTable(ViewState* state, QWidget* parent = nullptr);

    void setCollectives(const CollectiveRowsPtr& collectives);
    QTableView* table() const { return m_table; }
    QTableView* unmatchedTable() const { return m_unmatchedTable; }
    const CollectivesModel& model() const { return m_model; }
    const UnmatchedModel& unmatchedModel() const { return m_unmatched; }
    /// What is shown instead of rows; empty if there are some.
    QString emptyText() const;
    QString summaryText() const;

private:
    void buildTable(QTableView& table, QAbstractItemModel& model, const QString& name);
    void buildControls();
    void applyFilter();
    void showPage();
    void updateSummary();
    void updateWhatToList();
    void selectInstance();
    void reveal(const QModelIndex& index);
    bool showsUnmatched() const;

    ViewState* m_state;
    CollectivesModel m_model;
    UnmatchedModel m_unmatched;
    QLabel* m_summary;
    QLineEdit* m_words;
    QComboBox* m_groups;
    QComboBox* m_what;
    QCheckBox* m_lateOnly;
    QCheckBox* m_visibleOnly;
    ContentStack* m_pages;
    QTableView* m_table;
    QTableView* m_unmatchedTable;
    QTimer m_visibleSettled; ///< the visible range stays where it is: filter by it again
};

/// Why there are no collectives of several ranks to look at, and what to do; empty if there are.
/// `collectives`: nullptr while they are not listed yet.
QString whyNoCollectives(const ViewState& state, const CollectiveRows* collectives);

} // namespace collscope
