// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which GPU events of a file are linked to the call that launched them, by TraceLens's definition
// (--linked-only).

#include "model/trace_model.h"

#include <unordered_map>
#include <vector>

namespace collscope {

/// The launch links of one file: the correlation names a call, and a complete ac2g flow pair has that id or
/// the call launches a graph. Nsight files contain no flows: there the correlation is the link.
class LaunchLinks
{
public:
    /// O(flows x log(flows)). Model and timeline must outlive the links.
    LaunchLinks(const TraceModel& model, const Timeline& timeline);

    /// The call that a correlation links to; a none-slice without a link. O(log n).
    SliceRef launchOf(std::uint32_t correlation);

private:
    bool launchesGraph(SliceRef call);

    const TraceModel& m_model;
    const Timeline& m_timeline;
    std::vector<std::uint64_t> m_flows; ///< sorted ids of the ac2g flows with a start and an end
    std::unordered_map<std::uint32_t, bool> m_graphNames; ///< by StringId: whether it names a graph launch
};

} // namespace collscope
