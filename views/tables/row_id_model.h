// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A table over rows that lie elsewhere: it holds only which of them are shown, and in which order. Sorting a
// hundred thousand is a matter of milliseconds.

#include "views/tables/table_text.h"

#include <QAbstractTableModel>
#include <QColor>

#include <limits>
#include <string_view>
#include <vector>

namespace collscope {

/// What a sorted column holds where there is no number.
inline constexpr double unknownNumber = std::numeric_limits<double>::quiet_NaN();

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
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

protected:
    struct Heading
    {
        const char* key = ""; ///< in copied tables: with the unit, never translated
        QString title;
        QString meaning = {}; ///< tool tip
        bool isPlace
            = false; ///< a moment or a number that names something: the first click sorts it ascending
    };

    /// Shows these, in the order that was chosen last.
    void setIds(std::vector<std::uint32_t> ids);
    virtual bool isText(int column) const = 0;
    /// NaN = unknown.
    virtual double number(std::uint32_t id, int column) const = 0;
    /// Stays valid while the rows are sorted; empty = unknown.
    virtual std::string_view text(std::uint32_t id, int column) const = 0;
    virtual Heading heading(int column) const = 0;
    virtual QString shown(std::uint32_t id, int column) const = 0;
    /// What is copied: the number or the text itself.
    virtual QVariant raw(std::uint32_t id, int column) const;
    virtual QString toolTip(std::uint32_t id, int column) const { return shown(id, column); }
    virtual QColor chip(std::uint32_t id, int column) const; ///< before the text; none by default
    virtual QColor ink(std::uint32_t id, int column) const; ///< of the text; the palette's by default

private:
    void sortIds();
    std::vector<double> numbers() const; ///< of the sorted column, by row
    std::vector<double> ordinals() const;

    std::vector<std::uint32_t> m_ids;
    int m_column = -1;
    Qt::SortOrder m_order = Qt::AscendingOrder;
};

} // namespace collscope
