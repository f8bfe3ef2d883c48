// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Rows of a table for the clipboard: raw numbers in the C locale under a heading that names their unit.

#include <QAbstractItemModel>
#include <QObject>

#include <functional>

class QAction;
class QTableView;

namespace collscope {

/// What a table model answers beside Qt's roles.
enum TableRole
{
    RawRole = Qt::UserRole, ///< the number or text itself, for sorting and copying; of a header: its key with
                            ///< the unit ("skew_ns"), else the heading is copied
    BarRole, ///< 0 ... 1: length of the bar in the cell
    BarColorRole ///< of that bar; none = the accent
};

/// Tab-separated, with header; tabs and newlines in texts become spaces. Rows of the model, in this order.
QString tableAsTsv(const QAbstractItemModel& model, const QList<int>& rows);
/// RFC 4180.
QString tableAsCsv(const QAbstractItemModel& model, const QList<int>& rows);
/// The selected rows, all if none is, in the order on screen.
QList<int> chosenRows(const QTableView& table);
/// Puts rows of a model on the clipboard, as text and as CSV.
void copyRows(const QAbstractItemModel& model, const QList<int>& rows);
/// Those of chosenRows().
void copyRows(const QTableView& table);
/// What Enter and a double click on a row do; first in the context menu, as `text`.
QAction* onRowChosen(QTableView& table, const QString& text,
                     const std::function<void(const QModelIndex&)>& act);
/// Gives the column of names what the others leave, but no less than names need to be told apart.
void fitNameColumn(QTableView& table, int column);
/// Look and keys that all tables share: whole rows, no grid, Ctrl+C, a TableExport. Returns the copy action,
/// which is also in the context menu.
QAction* setUpTable(QTableView& table);

/// The child of each table that is asked to become a file. `app` answers: views touch no files.
class TableExport : public QObject
{
    Q_OBJECT

public:
    /// Adds its entry to the context menu of the table.
    explicit TableExport(QTableView& table);

    void ask();

signals:
    /// All rows, in the order on screen, and a name for the file that tells what they are.
    void wanted(const QString& fileName, const QByteArray& csv);

private:
    const QTableView& m_table;
};

} // namespace collscope
