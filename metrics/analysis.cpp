// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/analysis.h"

#include "metrics/statistics.h"

#include <utility>

namespace collscope {

namespace {

/// The value of the cache, made by `make` when it is first asked for.
template<typename T, typename Make>
const T& cached(std::optional<T>& cache, const Make& make)
{
    if (!cache)
        cache = make();
    return *cache;
}

} // namespace

const Selection& Analysis::selection()
{
    return cached(m_selection, [&] { return withGpuWork(m_model, allRanks()); });
}

const Selection& Analysis::allRanks()
{
    return cached(m_allRanks, [&] { return selectRanks(m_model, m_options); });
}

const Selection& Analysis::wholeFiles()
{
    return cached(m_wholeFiles, [&] { return selectWholeFiles(m_model, m_options); });
}

const std::vector<RankWork>& Analysis::work()
{
    return cached(m_work, [&] { return measureWork(m_model, selection(), m_options); });
}

const std::vector<RankWork>& Analysis::wholeWork()
{
    return cached(m_wholeWork, [&] { return measureWork(m_model, wholeFiles(), m_options); });
}

const std::vector<RankKernels>& Analysis::kernels()
{
    return cached(m_kernels, [&] { return measureKernels(m_model, selection(), m_options); });
}

const std::vector<RankCalls>& Analysis::calls()
{
    return cached(m_calls, [&] { return listCalls(m_model, selection(), workload().mesh, m_options); });
}

const Instances& Analysis::instances()
{
    return cached(m_instances, [&] { return matchCalls(m_model, calls()); });
}

const StepTimes& Analysis::stepTimes()
{
    return cached(m_stepTimes, [&] { return measureStepTimes(m_model, m_options); });
}

const Workload& Analysis::workload()
{
    return cached(m_workload, [&] { return describeWorkload(m_model, m_options.knowledge.get()); });
}

MetricResult valueOf(Analysis& analysis, const Selection& selection, std::string reduction)
{
    MetricResult result;
    result.state = MetricState::Value;
    result.scope = selection.scope;
    result.window = selection.window;
    result.source = selection.source;
    result.warnings = selection.warnings;
    result.reduction = analysis.options().rank ? "one rank" : std::move(reduction);
    return result;
}

MetricResult noValue(const Selection& selection, MetricState state, std::string reason)
{
    MetricResult result;
    result.state = state;
    result.reason = std::move(reason);
    result.scope = selection.scope;
    result.window = selection.window;
    result.source = selection.source;
    result.warnings = selection.warnings;
    return result;
}

std::optional<double> meanOfRanks(const std::vector<RankWork>& ranks, MetricResult& result,
                                  const std::function<std::optional<double>(const RankWork&)>& f)
{
    std::vector<double> values;
    for (const RankWork& rank : ranks) {
        const auto value = f(rank);
        if (!value)
            continue;
        values.push_back(*value);
        result.rows.push_back({rank.rank, std::nullopt, *value});
    }
    return values.empty() ? std::nullopt : std::optional(meanOf(values));
}

void addStepRows(const std::vector<RankWork>& ranks, MetricResult& result,
                 const std::function<std::optional<double>(const StepWork&)>& f)
{
    for (const RankWork& rank : ranks) {
        for (const StepWork& step : rank.steps) {
            if (const auto value = f(step))
                result.rows.push_back({rank.rank, step.step.number, *value});
        }
    }
}

std::optional<double> ratio(double part, double whole, double factor)
{
    return whole != 0 ? std::optional(factor * part / whole) : std::nullopt;
}

void addEvidence(Analysis& analysis, const Selection& selection, MetricResult& result,
                 const std::function<bool(const SliceColumns& slices, std::size_t row)>& counts)
{
    if (!analysis.options().wantEvidence)
        return;
    const TraceModel& model = analysis.model();
    for (const RankWindows& rank : selection.ranks) {
        for (const RankWindows::Part& part : rank.parts) {
            for (const Step& step : part.steps) {
                result.evidenceRanges.push_back(step.range);
                forEachGpuSlice(model, *part.timeline, step.range,
                                [&](TrackId track, const SliceColumns& slices, std::size_t row) {
                                    if (counts(slices, row) && slices.range(row).overlaps(step.range))
                                        result.evidence.push_back({track, static_cast<std::uint32_t>(row)});
                                    return true;
                                });
                if (analysis.options().cancelled())
                    return;
            }
        }
    }
}

void addCallEvidence(Analysis& analysis, MetricResult& result,
                     const std::function<bool(const Call& call)>& counts)
{
    if (!analysis.options().wantEvidence)
        return;
    for (const RankCalls& rank : analysis.calls()) {
        for (const Call& call : rank.calls) {
            if (call.inWindow() && counts(call))
                result.evidence.push_back(call.slice);
        }
    }
    for (const RankWindows& rank : analysis.selection().ranks) {
        for (const RankWindows::Part& part : rank.parts) {
            for (const Step& step : part.steps)
                result.evidenceRanges.push_back(step.range);
        }
    }
}

} // namespace collscope
