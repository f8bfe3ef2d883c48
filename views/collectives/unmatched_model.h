// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Rows of the table of unmatched calls: communication calls without a partner, and the reason.

#include "views/collectives/collective_filter.h"
#include "views/common/format.h"
#include "views/tables/row_id_model.h"

namespace collscope {

/// One row per call of Matching::unmatched.
class UnmatchedModel : public RowIdModel
{
    Q_OBJECT

public:
    enum Column
    {
        Name,
        Rank,
        Group,
        Start,
        Duration,
        Size,
        Reason,
        ColumnCount
    };

    using RowIdModel::RowIdModel;

    void setCollectives(CollectiveRowsPtr collectives);
    /// Applies the filter except for lateOnly, which has no meaning for a single rank.
    void setFilter(CollectiveFilter filter);
    UnmatchedRow rowAt(int row) const { return m_collectives->unmatched(idAt(row)); }

    int columnCount(const QModelIndex& parent = {}) const override;

protected:
    bool isText(int column) const override;
    double number(std::uint32_t id, int column) const override;
    std::string_view text(std::uint32_t id, int column) const override;
    Heading heading(int column) const override;
    QString shown(std::uint32_t id, int column) const override;
    QVariant raw(std::uint32_t id, int column) const override;
    QString toolTip(std::uint32_t id, int column) const override;
    QColor chip(std::uint32_t id, int column) const override;

private:
    void applyFilter();
    bool isInGroups(const Call& call) const;

    CollectiveRowsPtr m_collectives;
    CollectiveFilter m_filter;
    ColumnUnit m_unit;
};

} // namespace collscope
