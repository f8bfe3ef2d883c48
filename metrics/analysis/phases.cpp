// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/analysis/phases.h"

#include "metrics/core/step_rows.h"

#include <algorithm>
#include <limits>

namespace collscope {

namespace {

std::size_t indexOf(unsigned phase)
{
    return phase == PhaseForward ? 0 : phase == PhaseBackward ? 1 : phase == PhaseOptimizer ? 2 : 3;
}

/// Determines the phase of the kernels of one timeline.
class PhaseFinder
{
public:
    PhaseFinder(const TraceModel& model, const Timeline& timeline, const LaunchContext& context)
        : m_model(model)
        , m_context(context)
    {
        for (const Step& step : timeline.steps)
            m_steps.push_back(step.range);
        std::sort(m_steps.begin(), m_steps.end(),
                  [](const TimeRange& a, const TimeRange& b) { return a.beginNs < b.beginNs; });
    }

    /// The phase by launch; counts the examined kernels in `times`.
    unsigned byLaunch(TrackId track, std::size_t row, std::int64_t clippedNs, PhaseTimes& times) const
    {
        const SliceRef launch = m_context.launchOf(track, row);
        const bool communicates = isCommunication(m_model.track(track).slices.kernelClass[row]);
        unsigned phase = PhaseOther;
        if (!launch) {
            ++times.unlinked;
        } else {
            const unsigned marks = m_context.marksOf(launch);
            if ((marks & LaunchOptimizer) != 0)
                phase = PhaseOptimizer;
            else if ((marks & LaunchBackward) != 0)
                phase = PhaseBackward;
            else if (!communicates && beforeBackward(m_model.rangeOf(launch).beginNs))
                phase = PhaseForward;
            if (phase == PhaseBackward && (marks & LaunchRecompute) != 0)
                times.recomputeNs += clippedNs;
        }
        times.kernels[indexOf(phase)] += 1;
        if (communicates)
            times.communicationNs[indexOf(phase)] += clippedNs;
        return phase;
    }

    /// The phases of a step as CPU windows, for GPU work that cannot be traced to its launches. Disjoint, in
    /// time order, without gaps over the step.
    std::vector<std::pair<TimeRange, unsigned>> windows(TimeRange step) const;

private:
    /// With micro-batches the forward pass of the next one follows the backward pass of the previous one: a
    /// kernel belongs to a forward pass if a backward pass still follows in its step.
    bool beforeBackward(std::int64_t launchNs) const
    {
        const auto next
            = std::upper_bound(m_steps.begin(), m_steps.end(), launchNs,
                               [](std::int64_t time, const TimeRange& step) { return time < step.beginNs; });
        std::int64_t endNs = next != m_steps.end() ? next->beginNs : std::numeric_limits<std::int64_t>::max();
        if (next != m_steps.begin() && std::prev(next)->contains(launchNs))
            endNs = std::prev(next)->endNs;
        return m_context.backwardStartsIn(launchNs, endNs);
    }

    const TraceModel& m_model;
    const LaunchContext& m_context;
    std::vector<TimeRange> m_steps; ///< all steps of the timeline, by start
};

std::vector<std::pair<TimeRange, unsigned>> PhaseFinder::windows(TimeRange step) const
{
    TimeRange backward{step.endNs, step.endNs};
    const auto take = [&](TimeRange range) {
        if (!step.contains(range.beginNs))
            return;
        const bool first = backward.beginNs == step.endNs;
        backward = {std::min(backward.beginNs, range.beginNs),
                    first ? range.endNs : std::max(backward.endNs, range.endNs)};
    };
    for (const TimeRange& range : m_context.backward())
        take(range);
    for (const std::int64_t arrow : m_context.backwardArrows())
        take({arrow, arrow});
    backward = backward.intersected(step);
    std::vector<std::int64_t> cuts{step.beginNs, step.endNs, backward.beginNs, backward.endNs};
    for (const TimeRange& range : m_context.optimizer()) {
        const TimeRange inside = range.intersected(step);
        if (!inside.isEmpty())
            cuts.insert(cuts.end(), {inside.beginNs, inside.endNs});
    }
    std::sort(cuts.begin(), cuts.end());
    std::vector<std::pair<TimeRange, unsigned>> result;
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
        const TimeRange part{cuts[i], cuts[i + 1]};
        if (part.isEmpty())
            continue;
        const bool optimizes
            = std::any_of(m_context.optimizer().begin(), m_context.optimizer().end(),
                          [&](const TimeRange& range) { return range.contains(part.beginNs); });
        const unsigned phase = optimizes                                        ? PhaseOptimizer
            : backward.contains(part.beginNs)                                   ? PhaseBackward
            : part.beginNs < backward.beginNs && backward.beginNs != step.endNs ? PhaseForward
                                                                                : PhaseOther;
        result.emplace_back(part, phase);
    }
    return result;
}

/// Calls f(track, row) for the kernels of a window until f returns false; returns whether it never did.
template<typename F>
bool forEachKernel(const TraceModel& model, const Timeline& timeline, TimeRange window, const F& f)
{
    return forEachGpuSlice(model, timeline, window,
                           [&](TrackId track, const SliceColumns& slices, std::size_t row) {
                               return !isKernelSlice(slices, row) || f(track, row);
                           });
}

bool knowsLaunches(const TraceModel& model, const RankWindows::Part& part, const LaunchContext& context)
{
    return std::any_of(part.steps.begin(), part.steps.end(), [&](const Step& step) {
        return !forEachKernel(model, *part.timeline, step.range,
                              [&](TrackId track, std::size_t row) { return !context.launchOf(track, row); });
    });
}

PhaseMethod methodFor(const TraceModel& model, const RankWindows::Part& part, const LaunchContext& context)
{
    const bool named = (context.allMarks() & (LaunchBackward | LaunchOptimizer)) != 0;
    if (named && knowsLaunches(model, part, context))
        return PhaseMethod::Launches;
    if (!context.backwardArrows().empty())
        return PhaseMethod::Arrows;
    return named ? PhaseMethod::Windows : PhaseMethod::None;
}

PhaseTimes measureStep(Analysis& analysis, const RankWindows::Part& part, const StepRows& rows,
                       std::size_t step, const PhaseFinder& finder, PhaseMethod method)
{
    const TraceModel& model = analysis.model();
    const MetricOptions& options = analysis.options();
    PhaseTimes times;
    const auto kernelNs = [&](const Track& track, std::size_t row, TimeRange window) {
        return track.slices.range(row).intersected(window).lengthNs();
    };
    if (method == PhaseMethod::Launches) {
        const TimeRange window = rows.window(step);
        const bool clips = options.attribution == MetricOptions::Attribution::Clip;
        times.active = sweep(
            model, *part.timeline, window,
            [&](const Track& track, std::size_t row) {
                const TrackId id{static_cast<std::uint32_t>(&track - model.tracks.data())};
                if (track.slices.category[row] != SliceCategory::Kernel
                    || (!clips && !rows.belongs(id, row, step)))
                    return 0u;
                return finder.byLaunch(id, row, kernelNs(track, row, window), times);
            },
            options.cancelled);
    } else {
        for (const auto& [window, phase] : finder.windows(part.steps[step].range)) {
            times.active += sweep(
                model, *part.timeline, window,
                [&, range = window, bit = phase](const Track& track, std::size_t row) {
                    if (track.slices.category[row] != SliceCategory::Kernel)
                        return 0u;
                    const bool communicates = isCommunication(track.slices.kernelClass[row]);
                    const unsigned own = communicates && bit == PhaseForward ? PhaseOther : bit;
                    times.kernels[indexOf(own)] += 1;
                    if (communicates)
                        times.communicationNs[indexOf(own)] += kernelNs(track, row, range);
                    return own;
                },
                options.cancelled);
        }
    }
    times.windowNs = part.steps[step].range.lengthNs();
    return times;
}

} // namespace

std::int64_t PhaseTimes::sum() const
{
    std::int64_t sum = 0;
    for (const Phase phase : allPhases)
        sum += of(phase);
    return sum;
}

PhaseTimes& PhaseTimes::operator+=(const PhaseTimes& more)
{
    windowNs += more.windowNs;
    active += more.active;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        kernels[i] += more.kernels[i];
        communicationNs[i] += more.communicationNs[i];
    }
    recomputeNs += more.recomputeNs;
    unlinked += more.unlinked;
    return *this;
}

PhaseTable measurePhases(Analysis& analysis)
{
    PhaseTable table;
    for (const RankWindows& windows : analysis.selection().ranks) {
        RankPhases& rank = table.ranks.emplace_back();
        rank.rank = windows.rank;
        for (const RankWindows::Part& part : windows.parts) {
            const LaunchContext& context = launchesOf(analysis, *part.timeline);
            const PhaseFinder finder(analysis.model(), *part.timeline, context);
            const PhaseMethod method = methodFor(analysis.model(), part, context);
            rank.method = std::max(rank.method, method);
            rank.marks
                |= context.allMarks() | (context.backwardArrows().empty() ? 0u : unsigned{LaunchBackward});
            if (method == PhaseMethod::None)
                continue;
            const StepRows rows(analysis.model(), *part.timeline, part.steps, analysis.options().attribution);
            for (std::size_t step = 0; step < part.steps.size() && !analysis.options().cancelled(); ++step) {
                rank.steps.emplace_back(part.steps[step].number,
                                        measureStep(analysis, part, rows, step, finder, method));
                rank.total += rank.steps.back().second;
            }
        }
    }
    return table;
}

void forEachKernelPhase(Analysis& analysis, const std::function<void(SliceRef kernel, unsigned phase)>& f)
{
    const TraceModel& model = analysis.model();
    for (const RankWindows& rank : analysis.selection().ranks) {
        for (const RankWindows::Part& part : rank.parts) {
            const LaunchContext& context = launchesOf(analysis, *part.timeline);
            const PhaseFinder finder(model, *part.timeline, context);
            if (methodFor(model, part, context) != PhaseMethod::Launches)
                continue;
            PhaseTimes ignored;
            for (const Step& step : part.steps) {
                forEachKernel(model, *part.timeline, step.range, [&](TrackId track, std::size_t row) {
                    f({track, static_cast<std::uint32_t>(row)}, finder.byLaunch(track, row, 0, ignored));
                    return !analysis.options().cancelled();
                });
            }
        }
    }
}

} // namespace collscope
