// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/lateness_grid.h"

#include <algorithm>
#include <map>

namespace collscope {

namespace {

constexpr std::uint32_t noRank = 0xffffffffu;

} // namespace

float LatenessGrid::largestIn(std::size_t rank, std::size_t begin, std::size_t end) const
{
    float most = absent;
    for (const Level& level : m_levels) {
        if (begin >= end)
            break;
        const float* const cells = level.cells.data() + rank * level.width;
        if (begin % 2 == 1)
            most = std::max(most, cells[begin++]);
        if (end % 2 == 1)
            most = std::max(most, cells[--end]);
        begin /= 2;
        end /= 2;
    }
    return most;
}

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
        const bool isInStep = row.step || request.columns == LatenessColumns::Collectives;
        if (counts && isInStep && request.groups.includes(matching, collectives->instanceOf(row).group))
            rows.push_back(i);
    }
}

void LatenessGrid::makeColumns()
{
    const auto rowAt = [&](std::uint32_t i) -> const CollectiveRow& { return collectives->rows[rows[i]]; };
    const bool bySteps = request.columns != LatenessColumns::Collectives;
    if (bySteps)
        std::stable_sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
            return collectives->rows[a].step < collectives->rows[b].step;
        });
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
        const CollectiveRow& row = rowAt(i);
        if (bySteps && !columns.empty() && columns.back().step == row.step) {
            columns.back().range = columns.back().range.united(row.range);
            columns.back().endRow = i + 1;
        } else {
            columns.push_back({row.range, i, i + 1, row.step});
        }
    }
    std::stable_sort(columns.begin(), columns.end(),
                     [](const Column& a, const Column& b) { return a.range.beginNs < b.range.beginNs; });
    std::int64_t latest = std::numeric_limits<std::int64_t>::min();
    for (const Column& column : columns)
        m_latestEnd.push_back(latest = std::max(latest, column.range.endNs));
}

void LatenessGrid::chooseRanks()
{
    const std::vector<RankCalls>& all = collectives->run->ranks;
    std::vector<bool> takesPart(all.size(), false);
    for (const std::uint32_t row : rows) {
        for (const CallRef member : collectives->callsOf(collectives->rows[row]))
            takesPart[member.rank] = true;
    }
    m_indexOfRank.assign(all.size(), noRank);
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (!takesPart[i])
            continue;
        m_indexOfRank[i] = static_cast<std::uint32_t>(ranks.size());
        ranks.push_back(all[i].rank);
    }
}

bool LatenessGrid::fillCells(const std::function<bool()>& cancelled)
{
    Level& level = m_levels.emplace_back();
    level.width = columns.size();
    level.cells.assign(ranks.size() * level.width, absent);
    std::vector<std::pair<double, std::int64_t>> sums; // of each rank: ns, collectives
    constexpr std::size_t askEvery = 1024;
    for (std::size_t c = 0; c < columns.size(); ++c) {
        if (c % askEvery == 0 && cancelled())
            return false;
        sums.assign(ranks.size(), {0.0, 0});
        for (std::uint32_t i = columns[c].firstRow; i < columns[c].endRow; ++i) {
            const CollectiveRow& row = collectives->rows[rows[i]];
            for (const CallRef member : collectives->callsOf(row)) {
                const Call& call = collectives->run->callOf(member);
                const auto timeline
                    = static_cast<std::size_t>(call.timeline - collectives->model->timelines.data());
                auto& [ns, count] = sums[m_indexOfRank[member.rank]];
                ns += static_cast<double>(collectives->clocks.toAxis(timeline, call.range.beginNs)
                                          - row.range.beginNs);
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
            level.cells[rank * level.width + c] = isKnown ? static_cast<float>(value) : 0.0F;
        }
    }
    return true;
}

void LatenessGrid::buildLevels()
{
    while (m_levels.back().width > 1) {
        const Level& fine = m_levels.back();
        Level coarse;
        coarse.width = (fine.width + 1) / 2;
        coarse.cells.resize(ranks.size() * coarse.width);
        for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
            const float* const from = fine.cells.data() + rank * fine.width;
            float* const to = coarse.cells.data() + rank * coarse.width;
            for (std::size_t i = 0; i < coarse.width; ++i)
                to[i] = 2 * i + 1 < fine.width ? std::max(from[2 * i], from[2 * i + 1]) : from[2 * i];
        }
        m_levels.push_back(std::move(coarse));
    }
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        largest = std::max(largest, largestIn(rank, 0, columns.size()));
}

LatenessGridPtr layOutLateness(CollectiveRowsPtr collectives, const LatenessRequest& request,
                               const std::function<bool()>& cancelled)
{
    auto grid = std::make_shared<LatenessGrid>();
    grid->collectives = std::move(collectives);
    grid->request = request;
    const CollectiveRows& table = *grid->collectives;
    grid->significantNs = std::max(lateNs, table.run->clocks.significantNs(table.choice));
    grid->chooseRows();
    grid->makeColumns();
    grid->chooseRanks();
    if (!grid->fillCells(cancelled))
        return nullptr;
    grid->buildLevels();
    return grid;
}

} // namespace collscope
