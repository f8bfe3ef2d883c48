// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/core/launch_links.h"

#include "model/text/lower_case.h"

#include <algorithm>

namespace collscope {

LaunchLinks::LaunchLinks(const TraceModel& model, const Timeline& timeline)
    : m_model(model)
    , m_timeline(timeline)
{
    const FlowColumns& flows = timeline.flows;
    for (std::size_t row = 0; row < flows.size();) {
        const StringId kind = flows.kind(row);
        const std::uint64_t id = flows.id[row];
        bool starts = false;
        bool ends = false;
        for (; row < flows.size() && flows.kind(row) == kind && flows.id[row] == id; ++row) {
            starts |= flows.phase(row) == FlowPhase::Start;
            ends |= flows.phase(row) == FlowPhase::End;
        }
        if (starts && ends && (model.text(kind) == "ac2g" || model.text(kind) == "async_cpu_to_gpu"))
            m_flows.push_back(id);
    }
    std::sort(m_flows.begin(), m_flows.end());
}

SliceRef LaunchLinks::launchOf(std::uint32_t correlation)
{
    const SliceRef call = correlation != 0 ? m_timeline.launchOf(correlation) : SliceRef{};
    if (!call || m_timeline.kind != SourceKind::Kineto)
        return call;
    const bool flows = std::binary_search(m_flows.begin(), m_flows.end(), std::uint64_t{correlation});
    return flows || launchesGraph(call) ? call : SliceRef{};
}

bool LaunchLinks::launchesGraph(SliceRef call)
{
    const StringId name = m_model.track(call.track).slices.name[call.row];
    const auto [known, isNew] = m_graphNames.try_emplace(name.value, false);
    if (isNew)
        known->second = lowered(m_model.text(name)).find("graphlaunch") != std::string::npos;
    return known->second;
}

} // namespace collscope
