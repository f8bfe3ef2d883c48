// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A table over rows that lie elsewhere: it holds only which of them are shown, and in which order. Sorting a
// hundred thousand is a matter of milliseconds.

#include "views/table_text.h"

#include <QAbstractTableModel>

#include <string_view>
#include <vector>

namespace collscope {

/// Columns are numbers or texts; what is unknown stands at the end, whichever way is sorted.
class RowIdModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    int rowCount(const QModelIndex& parent = {}) const override;
    void sort(int column, Qt::SortOrder order) override;
    std::uint32_t idAt(int row) const { return m_ids[static_cast<std::size_t>(row)]; }
    /// The row that shows an id; -1 if none does.
    int rowOf(std::uint32_t id) const;

protected:
    /// Shows these, in the order that was chosen last.
    void setIds(std::vector<std::uint32_t> ids);
    virtual bool isText(int column) const = 0;
    /// NaN = unknown.
    virtual double number(std::uint32_t id, int column) const = 0;
    /// Stays valid while the rows are sorted; empty = unknown.
    virtual std::string_view text(std::uint32_t id, int column) const = 0;

private:
    void sortIds();
    std::vector<double> numbers() const; ///< of the sorted column, by row
    std::vector<double> ordinals() const;

    std::vector<std::uint32_t> m_ids;
    int m_column = -1;
    Qt::SortOrder m_order = Qt::AscendingOrder;
};

} // namespace collscope
