// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Sorts data that is almost sorted (events come from a few threads and streams, each in order), and sorts in
// a way that can be cancelled.

#include <algorithm>
#include <iterator>
#include <stop_token>
#include <vector>

namespace collscope {

/// Stable sort that merges the ascending runs it finds: O(n) for sorted input, O(n log runs) for a few runs,
/// std::stable_sort where runs are short.
template<typename Iterator, typename Less>
void sortRuns(Iterator begin, Iterator end, Less before)
{
    constexpr auto shortRun = 16;
    std::vector<Iterator> bounds{begin};
    while (bounds.back() != end) {
        const Iterator runEnd = std::is_sorted_until(bounds.back(), end, before);
        bounds.push_back(runEnd);
        const auto seen = std::distance(begin, runEnd);
        if (bounds.size() > 64 && seen / static_cast<std::ptrdiff_t>(bounds.size()) < shortRun)
            return std::stable_sort(begin, end, before);
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

/// Sorts pieces, merges them, and asks in between whether to stop: a hundred thousand names take longer
/// than a user waits for a response. False if cancelled; the order is then arbitrary.
template<typename Iterator, typename Less>
bool sortUnlessCancelled(Iterator begin, Iterator end, Less before, const std::stop_token& stop)
{
    constexpr std::ptrdiff_t piece = 4096;
    const std::ptrdiff_t size = std::distance(begin, end);
    const auto at = [&](std::ptrdiff_t place) { return begin + std::min(place, size); };
    for (std::ptrdiff_t first = 0; first < size; first += piece) {
        if (stop.stop_requested())
            return false;
        std::sort(at(first), at(first + piece), before);
    }
    for (std::ptrdiff_t width = piece; width < size; width *= 2) {
        for (std::ptrdiff_t first = 0; first + width < size; first += 2 * width) {
            if (stop.stop_requested())
                return false;
            std::inplace_merge(at(first), at(first + width), at(first + 2 * width), before);
        }
    }
    return true;
}

} // namespace collscope
