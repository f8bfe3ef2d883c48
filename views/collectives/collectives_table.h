// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Table of all collectives of the run (last rank, lead, transfer time, bandwidth) and of all unmatched calls
// with the reason.

#include "views/collectives/collectives_model.h"
#include "views/collectives/unmatched_model.h"
#include "views/state/view_state.h"

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

/// Shows the rows set with setCollectives(); until then, a text that explains what is missing.
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
    /// Text shown instead of rows; empty if there are rows.
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
    QTimer m_visibleSettled; ///< fires when the visible range has settled, to filter by it again
};

/// Explains why collectives of several ranks are missing and what to do; empty if there are some.
/// `collectives`: nullptr while they are not listed yet.
QString whyNoCollectives(const ViewState& state, const CollectiveRows* collectives);

} // namespace collscope
