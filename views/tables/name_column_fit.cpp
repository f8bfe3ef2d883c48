// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/tables/name_column_fit.h"

#include <QEvent>
#include <QHeaderView>
#include <QScopedValueRollback>
#include <QTableView>

#include <algorithm>

namespace collscope {

namespace {

constexpr int narrowest = 170;

} // namespace

NameColumnFit::NameColumnFit(QTableView& table, int column)
    : QObject(&table)
    , m_table(table)
    , m_column(column)
{
    table.viewport()->installEventFilter(this);
    connect(table.horizontalHeader(), &QHeaderView::sectionResized, this, [this](int section) {
        const bool isStretched = section == m_table.horizontalHeader()->count() - 1; // follows the others
        m_isChosenByUser = m_isChosenByUser || (!m_isFitting && !isStretched);
    });
}

bool NameColumnFit::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        takeFreeWidth();
    return QObject::eventFilter(watched, event);
}

void NameColumnFit::fit()
{
    const QHeaderView& header = *m_table.horizontalHeader();
    if (m_isChosenByUser || m_table.model()->rowCount() == 0)
        return;
    const auto widthOf = [&](int column) {
        return std::max(static_cast<QAbstractItemView&>(m_table).sizeHintForColumn(column),
                        header.sectionSizeHint(column));
    };
    if (m_wanted == 0) {
        const QScopedValueRollback guard(m_isFitting, true);
        m_table.resizeColumnsToContents();
        m_widthOfLast = widthOf(header.count() - 1);
    }
    m_wanted = std::max(m_wanted, widthOf(m_column));
    takeFreeWidth();
}

/// A stretched last column has the free width itself, so that it counts with what it needs.
int NameColumnFit::widthOfOthers() const
{
    const QHeaderView& header = *m_table.horizontalHeader();
    const int last = header.stretchLastSection() ? header.count() - 1 : -1;
    int width = 0;
    for (int column = 0; column < header.count(); ++column) {
        if (column == last && column != m_column)
            width += m_widthOfLast;
        else if (column != m_column)
            width += m_table.columnWidth(column);
    }
    return width;
}

void NameColumnFit::takeFreeWidth()
{
    if (m_isChosenByUser || m_wanted == 0)
        return;
    const QScopedValueRollback guard(m_isFitting, true);
    const int free = m_table.viewport()->width() - widthOfOthers();
    m_table.setColumnWidth(m_column, std::max(narrowest, std::min(free, m_wanted)));
}

} // namespace collscope
