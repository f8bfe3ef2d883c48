// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/history/speed_map.h"

#include "metrics/core/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace collscope {

namespace {

/// The median duration of each class of operations that a member has often enough.
std::unordered_map<std::uint32_t, double> typicalDurations(const OperationColumns& rows)
{
    constexpr std::size_t fewest = 5;
    std::unordered_map<std::uint32_t, std::vector<double>> durations;
    for (std::size_t row = 0; row < rows.size(); ++row)
        durations[rows.operationClass[row]].push_back(rows.durationUs[row]);
    std::unordered_map<std::uint32_t, double> typical;
    for (auto& [operationClass, own] : durations) {
        if (own.size() >= fewest)
            typical.emplace(operationClass, medianOf(std::move(own)));
    }
    return typical;
}

SpeedMap::Row speedRow(const JobHistory& history, std::uint32_t member, const SpeedMap& map)
{
    const OperationColumns& rows = history.members[member].operations;
    const std::unordered_map<std::uint32_t, double> typical = typicalDurations(rows);
    std::vector<double> sums(map.columns, 0), counts(map.columns, 0);
    const auto spanNs = static_cast<double>(std::max<std::int64_t>(map.endNs - map.beginNs, 1));
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const auto usualAt = typical.find(rows.operationClass[row]);
        const double usual = usualAt == typical.end() ? 0 : usualAt->second, own = rows.durationUs[row];
        const bool isTimed = map.endNs > 0;
        if (usual <= 0 || own <= 0 || (isTimed && rows.timeUs[row] == 0))
            continue;
        const double place = isTimed ? static_cast<double>(rows.timeUs[row] * 1000 - map.beginNs) / spanNs
                                     : static_cast<double>(row) / static_cast<double>(rows.size());
        const auto column
            = std::min(static_cast<std::size_t>(std::max(place, 0.0) * static_cast<double>(map.columns)),
                       map.columns - 1);
        constexpr double mostTimes = 4; // one short operation must not hide the others
        sums[column] += std::min(usual / own, mostTimes);
        ++counts[column];
    }
    SpeedMap::Row result{member, {}};
    for (std::size_t i = 0; i < map.columns; ++i)
        result.speed.push_back(counts[i] > 0 ? static_cast<float>(sums[i] / counts[i])
                                             : std::numeric_limits<float>::quiet_NaN());
    return result;
}

} // namespace

SpeedMap speedMap(const JobHistory& history, std::size_t columns)
{
    SpeedMap map;
    map.columns = columns;
    for (const HistoryMember& member : history.members) {
        for (const std::int64_t time : member.operations.timeUs) {
            if (time == 0)
                continue;
            map.beginNs = map.beginNs == 0 ? time * 1000 : std::min(map.beginNs, time * 1000);
            map.endNs = std::max(map.endNs, time * 1000);
        }
    }
    std::vector<std::uint32_t> members;
    for (std::uint32_t i = 0; i < history.members.size(); ++i) {
        if (history.members[i].operations.size() > 0)
            members.push_back(i);
    }
    std::stable_sort(members.begin(), members.end(), [&history](std::uint32_t a, std::uint32_t b) {
        const HistoryMember &left = history.members[a], &right = history.members[b];
        return std::pair(left.communicator, left.rank) < std::pair(right.communicator, right.rank);
    });
    for (const std::uint32_t member : members)
        map.rows.push_back(speedRow(history, member, map));
    return map;
}

JobCasePtr examineJob(std::shared_ptr<const JobHistory> history)
{
    constexpr std::size_t columns = 240;
    auto own = std::make_shared<JobCase>();
    own->report = jobReport(*history);
    own->map = speedMap(*history, columns);
    own->history = std::move(history);
    return own;
}

} // namespace collscope
