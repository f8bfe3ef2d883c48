// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/building/correlation_links.h"

#include "model/containers/run_sort.h"

#include <algorithm>

namespace collscope {

std::vector<LaunchLink> correlationLinks(const std::vector<Track>& tracks, std::size_t begin, std::size_t end,
                                         TrackKind kind)
{
    const auto forEachLink = [&](const auto& take) {
        for (std::size_t t = begin; t < end; ++t) {
            const SliceColumns& slices = tracks[t].slices;
            if (tracks[t].kind != kind || slices.correlation.isAllDefault())
                continue;
            for (std::uint32_t row = 0; row < slices.size(); ++row) {
                if (slices.correlation[row] != 0)
                    take(LaunchLink{slices.correlation[row], {TrackId{static_cast<std::uint32_t>(t)}, row}});
            }
        }
    };
    std::size_t count = 0;
    forEachLink([&](const LaunchLink&) { ++count; });
    std::vector<LaunchLink> links;
    links.reserve(count);
    forEachLink([&](const LaunchLink& link) { links.push_back(link); });
    // If several slices have the same id, the first one counts: the outermost call is the launch (nested
    // driver calls repeat the id), and the first kernel of a graph shows where the graph ran.
    const auto before = [](const LaunchLink& a, const LaunchLink& b) {
        return a.correlation != b.correlation ? a.correlation < b.correlation : a.slice < b.slice;
    };
    sortRuns(links.begin(), links.end(), before);
    const auto repeated
        = [](const LaunchLink& a, const LaunchLink& b) { return a.correlation == b.correlation; };
    links.erase(std::unique(links.begin(), links.end(), repeated), links.end());
    return links;
}

} // namespace collscope
