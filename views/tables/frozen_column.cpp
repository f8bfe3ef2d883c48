// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/tables/frozen_column.h"

#include <QEvent>
#include <QHeaderView>
#include <QScrollBar>

#include <algorithm>

namespace collscope {

FrozenColumn::FrozenColumn(QTableView& table)
    : QTableView(&table)
    , m_table(table)
    , m_viewport(table.viewport())
{
    setModel(table.model());
    setSelectionModel(table.selectionModel());
    setSelectionBehavior(table.selectionBehavior());
    setSelectionMode(table.selectionMode());
    setFocusPolicy(Qt::ClickFocus); // keys, copies and the context menu are those of the table
    setFocusProxy(&table);
    setContextMenuPolicy(Qt::NoContextMenu);
    setAutoScroll(false);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAlternatingRowColors(table.alternatingRowColors());
    setShowGrid(table.showGrid());
    setTextElideMode(table.textElideMode());
    setWordWrap(table.wordWrap());
    setVerticalScrollMode(table.verticalScrollMode());
    setFrameShape(QFrame::NoFrame);
    setObjectName(QStringLiteral("frozenColumn"));
    setAccessibleName(tr("Names of the rows"));
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(table.verticalHeader()->defaultSectionSize());
    horizontalHeader()->setHighlightSections(false);
    hide();

    connect(table.horizontalScrollBar(), &QScrollBar::valueChanged, this, &FrozenColumn::followScrolling);
    connect(table.verticalScrollBar(), &QScrollBar::valueChanged, verticalScrollBar(), &QScrollBar::setValue);
    connect(verticalScrollBar(), &QScrollBar::valueChanged, table.verticalScrollBar(), &QScrollBar::setValue);
    connect(table.horizontalHeader(), &QHeaderView::sectionResized, this, &FrozenColumn::followScrolling);
    connect(table.horizontalHeader(), &QHeaderView::sectionCountChanged, this,
            &FrozenColumn::followScrolling);
    connect(table.selectionModel(), &QItemSelectionModel::currentChanged, this,
            &FrozenColumn::showCurrentCell);
    connect(this, &QTableView::clicked, &table, &QTableView::clicked);
    connect(this, &QTableView::doubleClicked, &table, &QTableView::doubleClicked);
    table.viewport()->installEventFilter(this);
}

bool FrozenColumn::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_viewport && event->type() == QEvent::Resize && isVisible())
        place();
    return QTableView::eventFilter(watched, event);
}

/// The order of the rows belongs to the table: a click on the heading changes it there.
void FrozenColumn::shareOrder()
{
    QHeaderView& own = *horizontalHeader();
    const QHeaderView& header = *m_table.horizontalHeader();
    own.setSectionsClickable(true);
    own.setSortIndicatorShown(true);
    own.setSortIndicator(header.sortIndicatorSection(), header.sortIndicatorOrder());
    connect(&own, &QHeaderView::sortIndicatorChanged, &m_table, &QTableView::sortByColumn);
    connect(&header, &QHeaderView::sortIndicatorChanged, &own, &QHeaderView::setSortIndicator);
}

void FrozenColumn::followScrolling()
{
    const bool isNeeded = m_table.horizontalScrollBar()->value() > 0 && m_table.model()->columnCount() > 1;
    if (isNeeded)
        place();
    setVisible(isNeeded);
}

void FrozenColumn::place()
{
    if (m_table.isSortingEnabled() && !horizontalHeader()->isSortIndicatorShown())
        shareOrder();
    setItemDelegate(m_table.itemDelegate());
    for (int column = 1; column < m_table.model()->columnCount(); ++column)
        setColumnHidden(column, true);
    // Half of the table stays for the columns that the user scrolls to.
    const QWidget& area = *m_table.viewport();
    const int width = std::min(m_table.columnWidth(0), area.width() / 2);
    setColumnWidth(0, width);
    horizontalHeader()->setFixedHeight(m_table.horizontalHeader()->height());
    setGeometry(area.x(), area.y() - m_table.horizontalHeader()->height(), width,
                area.height() + m_table.horizontalHeader()->height());
    verticalScrollBar()->setRange(m_table.verticalScrollBar()->minimum(),
                                  m_table.verticalScrollBar()->maximum());
    verticalScrollBar()->setValue(m_table.verticalScrollBar()->value());
}

/// The table scrolls to its current cell, but does not know that this column covers its left edge.
void FrozenColumn::showCurrentCell(const QModelIndex& index)
{
    if (!isVisible() || index.column() < 1)
        return;
    const int covered = width() - m_table.visualRect(index).left();
    if (covered > 0)
        m_table.horizontalScrollBar()->setValue(m_table.horizontalScrollBar()->value() - covered);
}

} // namespace collscope
