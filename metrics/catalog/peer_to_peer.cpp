// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Link utilization while a pipeline stage computes its forward pass, from the GPU's hardware counters.

#include "metrics/catalog/catalog.h"
#include "metrics/core/statistics.h"
#include "model/interval_set.h"
#include "model/name_table.h"

#include <algorithm>

namespace collscope {

namespace {

constexpr std::string_view forwardMark = "model.model";
/// In order of preference; the file appends a unit to the name.
constexpr std::string_view counterNames[] = {"NVLink TX Responses User Data", "PCIe TX Throughput"};

/// Range from the first to the last kernel launched by a CPU slice or by slices nested in it.
std::optional<TimeRange> hullOfKernels(const TraceModel& model, const Timeline& timeline,
                                       const SliceColumns& slices, std::size_t row)
{
    std::optional<TimeRange> hull;
    for (std::size_t call = row; call < slices.size() && slices.startNs[call] < slices.endNs(row); ++call) {
        const std::uint32_t correlation = slices.correlation[call];
        const SliceRef work = correlation != 0 ? timeline.gpuSliceOf(correlation) : SliceRef{};
        if (work && isKernel(model.classOf(work)))
            hull = hull ? hull->united(model.rangeOf(work)) : model.rangeOf(work);
    }
    return hull;
}

/// For each forward pass marked by an NVTX range, the range from the first to the last kernel that it
/// launched.
std::vector<TimeRange> forwardWindows(const TraceModel& model, const Timeline& timeline)
{
    NameTable<std::int8_t> known(-1); // names repeat: each is tested once
    std::vector<TimeRange> windows;
    for (const TrackId id : timeline.tracks) {
        const Track& track = model.track(id);
        if (track.kind != TrackKind::CpuThread)
            continue;
        const SliceColumns& slices = track.slices;
        for (std::size_t row = 0; row < slices.size(); ++row) {
            if (slices.category[row] != SliceCategory::Nvtx)
                continue;
            std::int8_t& marks = known[slices.name[row]];
            if (marks < 0)
                marks = model.text(slices.name[row]).find(forwardMark) != std::string_view::npos ? 1 : 0;
            if (marks == 0)
                continue;
            if (const auto hull = hullOfKernels(model, timeline, slices, row))
                windows.push_back(*hull);
        }
    }
    return windows;
}

/// A GPU driven from the process of another thread has no NVTX ranges; those of its file are used instead.
IntervalSet windowsOf(const TraceModel& model, const Timeline& timeline)
{
    std::vector<TimeRange> windows = forwardWindows(model, timeline);
    if (windows.empty()) {
        for (const Timeline& other : model.timelines) {
            if (other.source != timeline.source || &other == &timeline)
                continue;
            const std::vector<TimeRange> more = forwardWindows(model, other);
            windows.insert(windows.end(), more.begin(), more.end());
        }
    }
    return IntervalSet(std::move(windows));
}

const CounterSeries* counterOf(const TraceModel& model, const Timeline& timeline, std::string_view name)
{
    for (const CounterSeries& series : timeline.counters) {
        if (model.text(series.name).starts_with(name)
            && (series.device < 0 || series.device == timeline.device))
            return &series;
    }
    return nullptr;
}

struct Samples
{
    std::vector<double> busy; ///< the non-zero samples in the windows
    std::int64_t idle = 0; ///< samples that are zero
};

Samples samplesIn(const CounterSeries& series, const IntervalSet& windows, const std::vector<Step>& steps)
{
    Samples samples;
    for (const Step& step : steps) {
        const IntervalSet inStep = windows.clipped(step.range);
        for (const TimeRange window : inStep.intervals()) {
            auto at = std::lower_bound(series.timeNs.begin(), series.timeNs.end(), window.beginNs);
            for (; at != series.timeNs.end() && *at < window.endNs; ++at) {
                const double value = series.value[static_cast<std::size_t>(at - series.timeNs.begin())];
                if (value != 0)
                    samples.busy.push_back(value);
                else
                    ++samples.idle;
            }
        }
    }
    return samples;
}

/// Set if the run has no pipeline, or if that is unknown.
std::optional<MetricResult> notAPipeline(Analysis& analysis)
{
    const Selection& selection = analysis.selection();
    const Mesh& mesh = analysis.workload().mesh;
    if (mesh.isKnown && mesh.pp > 1)
        return std::nullopt;
    if (mesh.isKnown)
        return noValue(selection, MetricState::NotApplicable,
                       "The run has one pipeline stage (pp = 1): stages do not send to each other.");
    return noValue(selection, MetricState::MissingInput,
                   "The number of pipeline stages is unknown: no workload card or TOML gives pp.");
}

MetricResult peerToPeer(Analysis& analysis)
{
    const Selection& selection = analysis.selection();
    if (auto none = notAPipeline(analysis))
        return *none;
    const TraceModel& model = analysis.model();
    std::string_view name;
    for (const std::string_view candidate : counterNames) {
        const bool sampled
            = std::any_of(selection.ranks.begin(), selection.ranks.end(), [&](const RankWindows& rank) {
                  return std::any_of(rank.parts.begin(), rank.parts.end(), [&](const auto& part) {
                      return counterOf(model, *part.timeline, candidate) != nullptr;
                  });
              });
        if (sampled && name.empty())
            name = candidate;
    }
    if (name.empty())
        return noValue(selection, MetricState::MissingInput,
                       "The run has no counters of NVLink or PCIe traffic: profile with nsys "
                       "--gpu-metrics-devices and export to SQLite.");
    MetricResult result = valueOf(analysis, selection, "pooled");
    Samples all;
    bool marked = false;
    for (const RankWindows& rank : selection.ranks) {
        std::vector<double> own;
        for (const RankWindows::Part& part : rank.parts) {
            const CounterSeries* series = counterOf(model, *part.timeline, name);
            const IntervalSet windows = windowsOf(model, *part.timeline);
            marked |= !windows.isEmpty();
            if (!series)
                continue;
            const Samples samples = samplesIn(*series, windows, part.steps);
            own.insert(own.end(), samples.busy.begin(), samples.busy.end());
            all.idle += samples.idle;
            if (!analysis.options().wantEvidence)
                continue;
            for (const Step& step : part.steps) {
                const IntervalSet inStep = windows.clipped(step.range);
                result.evidenceRanges.insert(result.evidenceRanges.end(), inStep.intervals().begin(),
                                             inStep.intervals().end());
            }
        }
        if (!own.empty())
            result.rows.push_back({rank.rank, std::nullopt, meanOf(own)});
        all.busy.insert(all.busy.end(), own.begin(), own.end());
    }
    if (!marked)
        return noValue(selection, MetricState::MissingInput,
                       "No NVTX range whose name contains model.model launched a kernel, so the forward "
                       "passes of the model are not marked.");
    if (all.busy.empty())
        return noValue(selection, MetricState::NotApplicable,
                       "None of the " + std::to_string(all.idle) + " samples of " + std::string(name)
                           + " in the forward passes of the window shows traffic.");
    result.value = meanOf(all.busy);
    result.details = {{"counter", name},
                      {"samples", static_cast<std::int64_t>(all.busy.size())},
                      {"zero_samples", all.idle},
                      {"max", *std::max_element(all.busy.begin(), all.busy.end())}};
    result.inputs = {std::to_string(all.busy.size()) + " samples of " + std::string(name)
                     + " above 0 are in the forward passes of the window, " + std::to_string(all.idle)
                     + " are 0 and are not counted."};
    return result;
}

} // namespace

const MetricDescriptor peerToPeerMetric{
    .id = "stage_link_utilization",
    .title = "Link utilization between pipeline stages",
    .group = "Communication",
    .unit = "%",
    .needs
    = "an nsys SQLite export with GPU metrics and NVTX ranges, of a run with more than one pipeline stage",
    .meaning = "Utilization of a GPU's outgoing link during the forward pass, while it carries traffic.",
    .definition
    = "mean of the non-zero samples of NVLink TX Responses User Data (else PCIe TX Throughput) inside the "
      "forward passes and the steps, pooled over ranks; a forward pass lasts from the first to the last "
      "kernel "
      "launched by an NVTX range with model.model in its name",
    .ranks = &Analysis::selection,
    .compute = peerToPeer,
};

} // namespace collscope
