// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Copies and exports table rows: raw numbers in the C locale, under headings that include the unit.

#include <QAbstractItemModel>
#include <QObject>

#include <functional>

class QAction;
class QTableView;

namespace collscope {

/// Roles of table models in addition to those of Qt.
enum TableRole
{
    /// The number or text itself, for sorting and copying. In a header: its key with the unit ("skew_ns");
    /// without one, the heading is copied.
    RawRole = Qt::UserRole,
    BarRole, ///< length of the bar in the cell, 0 to 1
    BarColorRole ///< colour of that bar; none: the accent colour
};

/// The given rows, in this order, as tab-separated text with a header. Tabs and newlines become spaces.
QString tableAsTsv(const QAbstractItemModel& model, const QList<int>& rows);
/// The given rows as CSV according to RFC 4180.
QString tableAsCsv(const QAbstractItemModel& model, const QList<int>& rows);
/// The selected rows, or all rows without a selection, in displayed order.
QList<int> chosenRows(const QTableView& table);
/// Copies rows of a model to the clipboard, as text and as CSV.
void copyRows(const QAbstractItemModel& model, const QList<int>& rows);
/// Copies the rows of chosenRows() to the clipboard.
void copyRows(const QTableView& table);
/// Sets the action for Enter and a double-click on a row. It is also the first entry of the context menu,
/// labelled `text`.
QAction* onRowChosen(QTableView& table, const QString& text,
                     const std::function<void(const QModelIndex&)>& act);
/// Sets the appearance and keys shared by all tables: row selection, no grid, Ctrl+C, a TableExport, a
/// first column that stays in sight. The table has its model already. Returns the copy action, which is also
/// in the context menu.
QAction* setUpTable(QTableView& table);

/// A child of each table that requests an export to a file. `app` handles the request, because views do not
/// access files.
class TableExport : public QObject
{
    Q_OBJECT

public:
    /// Adds its entry to the context menu of the table.
    explicit TableExport(QTableView& table);

    void ask();

signals:
    /// Contains all rows in displayed order, and a suggested file name that describes them.
    void wanted(const QString& fileName, const QByteArray& csv);

private:
    const QTableView& m_table;
};

} // namespace collscope
