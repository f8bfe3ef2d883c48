// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// The "Peak kernels" table: kernels that ran during the selected NVLink peak, largest overlap first.

#include "views/state/view_state.h"
#include "views/tables/kernel_table_model.h"

#include <QSortFilterProxyModel>
#include <QWidget>

class QLabel;
class QTableView;

namespace collscope {

class NameColumnFit;

class KernelTable : public QWidget
{
    Q_OBJECT

public:
    explicit KernelTable(ViewState* state, QWidget* parent = nullptr);

    QTableView* table() const { return m_table; }
    /// The slice in a displayed row (after sorting).
    SliceRef sliceAt(int row) const;

private:
    void update();
    void reveal(const QModelIndex& index);

    ViewState* m_state;
    QLabel* m_caption;
    QTableView* m_table;
    NameColumnFit* m_names = nullptr;
    KernelTableModel m_model;
    QSortFilterProxyModel m_sorted;
};

} // namespace collscope
