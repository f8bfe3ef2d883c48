// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/analysis/known_communication.h"

#include "model/queries/unrecognised_communication.h"

#include <algorithm>

namespace collscope {

namespace {

bool recognisesCommunication(Analysis& analysis)
{
    const TraceModel& model = analysis.model();
    for (const Timeline& timeline : model.timelines) {
        if (timeline.summary && timeline.summary->communicates)
            return true;
        if (std::any_of(timeline.collectives.begin(), timeline.collectives.end(),
                        [](const CollectiveCall& call) { return call.onGpu && call.slice; }))
            return true;
    }
    const std::vector<RankCalls>& ranks = analysis.calls();
    return std::any_of(ranks.begin(), ranks.end(), [](const RankCalls& rank) { return !rank.calls.empty(); });
}

std::int64_t kernelsOf(const TraceModel& model)
{
    std::int64_t kernels = 0;
    for (const Timeline& timeline : model.timelines)
        kernels += timeline.summary ? timeline.summary->whole.kernels.kernels : 0;
    for (const Track& track : model.tracks) {
        if (track.kind == TrackKind::GpuStream)
            kernels += std::count(track.slices.category.begin(), track.slices.category.end(),
                                  SliceCategory::Kernel);
    }
    return kernels;
}

} // namespace

std::optional<MetricResult> communicationUnknown(Analysis& analysis, const Selection& selection)
{
    if (selection.failure || toldWorldSize(analysis.model()) == 1 || recognisesCommunication(analysis))
        return std::nullopt;
    const std::int64_t kernels = kernelsOf(analysis.model());
    if (kernels == 0)
        return noValue(selection, MetricState::MissingInput,
                       std::string(notRecorded) + "the run contains no GPU kernel.");
    return noValue(selection, MetricState::MissingInput,
                   std::string(notRecorded) + "none of the " + countText(kernels, "kernel")
                       + " of this run is recognised as communication, by name or by metadata. If some of "
                         "them communicate, add a [[communication]] rule (menu of a kernel in the timeline, "
                         "or --define FILE.toml).");
}

MetricResult whyNoCommunication(Analysis& analysis, const Selection& selection, std::string_view soThat)
{
    if (auto unknown = communicationUnknown(analysis, selection))
        return std::move(*unknown);
    const std::string what = selection.isOfCpu ? "No collective of a CPU backend ran"
                                               : "No kernel recognised as communication ran";
    return noValue(selection, MetricState::NotApplicable,
                   what + " in the window (" + selection.window + ")"
                       + (soThat.empty() ? "" : ": " + std::string(soThat)) + ".");
}

std::optional<MetricResult> copiesUnknown(const Selection& selection)
{
    for (const RankWindows& rank : selection.ranks) {
        for (const RankWindows::Part& part : rank.parts) {
            if (!part.timeline->worker)
                return std::nullopt;
        }
    }
    return noValue(
        selection, MetricState::MissingInput,
        "Files of this kind do not contain memory copies, so the number and duration of copies are unknown.");
}

Value knownCommunication(Analysis& analysis, const Selection& selection, Value figure)
{
    return communicationUnknown(analysis, selection) ? Value() : std::move(figure);
}

} // namespace collscope
