// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/state/run_context.h"

#include "metrics/calls/workload.h"
#include "metrics/counters/peak_kernels.h"
#include "model/queries/initial_view.h"

#include <QSignalBlocker>

#include <utility>

namespace collscope {

void RunContext::setModel(TraceModelPtr model)
{
    m_model = std::move(model);
    m_collectives.reset();
    m_groups.reset();
    m_exposure.reset();
    m_gaps.clear();
    m_ghost.reset();
    m_clocks = {};
    m_mesh = m_model ? placeRanks(*m_model, describeWorkload(*m_model, nullptr).mesh, {}) : RankMesh();
    m_range = m_model ? m_model->range : TimeRange{0, 1};
    m_nvlinkRanks = m_model ? NvlinkRanks(*m_model) : NvlinkRanks();
    const QSignalBlocker quiet(m_edits); // listeners only need to know that the run changed
    m_edits.reset({});
}

void RunContext::setCollectives(RunCollectivesPtr collectives)
{
    m_collectives = std::move(collectives);
    m_groups.reset();
    m_exposure.reset();
    if (m_collectives)
        m_mesh = m_collectives->mesh;
}

/// A smaller selection of ranks leaves the gaps of the others as they are.
void RunContext::setGaps(const GapLanes& gaps)
{
    m_gaps.resize(gaps.size());
    for (std::size_t i = 0; i < gaps.size(); ++i) {
        if (gaps[i])
            m_gaps[i] = gaps[i];
    }
}

std::span<const LaneGap> RunContext::gapsOf(TimelineId timeline) const
{
    const bool isKnown = timeline.value < m_gaps.size() && m_gaps[timeline.value];
    return isKnown ? std::span<const LaneGap>(*m_gaps[timeline.value]) : std::span<const LaneGap>();
}

bool RunContext::updateClocks()
{
    const bool wereIdentity = m_clocks.isIdentity();
    m_clocks = m_collectives ? m_collectives->clocks.map(m_clockChoice) : ClockMap();
    if (wereIdentity && m_clocks.isIdentity())
        return false;
    m_exposure.reset(); // waits depend on the clocks
    m_groups.reset();
    std::optional<TimeRange> all; // the raw range would leave room for corrected clock errors
    for (std::size_t timeline = 0; timeline < m_model->timelines.size(); ++timeline) {
        const TimeRange own = m_clocks.toAxis(timeline, m_model->timelines[timeline].range);
        all = all ? all->united(own) : own;
    }
    const bool isAll = all && !m_clocks.isIdentity() && m_model->nvlink.empty();
    m_range = isAll ? *all : all ? m_model->range.united(*all) : m_model->range;
    return true;
}

TimeRange RunContext::rangeOf(SliceRef slice) const
{
    return m_clocks.toAxis(m_model->track(slice.track).timeline.value, m_model->rangeOf(slice));
}

TimeRange RunContext::initialView() const
{
    return collscope::initialView(
        *m_model, [this](std::size_t timeline, TimeRange range) { return m_clocks.toAxis(timeline, range); });
}

QString RunContext::nvlinkName(std::size_t nvlinkDevice) const
{
    const std::optional<int>& gpu = m_model->nvlink[nvlinkDevice].gpu;
    const QString number = gpu ? tr("GPU %1").arg(*gpu) : tr("GPU ?");
    const std::string& node = m_nvlinkRanks.nodeOf(nvlinkDevice);
    const QString name = node.empty() ? number : tr("%1 of %2").arg(number, QString::fromStdString(node));
    const auto& rank = m_nvlinkRanks.of(nvlinkDevice).rank;
    return !rank || (node.empty() && (!gpu || rank == *gpu)) ? name : tr("Rank %1: %2").arg(*rank).arg(name);
}

std::optional<std::size_t> RunContext::clockOf(std::size_t nvlinkDevice) const
{
    const auto& rank = m_nvlinkRanks.of(nvlinkDevice).rank;
    if (!rank)
        return std::nullopt;
    const KernelSource source = chooseKernelSource(*m_model, *rank, ProfileMode::Auto);
    return source.timelines.empty() ? std::nullopt
                                    : std::optional(m_model->indexOf(*source.timelines.front()));
}

} // namespace collscope
