// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A small table of prepared cells, for tens or hundreds of rows that need no model class.

#include "views/tables/table_text.h"

#include <QAbstractTableModel>
#include <QColor>
#include <QSortFilterProxyModel>
#include <QTableView>

#include <vector>

namespace collscope {

struct TableCell
{
    QString text;
    QVariant raw; ///< for sorting and copying; the text if unset
    double bar = -1; ///< 0 to 1; negative: no bar
    QColor ink, chip,
        barColor; ///< colours of the text, of a chip before it and of the bar; invalid: default or none
    QString toolTip = {};
};

struct TableColumn
{
    QString title, toolTip;
    QString key; ///< for copies, including the unit: "own_wait_ns"
    bool isNumber = true;
};

class CellTableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void setTable(std::vector<TableColumn> columns, std::vector<std::vector<TableCell>> rows);
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<TableColumn> m_columns;
    std::vector<std::vector<TableCell>> m_rows;
};

/// Sortable by every column; copies raw numbers. Rows are identified by their index in setTable().
class CellTable : public QTableView
{
    Q_OBJECT

public:
    explicit CellTable(const QString& name, QWidget* parent = nullptr);

    void setTable(std::vector<TableColumn> columns, std::vector<std::vector<TableCell>> rows);
    /// Keeps the rows in the order of setTable(): it is what they say.
    void keepOrder();
    /// Converts an index in setTable() to the current row, and back.
    int shownRow(int row) const;
    int rowOf(const QModelIndex& index) const;
    void selectRowOf(int row);

signals:
    void rowChosen(int row); ///< clicked or reached by keyboard
    void rowActivated(int row); ///< Enter or double click

private:
    CellTableModel m_model;
    QSortFilterProxyModel m_sorted;
    bool m_isFilling = false;
};

} // namespace collscope
