// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/calls/alike_groups.h"

#include "model/text/lower_case.h"

#include <algorithm>
#include <map>

namespace collscope {

namespace {

/// "2 x 8" for two ranks, eight apart; all distances where they differ; empty without a list of ranks.
std::string distancesOf(const std::vector<std::int32_t>& ranks)
{
    if (ranks.size() < 2)
        return {};
    std::string all = std::to_string(ranks[1] - ranks[0]);
    bool isEven = true;
    for (std::size_t i = 2; i < ranks.size(); ++i) {
        isEven &= ranks[i] - ranks[i - 1] == ranks[1] - ranks[0];
        all += "," + std::to_string(ranks[i] - ranks[i - 1]);
    }
    return std::to_string(ranks.size()) + " x " + (isEven ? std::to_string(ranks[1] - ranks[0]) : all);
}

/// "[0, 8]"; of many ranks the first ones.
std::string exampleOf(const std::vector<std::int32_t>& ranks)
{
    constexpr std::size_t most = 4;
    std::string text;
    for (std::size_t i = 0; i < std::min(most, ranks.size()); ++i)
        text += (i == 0 ? "[" : ", ") + std::to_string(ranks[i]);
    return text + (ranks.size() > most ? ", ...]" : "]");
}

} // namespace

std::string likenessOf(const ProcessGroup& group)
{
    if (group.kind != ProcessGroup::Kind::Collective)
        return group.text;
    std::string stem = group.description.empty() ? group.name : group.description;
    std::erase_if(stem, isDigit);
    if (!group.description.empty() && !stem.empty())
        return stem;
    const std::string distances = distancesOf(group.ranks);
    return distances.empty() ? group.text : stem + " " + distances;
}

std::vector<std::string> sharedNamesOf(std::span<const ProcessGroup> groups)
{
    std::map<std::string, std::vector<std::size_t>> alike; // without a description
    std::vector<std::string> names;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        names.push_back(groups[i].description.empty() ? groups[i].text : groups[i].description);
        if (groups[i].description.empty() && !groups[i].ranks.empty())
            alike[likenessOf(groups[i])].push_back(i);
    }
    for (const auto& [likeness, members] : alike) {
        if (members.size() < 2)
            continue;
        const std::string name = "groups like " + exampleOf(groups[members.front()].ranks);
        for (const std::size_t member : members)
            names[member] = name;
    }
    return names;
}

} // namespace collscope
