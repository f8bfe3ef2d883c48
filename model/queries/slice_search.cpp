// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/queries/slice_search.h"

namespace collscope {

SliceMatchesPtr findSlices(const TraceModel& model,
                           const std::function<bool(std::string_view name)>& isWanted,
                           const std::stop_token& stop)
{
    constexpr std::uint32_t askEvery = 1u << 16u;
    NameVerdicts names(model, isWanted);
    MatchCollector collector(model);
    for (std::uint32_t t = 0; t < model.tracks.size(); ++t) {
        const SliceColumns& slices = model.tracks[t].slices;
        for (std::uint32_t row = 0; row < slices.size(); ++row) {
            if (row % askEvery == 0 && stop.stop_requested())
                return nullptr;
            if (names.isWanted(slices.name[row]))
                collector.add(TrackId{t}, row);
        }
    }
    return collector.finish();
}

} // namespace collscope
