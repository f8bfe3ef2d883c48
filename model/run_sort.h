// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Sorting what is almost sorted: events come from a few threads and streams, each in order.

#include <algorithm>
#include <iterator>
#include <vector>

namespace collscope {

/// Insertion sort of [begin, end) as long as it takes at most eight moves per element; false, with the
/// elements in some order that keeps equal ones in theirs, if it would take more.
template<typename Iterator, typename Less>
bool sortNearlySorted(Iterator begin, Iterator end, Less before)
{
    auto budget = 8 * std::distance(begin, end);
    for (Iterator at = begin; at != end; ++at) {
        auto element = *at;
        Iterator hole = at;
        while (hole != begin && before(element, *std::prev(hole)) && budget > 0) {
            *hole = *std::prev(hole);
            --hole;
            --budget;
        }
        *hole = element;
        if (budget == 0)
            return false;
    }
    return true;
}

/// Stable sort that merges the ascending runs it finds: O(n) for sorted input, O(n log runs) for a few runs,
/// and one pass where everything is near its place, std::stable_sort otherwise.
template<typename Iterator, typename Less>
void sortRuns(Iterator begin, Iterator end, Less before)
{
    constexpr auto shortRun = 16;
    std::vector<Iterator> bounds{begin};
    while (bounds.back() != end) {
        const Iterator runEnd = std::is_sorted_until(bounds.back(), end, before);
        bounds.push_back(runEnd);
        const auto seen = std::distance(begin, runEnd);
        if (bounds.size() > 64 && seen / static_cast<std::ptrdiff_t>(bounds.size()) < shortRun) {
            // A profiler writes a call behind the calls it encloses: everything is near its place.
            if (!sortNearlySorted(begin, end, before))
                std::stable_sort(begin, end, before);
            return;
        }
    }
    // Neighbours are merged pairwise, so that each element moves log(runs) times.
    while (bounds.size() > 2) {
        std::vector<Iterator> merged{begin};
        for (std::size_t i = 0; i + 1 < bounds.size(); i += 2) {
            const Iterator last = bounds[std::min(i + 2, bounds.size() - 1)];
            if (i + 2 < bounds.size())
                std::inplace_merge(bounds[i], bounds[i + 1], last, before);
            merged.push_back(last);
        }
        bounds = std::move(merged);
    }
}

} // namespace collscope
