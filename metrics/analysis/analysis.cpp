// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/analysis/analysis.h"

#include "metrics/core/common_steps.h"
#include "metrics/core/statistics.h"
#include "metrics/core/step_rows.h"
#include "metrics/matching/call_matching.h"
#include "metrics/matching/match_evidence.h"
#include "metrics/matching/match_gaps.h"

#include <algorithm>
#include <utility>

namespace collscope {

namespace {

/// Returns the cached value; `make` creates it on the first call.
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
    return cached(m_allRanks,
                  [&] { return selectRanks(m_model, m_options, m_options.range ? clocks() : ClockMap()); });
}

const Selection& Analysis::communicating()
{
    // As withCalls() decides: ranks with GPU work, if there are any. A copy would have all steps of all
    // ranks.
    if (!selection().failure || allRanks().failure)
        return selection();
    return cached(m_communicating, [&] { return withCalls(m_model, allRanks()); });
}

const Selection& Analysis::wholeFiles()
{
    return cached(m_wholeFiles, [&] { return keepOneJob(m_model, selectWholeFiles(m_model, m_options)); });
}

const std::vector<RankBreakdown>& Analysis::work()
{
    return cached(m_work, [&] { return measureBreakdown(m_model, selection(), m_options); });
}

const std::vector<RankBreakdown>& Analysis::wholeWork()
{
    return cached(m_wholeWork, [&] { return measureBreakdown(m_model, wholeFiles(), m_options); });
}

const std::vector<RankKernels>& Analysis::kernels()
{
    return cached(m_kernels, [&] { return measureKernels(m_model, selection(), m_options); });
}

const std::vector<RankCalls>& Analysis::calls()
{
    return cached(m_calls, [&] {
        return communicating().ranks.size() < 2
            ? listCalls(m_model, communicating(), workload().mesh, m_options)
            : callsOfRun();
    });
}

/// Calls of the run, limited to the chosen ranks, each with its step in the window.
std::vector<RankCalls> Analysis::callsOfRun()
{
    const std::vector<RankCalls>& all = run().ranks;
    const std::vector<RankWindows>& chosen = communicating().ranks;
    std::vector<RankCalls> table(chosen.size());
    m_options.parallel.forEach(chosen.size(), [&](std::size_t i) {
        const RankWindows& windows = chosen[i];
        const auto found = callsOf(all, windows.rank);
        RankCalls& rank = table[i];
        rank.rank = windows.rank;
        rank.stepCount = static_cast<double>(windows.stepCount());
        rank.windowNs = windows.windowNs();
        if (!found || m_options.cancelled())
            return; // if cancelled, the results are not used, but every rank needs an entry
        rank.calls = found->calls;
        for (const RankWindows::Part& part : windows.parts) {
            const StepRows rows(m_model, *part.timeline, part.steps, m_options.attribution);
            for (Call& call : rank.calls) {
                if (call.timeline == part.timeline)
                    call.step = rows.stepOf(call.slice.track, call.slice.row);
            }
        }
        rank.findWindow();
    });
    m_isCut = m_options.cancelled();
    return table;
}

bool Analysis::isWholeRun()
{
    const auto sameRank = [](const RankWindows& a, const RankCalls& b) { return a.rank == b.rank; };
    const std::vector<RankWindows>& chosen = communicating().ranks;
    return std::equal(chosen.begin(), chosen.end(), run().ranks.begin(), run().ranks.end(), sameRank);
}

const Matching& Analysis::matching()
{
    if (m_usedMatching)
        return *m_usedMatching;
    calls();
    if (m_isCut)
        m_usedMatching = &m_matching.emplace(); // the run's matching names calls that are missing here
    else if (communicating().ranks.size() >= 2 && isWholeRun())
        m_usedMatching = &run().matching;
    else {
        m_usedMatching = &m_matching.emplace(matchCalls(m_model, calls(), m_options.cancelled));
        judgeByClocks(m_model, calls(), run().clocks, true, *m_matching);
        explainGaps(m_model, calls(), run().clocks, *m_matching);
        noteMissingRanks(m_model, calls(), *m_matching);
    }
    return *m_usedMatching;
}

std::int64_t Analysis::incompleteInWindow()
{
    const std::vector<const CollectiveInstance*>& all = instancesInWindow();
    return std::count_if(all.begin(), all.end(),
                         [](const CollectiveInstance* instance) { return instance->absent > 0; });
}

std::vector<std::string> Analysis::matchingWarnings()
{
    std::vector<std::string> warnings = matching().warnings;
    const std::vector<const CollectiveInstance*>& all = instancesInWindow();
    const std::int64_t incomplete
        = std::count_if(all.begin(), all.end(),
                        [](const CollectiveInstance* instance) { return instance->gap == Gap::NoCall; });
    if (incomplete > 0)
        warnings.push_back("Missing on at least one rank whose trace is loaded: "
                           + countText(incomplete, "collective call")
                           + " in the window. An event may have been dropped, a capture may have started "
                             "late or ended early, a call may not have been recognised as the same "
                             "collective, or the ranks called different collectives.");
    const std::int64_t unconfirmed
        = std::count_if(all.begin(), all.end(), [](const CollectiveInstance* instance) {
              return instance->memberCount > 1 && instance->confidence == MatchConfidence::OrderAlone;
          });
    if (unconfirmed > 0)
        warnings.push_back(
            "Matched by order alone: " + countText(unconfirmed, "collective call")
            + " in the window. The end times on the ranks do not confirm that they are the same call.");
    return warnings;
}

const std::vector<const CollectiveInstance*>& Analysis::instancesInWindow()
{
    return cached(m_instancesInWindow, [&] {
        std::vector<const CollectiveInstance*> inside;
        CollectiveTimer reader = timer();
        const auto isInside = [&](CallRef member) { return callOf(member).inWindow(); };
        for (const CollectiveInstance& instance : matching().instances) {
            if (std::ranges::none_of(matching().membersOf(instance), isInside))
                continue; // of most, if the window is short
            const std::uint32_t first = reader.withoutWaits(instance).first;
            if (callOf(matching().membersOf(instance)[first]).inWindow())
                inside.push_back(&instance);
        }
        return inside;
    });
}

CollectiveTimer Analysis::timer(bool byDuration)
{
    return {m_model, calls(), matching(), clocks(), byDuration};
}

const RunCollectives& Analysis::run()
{
    if (!m_run && m_options.collectives && m_options.collectives->profileMode == m_options.profileMode)
        m_run = m_options.collectives;
    if (!m_run)
        m_run = matchRun(m_model, m_options);
    if (!m_run) // cancelled: the result is not used
        m_run = std::make_shared<RunCollectives>();
    return *m_run;
}

RunCollectivesPtr Analysis::sharedRun()
{
    run();
    return m_run;
}

const ClockMap& Analysis::clocks()
{
    return cached(m_clocks, [&] {
        const bool several = m_model.timelines.size() > 1 && m_options.clocks != ClockChoice::Raw;
        return several ? run().clocks.map(m_options.clocks) : ClockMap();
    });
}

TimeRange Analysis::onAxis(const Call& call)
{
    return clocks().toAxis(m_model.indexOf(*call.timeline), call.range);
}

const StepTimes& Analysis::stepTimes()
{
    return cached(m_stepTimes, [&] { return measureStepTimes(m_model, m_options); });
}

const Workload& Analysis::workload()
{
    return cached(m_workload, [&] { return describeWorkload(m_model, m_options.hardware.get()); });
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

std::optional<double> meanOfRanks(const std::vector<RankBreakdown>& ranks, MetricResult& result,
                                  const std::function<std::optional<double>(const RankBreakdown&)>& f)
{
    std::vector<double> values;
    for (const RankBreakdown& rank : ranks) {
        const auto value = f(rank);
        if (!value)
            continue;
        values.push_back(*value);
        result.rows.push_back({rank.rank, std::nullopt, *value});
    }
    return values.empty() ? std::nullopt : std::optional(meanOf(values));
}

void addStepRows(const std::vector<RankBreakdown>& ranks, MetricResult& result,
                 const std::function<std::optional<double>(const StepBreakdown&)>& f)
{
    std::size_t rows = result.rows.size();
    for (const RankBreakdown& rank : ranks)
        rows += rank.steps.size();
    result.rows.reserve(rows);
    for (const RankBreakdown& rank : ranks) {
        for (const StepBreakdown& step : rank.steps) {
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
        for (const Call& call : rank.aroundWindow()) {
            if (call.inWindow() && counts(call))
                result.evidence.push_back(call.slice);
        }
    }
    for (const RankWindows& rank : analysis.communicating().ranks) {
        for (const RankWindows::Part& part : rank.parts) {
            for (const Step& step : part.steps)
                result.evidenceRanges.push_back(step.range);
        }
    }
}

} // namespace collscope
