// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Rows of the Search table, one per slice.

#include "views/common/format.h"
#include "views/state/view_state.h"
#include "views/tables/row_id_model.h"

namespace collscope {

class SearchModel : public RowIdModel
{
    Q_OBJECT

public:
    enum Column
    {
        Name,
        Start,
        Duration,
        Exposed, ///< of communication kernels
        Rank,
        TrackName,
        ColumnCount
    };

    explicit SearchModel(const ViewState* state, QObject* parent = nullptr)
        : RowIdModel(parent)
        , m_state(state)
    { }

    /// Sets the slices, which belong to the current model.
    void setSlices(std::vector<SliceRef> slices);
    /// Sorts again with what is known of the run now.
    void refresh() { setSlices(std::move(m_slices)); }
    SliceRef sliceAt(int row) const { return m_slices[idAt(row)]; }
    /// The row of a slice; -1 if it is not listed. O(rows).
    int rowOfSlice(SliceRef slice) const;

    int columnCount(const QModelIndex& parent = {}) const override;

protected:
    bool isText(int column) const override { return column == Name || column == TrackName; }
    double number(std::uint32_t id, int column) const override;
    std::string_view text(std::uint32_t id, int column) const override;
    Heading heading(int column) const override;
    QString shown(std::uint32_t id, int column) const override;
    QString toolTip(std::uint32_t id, int column) const override;
    QColor chip(std::uint32_t id, int column) const override;

private:
    const ViewState* m_state;
    std::vector<SliceRef> m_slices;
    ColumnUnit m_unit; ///< unit of the duration column
};

} // namespace collscope
