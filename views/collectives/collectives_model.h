// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Rows of the Collectives table: collectives of several ranks.

#include "metrics/partition/exposure.h"
#include "views/collectives/collective_filter.h"
#include "views/common/format.h"
#include "views/tables/row_id_model.h"

namespace collscope {

/// One row per collective of several ranks.
class CollectivesModel : public RowIdModel
{
    Q_OBJECT

public:
    enum Column
    {
        Name,
        Group,
        StepNumber,
        Start,
        Skew,
        LastRank,
        AheadOfLast,
        MeanWait,
        Exposed,
        Transfer,
        Size,
        AlgorithmBandwidth,
        BusBandwidth,
        FirstRank,
        Ranks,
        Spread,
        EndSkew,
        ElementType,
        ParallelismKinds,
        Rule,
        Confidence,
        ColumnCount
    };

    using RowIdModel::RowIdModel;

    /// nullptr: clears the table.
    void setCollectives(CollectiveRowsPtr collectives);
    const CollectiveRowsPtr& collectives() const { return m_collectives; }
    /// nullptr: not known yet.
    void setExposure(ExposurePtr exposure);
    void setFilter(CollectiveFilter filter);
    const CollectiveFilter& filter() const { return m_filter; }
    const CollectiveRow& rowAt(int row) const { return m_collectives->rows[idAt(row)]; }

    int columnCount(const QModelIndex& parent = {}) const override;

protected:
    bool isText(int column) const override;
    double number(std::uint32_t id, int column) const override;
    std::string_view text(std::uint32_t id, int column) const override;
    Heading heading(int column) const override;
    QString shown(std::uint32_t id, int column) const override;
    QString toolTip(std::uint32_t id, int column) const override;
    QColor chip(std::uint32_t id, int column) const override;
    QColor ink(std::uint32_t id, int column) const override;

private:
    /// Arrivals of the ranks, last rank first.
    QString arrivalsText(const CollectiveRow& row) const;
    static QString noTransferText(); ///< why a collective with a root has no transfer time
    void applyFilter();
    /// Mean over the ranks.
    std::optional<double> exposedNs(const CollectiveRow& row) const;

    CollectiveRowsPtr m_collectives;
    ExposurePtr m_exposure;
    CollectiveFilter m_filter;
    ColumnUnit m_unit; ///< unit of all durations
};

} // namespace collscope
