// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The tab "Search": what was found, as a table that leads to each slice.

#include "views/search_model.h"

#include <QWidget>

class QLabel;
class QStackedWidget;
class QTableView;

namespace collscope {

class SearchResults : public QWidget
{
    Q_OBJECT

public:
    explicit SearchResults(ViewState* state, QWidget* parent = nullptr);

    QTableView* table() const { return m_table; }
    const SearchModel& rows() const { return m_model; }
    QString summaryText() const;
    /// What is shown instead of a table; empty if there is one.
    QString emptyText() const;

private:
    void refill();
    void reveal(const QModelIndex& index);
    void selectSlice();

    ViewState* m_state;
    SearchModel m_model;
    QLabel* m_summary;
    QStackedWidget* m_pages;
    QTableView* m_table;
    QLabel* m_empty;
    bool m_isLaidOut = false; ///< sorted and sized once; from then on as a person wants it
};

} // namespace collscope
