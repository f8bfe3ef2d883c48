// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/history/period.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace collscope {

namespace {

constexpr std::size_t fewestPeriodHits = 4;

/// The places that fit a period from this one on, which may each be one place late or early.
std::size_t periodHits(const std::vector<bool>& isPlace, std::size_t first, std::size_t every)
{
    const std::size_t tolerance = every >= 8 ? 1 : 0;
    std::size_t hits = 0, at = first;
    while (at < isPlace.size()) {
        std::size_t found = isPlace.size();
        for (std::size_t i = at - std::min(at, tolerance); i <= std::min(at + tolerance, isPlace.size() - 1);
             ++i) {
            if (isPlace[i] && (found == isPlace.size() || i == at))
                found = i;
        }
        hits += found < isPlace.size() ? 1u : 0u;
        at = (found < isPlace.size() ? found : at) + every;
    }
    return hits;
}

/// Whether places without any order would hardly hit so often: they would at their share of all values.
bool isMoreThanChance(std::size_t hits, std::size_t expected, std::size_t places, std::size_t count,
                      std::size_t every)
{
    const double width = every >= 8 ? 3 : 1; // with one place late or early
    const double share = width * static_cast<double>(places) / static_cast<double>(count);
    if (share >= 1)
        return false;
    constexpr double deviations = 4.5; // a hundred periods are tried
    const double tries = static_cast<double>(expected);
    return static_cast<double>(hits) >= tries * share + deviations * std::sqrt(tries * share * (1 - share));
}

} // namespace

std::optional<Period> periodOf(std::span<const std::size_t> places, std::size_t count)
{
    if (places.size() < fewestPeriodHits)
        return std::nullopt;
    std::vector<bool> isPlace(count, false);
    for (const std::size_t place : places)
        isPlace[place] = true;
    constexpr std::size_t mostFirst = 24, mostLag = 4;
    std::optional<Period> best;
    std::set<std::pair<std::size_t, std::size_t>> tried;
    for (std::size_t i = 0; i + 1 < std::min(places.size(), mostFirst); ++i) {
        for (std::size_t j = i + 1; j < std::min(i + 1 + mostLag, places.size()); ++j) {
            const std::size_t every = places[j] - places[i];
            if (every < 2 || places[i] > 2 * every || !tried.emplace(every, places[i]).second)
                continue;
            const std::size_t hits = periodHits(isPlace, places[i], every);
            const std::size_t expected = (count - 1 - places[i]) / every + 1;
            if (hits >= fewestPeriodHits && 5 * hits >= 4 * expected
                && isMoreThanChance(hits, expected, places.size(), count, every)
                && (!best || hits > best->hits))
                best = Period{every, hits};
        }
    }
    return best;
}

} // namespace collscope
