// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/summary/show_place.h"

namespace collscope {

void showPlace(ViewState& state, const FindingPlace& place)
{
    state.preferences().setRankHidden(place.rank, false);
    state.viewport().showSlice(place.range);
    if (place.slice)
        state.revealSlice(place.slice, true);
    state.selection().setRange(place.range);
}

std::optional<std::int32_t> worstRankOf(const Finding& finding)
{
    if (!finding.places.all().empty())
        return finding.places.all().front().rank;
    return finding.ranks.size() == 1 ? std::optional(finding.ranks.front()) : std::nullopt;
}

} // namespace collscope
