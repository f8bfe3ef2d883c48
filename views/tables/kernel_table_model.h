// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Rows of the Peak kernels table: the kernels of one GPU that ran during a time range.

#include "metrics/counters/peak_kernels.h"
#include "metrics/partition/exposure.h"
#include "views/tables/table_text.h"

#include <QAbstractTableModel>

namespace collscope {

class KernelTableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column
    {
        Kernel,
        Gpu,
        Stream,
        OverlapUs,
        OverlapPercent,
        DurationUs,
        ExposedUs, ///< of communication kernels
        Class,
        ColumnCount
    };
    static constexpr int rawRole = RawRole;

    using QAbstractTableModel::QAbstractTableModel;

    /// `exposure`: nullptr while it is not known.
    void setRows(TraceModelPtr model, std::vector<KernelOverlap> rows, ExposurePtr exposure = {});
    SliceRef sliceAt(int row) const { return m_rows[static_cast<std::size_t>(row)].slice; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QVariant raw(const KernelOverlap& row, int column) const;

    TraceModelPtr m_model;
    ExposurePtr m_exposure;
    std::vector<KernelOverlap> m_rows;
};

} // namespace collscope
