// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/tables/cell_table.h"

#include "views/common/format.h"
#include "views/tables/number_delegate.h"

#include <QAction>
#include <QHeaderView>

namespace collscope {

void CellTableModel::setTable(std::vector<TableColumn> columns, std::vector<std::vector<TableCell>> rows)
{
    beginResetModel();
    m_columns = std::move(columns);
    m_rows = std::move(rows);
    endResetModel();
}

int CellTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int CellTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

QVariant CellTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const TableCell& cell
        = m_rows[static_cast<std::size_t>(index.row())][static_cast<std::size_t>(index.column())];
    const bool isNumber = m_columns[static_cast<std::size_t>(index.column())].isNumber;
    switch (role) {
    case Qt::DisplayRole:
        return cell.text;
    case RawRole:
        return cell.raw.isValid() ? cell.raw : QVariant(cell.text);
    case BarRole:
        return cell.bar >= 0 ? QVariant(cell.bar) : QVariant();
    case Qt::ToolTipRole:
        return plainToolTip(cell.toolTip.isEmpty() ? cell.text : cell.toolTip);
    case Qt::ForegroundRole:
        return cell.ink.isValid() ? QVariant(cell.ink) : QVariant();
    case Qt::DecorationRole:
        return cell.chip.isValid() ? QVariant(cell.chip) : QVariant();
    case BarColorRole:
        return cell.barColor.isValid() ? QVariant(cell.barColor) : QVariant();
    case Qt::TextAlignmentRole:
        return int(Qt::AlignVCenter) | int(isNumber ? Qt::AlignRight : Qt::AlignLeft);
    default:
        return {};
    }
}

QVariant CellTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const TableColumn& column = m_columns[static_cast<std::size_t>(section)];
    switch (role) {
    case Qt::DisplayRole:
        return column.title;
    case RawRole:
        return column.key;
    case Qt::ToolTipRole:
        return column.toolTip;
    case Qt::TextAlignmentRole:
        return int(Qt::AlignVCenter) | int(column.isNumber ? Qt::AlignRight : Qt::AlignLeft);
    default:
        return {};
    }
}

CellTable::CellTable(const QString& name, QWidget* parent)
    : QTableView(parent)
{
    m_sorted.setSourceModel(&m_model);
    m_sorted.setSortRole(RawRole);
    setModel(&m_sorted);
    setItemDelegate(new NumberDelegate(this));
    setSortingEnabled(true);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setUpTable(*this);
    setAccessibleName(name);
    horizontalHeader()->setResizeContentsPrecision(50);
    onRowChosen(*this, tr("Show"), [this](const QModelIndex& index) { emit rowActivated(rowOf(index)); });
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& index) {
                if (index.isValid() && !m_isFilling)
                    emit rowChosen(rowOf(index));
            });
    // A click on the current row must emit again.
    connect(this, &QTableView::clicked, this,
            [this](const QModelIndex& index) { emit rowChosen(rowOf(index)); });
}

void CellTable::setTable(std::vector<TableColumn> columns, std::vector<std::vector<TableCell>> rows)
{
    m_isFilling = true;
    m_model.setTable(std::move(columns), std::move(rows));
    m_isFilling = false;
    resizeColumnsToContents();
}

void CellTable::keepOrder()
{
    setSortingEnabled(false);
    sortByColumn(-1, Qt::AscendingOrder);
    horizontalHeader()->setSortIndicatorShown(true); // without its room, titles are cut off
}

int CellTable::shownRow(int row) const
{
    return m_sorted.mapFromSource(m_model.index(row, 0)).row();
}

int CellTable::rowOf(const QModelIndex& index) const
{
    return m_sorted.mapToSource(index).row();
}

void CellTable::selectRowOf(int row)
{
    m_isFilling = true;
    const QModelIndex index = m_sorted.index(shownRow(row), 0);
    setCurrentIndex(index);
    scrollTo(index);
    m_isFilling = false;
}

} // namespace collscope
