// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// The table of many runs, with filter line, colours and sorting.

#include "views/tables/run_table_model.h"

#include <QWidget>

class QLabel;
class QLineEdit;
class QTableView;

namespace collscope {

class RunFilter;

class RunTable : public QWidget
{
    Q_OBJECT

public:
    explicit RunTable(QWidget* parent = nullptr);

    RunTableModel* model() const { return m_model; }
    QTableView* table() const { return m_table; }
    QLineEdit* filterLine() const { return m_filterLine; }
    /// Starts with runs that are still to be loaded, and removes the previous rows.
    void begin(const QStringList& paths, const std::vector<const MetricDescriptor*>& metrics,
               const QStringList& cardFields);
    void setRow(const RunRow& row);
    /// Paths of the runs that pass the filter, in displayed order.
    QStringList shownPaths() const;

signals:
    /// A run was double-clicked, or Return was pressed on it.
    void runActivated(const QString& path);
    void exportRequested();
    void foldersRequested();

private:
    void updateSummary();

    RunTableModel* m_model;
    RunFilter* m_filter;
    QLineEdit* m_filterLine;
    QTableView* m_table;
    QLabel* m_summary;
};

} // namespace collscope
