// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/matching/lateness_grid.h"

#include "model/queries/rank_order.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace collscope {

namespace {

constexpr std::uint32_t noRank = 0xffffffffu;

/// Counts the collectives of a group by step and name. A step may recur: borders differ between ranks, and
/// calls before the first and after the last step have none.
using GroupProgress = std::map<std::pair<std::optional<std::int64_t>, std::string_view>, std::int64_t>;

/// A class number for each group, equal for groups of the same kind, description and size that share no rank.
std::vector<std::uint32_t> classesOfGroups(const CollectiveRows& table,
                                           const std::vector<std::uint32_t>& rows)
{
    const std::vector<ProcessGroup>& groups = table.run->matching.groups;
    std::vector<std::vector<bool>> ranksOf(groups.size());
    for (const std::uint32_t row : rows) {
        std::vector<bool>& ranks = ranksOf[table.instanceOf(table.rows[row]).group];
        ranks.resize(table.run->ranks.size());
        for (const CallRef member : table.callsOf(table.rows[row]))
            ranks[member.rank] = true;
    }
    struct Class
    {
        const ProcessGroup* like;
        std::vector<bool> ranks;
    };
    std::vector<Class> classes;
    std::vector<std::uint32_t> classOf(groups.size(), 0);
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const std::vector<bool>& ranks = ranksOf[g];
        const auto isLike = [&](const Class& known) {
            bool fits = known.like->parallelismKind == groups[g].parallelismKind
                && known.like->kind == groups[g].kind && known.like->description == groups[g].description
                && known.like->size == groups[g].size;
            for (std::size_t rank = 0; fits && rank < ranks.size(); ++rank)
                fits = !(ranks[rank] && known.ranks[rank]);
            return fits;
        };
        if (ranks.empty())
            continue;
        auto found = std::find_if(classes.begin(), classes.end(), isLike);
        if (found == classes.end())
            found = classes.insert(found, {&groups[g], std::vector<bool>(ranks.size())});
        for (std::size_t rank = 0; rank < ranks.size(); ++rank)
            found->ranks[rank] = found->ranks[rank] || ranks[rank];
        classOf[g] = static_cast<std::uint32_t>(found - classes.begin());
    }
    return classOf;
}

} // namespace

std::optional<std::uint32_t> LatenessGrid::collectiveAt(std::size_t rank, std::size_t column) const
{
    std::optional<std::uint32_t> found;
    std::int64_t latest = 0;
    for (std::uint32_t i = columns[column].firstRow; i < columns[column].endRow; ++i) {
        for (const MemberArrival& arrival : collectives->arrivalsOf(collectives->rows[rows[i]])) {
            if (arrival.rank != ranks[rank] || (found && arrival.latenessNs <= latest))
                continue;
            found = rows[i];
            latest = arrival.latenessNs;
        }
    }
    return found;
}

std::pair<std::size_t, std::size_t> LatenessGrid::columnsIn(TimeRange range) const
{
    const auto first = std::upper_bound(m_latestEnd.begin(), m_latestEnd.end(), range.beginNs);
    const auto end = std::partition_point(columns.begin(), columns.end(), [&](const Column& column) {
        return column.range.beginNs < range.endNs;
    });
    const auto firstIndex = static_cast<std::size_t>(first - m_latestEnd.begin());
    return {firstIndex, std::max(firstIndex, static_cast<std::size_t>(end - columns.begin()))};
}

void LatenessGrid::chooseRows()
{
    const Matching& matching = collectives->run->matching;
    for (std::uint32_t i = 0; i < collectives->rows.size(); ++i) {
        const CollectiveRow& row = collectives->rows[i];
        const bool counts = !row.isPointToPoint || request.groups.group;
        const bool isKnown = row.times.tellsWaits;
        const bool isInStep = row.step || request.columns == LatenessColumns::Collectives;
        if (counts && isKnown && isInStep
            && request.groups.includes(matching, collectives->instanceOf(row).group))
            rows.push_back(i);
    }
}

/// The column of each row: by step, or by collective. Groups of the same kind that share no rank work in
/// parallel (the TP groups of a run): their collectives share columns.
std::vector<std::uint32_t> LatenessGrid::columnOfRows() const
{
    std::vector<std::uint32_t> columnOf;
    if (request.columns != LatenessColumns::Collectives) {
        std::map<std::int64_t, std::uint32_t> columnOfStep;
        for (const std::uint32_t row : rows)
            columnOf.push_back(columnOfStep
                                   .try_emplace(collectives->rows[row].step.value_or(0),
                                                static_cast<std::uint32_t>(columnOfStep.size()))
                                   .first->second);
        return columnOf;
    }
    const std::vector<std::uint32_t> classOf = classesOfGroups(*collectives, rows);
    std::vector<GroupProgress> progress(classOf.size());
    std::map<std::tuple<std::uint32_t, std::string_view, std::optional<std::int64_t>, std::int64_t>,
             std::uint32_t>
        columnOfKey;
    for (const std::uint32_t index : rows) {
        const CollectiveRow& row = collectives->rows[index];
        const std::uint32_t group = collectives->instanceOf(row).group;
        const std::string_view name = collectives->nameOf(row);
        const std::int64_t ordinal = progress[group][{row.step, name}]++;
        columnOf.push_back(columnOfKey
                               .try_emplace({classOf[group], name, row.step, ordinal},
                                            static_cast<std::uint32_t>(columnOfKey.size()))
                               .first->second);
    }
    return columnOf;
}

void LatenessGrid::makeColumns()
{
    const std::vector<std::uint32_t> columnOf = columnOfRows();
    std::vector<std::vector<std::uint32_t>> rowsOf(
        columnOf.empty() ? 0 : 1 + *std::max_element(columnOf.begin(), columnOf.end()));
    for (std::size_t i = 0; i < rows.size(); ++i)
        rowsOf[columnOf[i]].push_back(rows[i]);
    std::vector<std::pair<Column, const std::vector<std::uint32_t>*>> sorted;
    for (const std::vector<std::uint32_t>& list : rowsOf) {
        const CollectiveRow& first = collectives->rows[list.front()];
        Column column{first.times.range(), 0, 0, first.step};
        for (const std::uint32_t row : list)
            column.range = column.range.united(collectives->rows[row].times.range());
        sorted.emplace_back(column, &list);
    }
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
        return a.first.range.beginNs < b.first.range.beginNs;
    });
    rows.clear();
    std::int64_t latest = std::numeric_limits<std::int64_t>::min();
    for (auto& [column, list] : sorted) {
        column.firstRow = static_cast<std::uint32_t>(rows.size());
        rows.insert(rows.end(), list->begin(), list->end());
        column.endRow = static_cast<std::uint32_t>(rows.size());
        if (column.step && (columns.empty() || columns.back().step != column.step))
            stepStarts.push_back({columns.size(), *column.step});
        columns.push_back(column);
        m_latestEnd.push_back(latest = std::max(latest, column.range.endNs));
    }
}

void LatenessGrid::chooseRanks()
{
    const std::vector<RankCalls>& all = collectives->run->ranks;
    std::vector<bool> takesPart(all.size(), false);
    for (const std::uint32_t row : rows) {
        for (const CallRef member : collectives->callsOf(collectives->rows[row]))
            takesPart[member.rank] = true;
    }
    std::vector<std::size_t> order; // into `all`
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (takesPart[i] && !request.leftOut.contains(all[i].rank))
            order.push_back(i);
    }
    RankOrder(request.firstRanks).sort(order, [&](std::size_t i) { return all[i].rank; });
    m_indexOfRank.assign(all.size(), noRank);
    for (const std::size_t i : order) {
        m_indexOfRank[i] = static_cast<std::uint32_t>(ranks.size());
        ranks.push_back(all[i].rank);
    }
}

bool LatenessGrid::fillCells(const std::function<bool()>& cancelled)
{
    std::vector<float> cells(ranks.size() * columns.size(), absent);
    std::vector<std::pair<double, std::int64_t>> sums; // per rank: ns, collectives
    CollectiveTimer timer = collectives->run->timer(*collectives->model, collectives->clocks);
    constexpr std::size_t askEvery = 1024;
    for (std::size_t c = 0; c < columns.size(); ++c) {
        if (c % askEvery == 0 && cancelled())
            return false;
        sums.assign(ranks.size(), {0.0, 0});
        for (std::uint32_t i = columns[c].firstRow; i < columns[c].endRow; ++i) {
            const CollectiveRow& row = collectives->rows[rows[i]];
            const std::span<const CallRef> members = collectives->callsOf(row);
            timer.of(collectives->instanceOf(row));
            for (std::size_t m = 0; m < members.size(); ++m) {
                if (m_indexOfRank[members[m].rank] == noRank)
                    continue;
                auto& [ns, count] = sums[m_indexOfRank[members[m].rank]];
                ns += static_cast<double>(timer.lateness()[m]);
                ++count;
            }
        }
        for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
            const auto& [ns, count] = sums[rank];
            if (count == 0)
                continue;
            const double mean = ns / static_cast<double>(count);
            const double value = request.columns == LatenessColumns::StepMean ? mean : ns;
            const bool isKnown = mean > static_cast<double>(significantNs);
            cells[rank * columns.size() + c] = isKnown ? static_cast<float>(value) : 0.0F;
        }
    }
    setCells(columns.size(), std::move(cells));
    return true;
}

LatenessGridPtr layOutLateness(CollectiveRowsPtr collectives, const LatenessRequest& request,
                               const std::function<bool()>& cancelled)
{
    auto grid = std::make_shared<LatenessGrid>();
    grid->collectives = std::move(collectives);
    grid->request = request;
    const CollectiveRows& table = *grid->collectives;
    grid->significantNs = table.run->clocks.significantNs(table.choice);
    grid->chooseRows();
    grid->makeColumns();
    grid->chooseRanks();
    if (!grid->fillCells(cancelled))
        return nullptr;
    return grid;
}

} // namespace collscope
