// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>

namespace collscope {

/// Keeps the first column of a wide table, the names of its rows, in sight while the others scroll: a second
/// view of the same model and selection, above the first one. Hidden while the first column itself is in
/// sight.
class FrozenColumn : public QTableView
{
    Q_OBJECT

public:
    /// A child of the table. The table has its model and its row height already.
    explicit FrozenColumn(QTableView& table);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void shareOrder();
    void followScrolling();
    void place();
    void showCurrentCell(const QModelIndex& index);

    QTableView& m_table;
    const QObject* m_viewport; ///< of the table, which sends events while the table is destroyed
};

} // namespace collscope
