// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/queries/member_evidence.h"

#include "model/text/rank_lists.h"

#include <algorithm>
#include <map>
#include <set>

namespace collscope {

namespace {

constexpr std::int32_t mostStrangers = 16;

/// The timelines that call groups with the same list of ranks, by their positions.
using CallersOfList = std::map<std::vector<std::int32_t>, std::vector<std::size_t>>;

CallersOfList callersOfLists(const TraceModel& model, const std::vector<JobCalls>& calls,
                             const std::vector<std::size_t>& timelines)
{
    CallersOfList callers;
    std::set<std::uint32_t> seen;
    for (std::size_t k = 0; k < timelines.size(); ++k) {
        seen.clear();
        for (const JobGroupCalls& group : calls[timelines[k]].groups) {
            if (!seen.insert(group.ranks.value).second)
                continue;
            std::vector<std::int32_t> ranks = parseRankList(model.text(group.ranks));
            if (ranks.empty())
                continue;
            std::sort(ranks.begin(), ranks.end());
            ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
            std::vector<std::size_t>& own = callers[std::move(ranks)];
            if (own.empty() || own.back() != k)
                own.push_back(k);
        }
    }
    return callers;
}

} // namespace

std::vector<std::int32_t> partsByMembers(const TraceModel& model, const std::vector<JobCalls>& calls,
                                         const std::vector<std::size_t>& timelines)
{
    std::vector<std::int32_t> parts(timelines.size(), 0);
    std::int32_t alone = 1; // 1: all timelines whose groups have other ranks as members
    for (const auto& [ranks, callers] : callersOfLists(model, calls, timelines)) {
        std::vector<std::size_t> strangers;
        for (const std::size_t k : callers) {
            const Timeline& timeline = model.timelines[timelines[k]];
            if (!timeline.isRankAssumed && !std::binary_search(ranks.begin(), ranks.end(), timeline.rank))
                strangers.push_back(k);
        }
        const std::size_t others = callers.size() - strangers.size();
        if (callers.size() <= ranks.size() && (strangers.empty() || others == 0))
            continue;
        // Two jobs of the same size can be distinguished. Each additional timeline may belong to yet another
        // job.
        const bool areTold = !strangers.empty() && others > 0 && others <= ranks.size();
        const bool areOneMore = areTold && strangers.size() <= ranks.size();
        const std::vector<std::size_t>& apart = areTold ? strangers : callers;
        for (std::size_t i = 0; i < apart.size(); ++i) {
            std::int32_t& part = parts[apart[i]];
            const bool isFirst = !areTold && i == 0;
            if (part == 0 && !isFirst)
                part = areOneMore ? 1 : ++alone;
        }
        if (alone > mostStrangers)
            return std::vector<std::int32_t>(timelines.size(), 0);
    }
    return parts;
}

} // namespace collscope
