// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Rows of the Range table: slices of a range, summed by class, name, rank or track.

#include "metrics/analysis/range_summary.h"
#include "views/common/format.h"
#include "views/state/view_state.h"
#include "views/tables/row_id_model.h"

#include <array>
#include <string>

namespace collscope {

class RangeModel : public RowIdModel
{
    Q_OBJECT

public:
    enum Column
    {
        Label, ///< the group that the row stands for
        Count,
        Total,
        Exposed,
        Waiting, ///< of the exposed time
        Share,
        Mean,
        Longest,
        Extra, ///< by name: the class; by rank: the GPU utilization; otherwise unused
        ColumnCount
    };

    explicit RangeModel(const ViewState* state, QObject* parent = nullptr)
        : RowIdModel(parent)
        , m_state(state)
    { }

    /// Sets the rows, which belong to the current model; nullptr: no rows.
    void setPivot(RangeSummaryPtr summary, RangeGrouping grouping, RangePivot pivot);
    const RangeRow& rowAt(int row) const { return m_pivot.rows[idAt(row)]; }
    RangeGrouping grouping() const { return m_grouping; }
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

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
    std::int32_t rankOf(const RangeRow& row) const;
    /// Share of the total time, 0 to 1; NaN if the total time is 0.
    double share(std::uint32_t id) const;
    QString trackLabel(const RangeRow& row) const;

    const ViewState* m_state;
    RangeSummaryPtr m_summary;
    RangeGrouping m_grouping = RangeGrouping::Name;
    RangePivot m_pivot;
    std::array<ColumnUnit, ColumnCount> m_units; ///< units of the duration columns
};

} // namespace collscope
