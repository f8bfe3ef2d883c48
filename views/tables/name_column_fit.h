// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QTableView;

namespace collscope {

/// Gives the column with the names the width that the other columns of the table leave, as far as its names
/// need it, and at least enough to tell names apart. Other names never make it narrower. Follows the width of
/// the table until the user drags the edge of a column.
class NameColumnFit : public QObject
{
    Q_OBJECT

public:
    /// A child of the table.
    NameColumnFit(QTableView& table, int column);

    /// Fits all columns to the first rows, and this one to later ones too, unless the user has chosen a
    /// width.
    void fit();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    int widthOfOthers() const;
    void takeFreeWidth();

    QTableView& m_table;
    int m_column;
    int m_wanted = 0; ///< width of the longest name so far
    int m_widthOfLast = 0;
    bool m_isFitting = false, m_isChosenByUser = false;
};

} // namespace collscope
