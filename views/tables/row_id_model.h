// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A table model over rows stored elsewhere: it contains only the ids of the displayed rows, in order. Sorting
// 100 000 rows takes milliseconds.

#include "views/tables/table_text.h"

#include <QAbstractTableModel>
#include <QColor>

#include <limits>
#include <string_view>
#include <vector>

namespace collscope {

/// Value of a sorted column where the number is unknown.
inline constexpr double unknownNumber = std::numeric_limits<double>::quiet_NaN();

/// Columns are numbers or texts; unknown values come last in either sort order.
class RowIdModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    int rowCount(const QModelIndex& parent = {}) const override;
    void sort(int column, Qt::SortOrder order) override;
    std::uint32_t idAt(int row) const { return m_ids[static_cast<std::size_t>(row)]; }
    /// The row of an id; -1 if it is not shown.
    int rowOf(std::uint32_t id) const;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

protected:
    struct Heading
    {
        const char* key = ""; ///< header in copied tables: includes the unit, never translated
        QString title;
        QString meaning = {}; ///< tool tip
        bool isPlace = false; ///< a time or an identifying number: sorted ascending first
    };

    /// Sets the ids to show, sorted as last chosen.
    void setIds(std::vector<std::uint32_t> ids);
    virtual bool isText(int column) const = 0;
    /// NaN: unknown.
    virtual double number(std::uint32_t id, int column) const = 0;
    /// Must stay valid while the rows are sorted; empty: unknown.
    virtual std::string_view text(std::uint32_t id, int column) const = 0;
    virtual Heading heading(int column) const = 0;
    virtual QString shown(std::uint32_t id, int column) const = 0;
    /// The copied value: the number or the text itself.
    virtual QVariant raw(std::uint32_t id, int column) const;
    virtual QString toolTip(std::uint32_t id, int column) const { return shown(id, column); }
    virtual QColor chip(std::uint32_t id, int column) const; ///< before the text; default: none
    virtual QColor ink(std::uint32_t id, int column) const; ///< of the text; default: the palette's

private:
    void sortIds();
    std::vector<double> numbers() const; ///< numbers of the sorted column, by row
    std::vector<double> ordinals() const;

    std::vector<std::uint32_t> m_ids;
    int m_column = -1;
    Qt::SortOrder m_order = Qt::AscendingOrder;
};

} // namespace collscope
