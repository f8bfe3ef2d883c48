// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Lateness of each rank by collective (or step), with fast lookup of the largest value in any range of
// columns.

#include "metrics/matching/collective_rows.h"
#include "metrics/matching/lateness_cells.h"

#include <set>

namespace collscope {

/// Meaning of the columns and cells of the grid.
enum class LatenessColumns : std::uint8_t
{
    Collectives,
    StepMean, ///< one column per step: mean over the rank's collectives of the step
    StepSum
};

struct LatenessRequest
{
    GroupFilter groups; ///< sends and receives are excluded unless their group is selected
    LatenessColumns columns = LatenessColumns::Collectives;
    std::vector<std::int32_t> firstRanks = {}; ///< above the others, in this order
    std::set<std::int32_t> leftOut = {}; ///< ranks without a row
    friend bool operator==(const LatenessRequest&, const LatenessRequest&) = default;
};

/// Its rows are ranks that take part in any column: LatenessRequest::firstRanks, then ascending. Exact
/// numbers: CollectiveRows::arrivalsOf().
class LatenessGrid : public LatenessCells
{
public:
    struct Column
    {
        TimeRange range; ///< first start to last end, on the axis
        std::uint32_t firstRow = 0, endRow = 0; ///< into `rows`; several rows: groups that share no rank
        std::optional<std::int64_t> step; ///< number
    };

    CollectiveRowsPtr collectives;
    LatenessRequest request;
    std::vector<Column> columns; ///< by start
    std::vector<std::uint32_t> rows; ///< into CollectiveRows::rows, column by column

    /// The collective of a cell; for steps, the one in which the rank was latest. nullopt if the rank is in
    /// none.
    std::optional<std::uint32_t> collectiveAt(std::size_t rank, std::size_t column) const;
    /// Columns [first, second) that overlap a time range.
    std::pair<std::size_t, std::size_t> columnsIn(TimeRange range) const;

private:
    friend std::shared_ptr<const LatenessGrid> layOutLateness(CollectiveRowsPtr, const LatenessRequest&,
                                                              const std::function<bool()>&);
    void chooseRows();
    std::vector<std::uint32_t> columnOfRows() const;
    void makeColumns();
    void chooseRanks();
    bool fillCells(const std::function<bool()>& cancelled);

    std::vector<std::uint32_t> m_indexOfRank; ///< from RunCollectives::ranks into `ranks`
    std::vector<std::int64_t> m_latestEnd; ///< by column: latest end up to and including it
};
using LatenessGridPtr = std::shared_ptr<const LatenessGrid>;

/// O(calls of the chosen groups). nullptr if cancelled.
LatenessGridPtr layOutLateness(
    CollectiveRowsPtr collectives, const LatenessRequest& request,
    const std::function<bool()>& cancelled = [] { return false; });

} // namespace collscope
