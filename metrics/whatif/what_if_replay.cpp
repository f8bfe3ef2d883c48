// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/whatif/what_if_replay.h"

#include "metrics/core/duration_text.h"
#include "metrics/core/rank_windows.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace collscope {

namespace {

double meanOfCounted(const std::vector<double>& steps, const std::vector<std::size_t>& counted)
{
    double sum = 0;
    for (const std::size_t step : counted)
        sum += steps[step];
    return sum / static_cast<double>(counted.size());
}

/// Scenarios in which other ranks of the job take part.
bool involvesOthers(ChangeKind kind)
{
    return kind != ChangeKind::Kernels && kind != ChangeKind::Launches && kind != ChangeKind::Input;
}

bool dependsOnLaunches(ChangeKind kind)
{
    return kind == ChangeKind::Launches || kind == ChangeKind::Rank || kind == ChangeKind::Late;
}

const Gate* gateOf(const std::vector<Gate>& gates, GateId id)
{
    const auto found
        = std::find_if(gates.begin(), gates.end(), [&](const Gate& gate) { return gate.id == id; });
    return found == gates.end() ? nullptr : &*found;
}

bool refuses(const std::vector<Gate>& gates, GateId id)
{
    const Gate* const gate = gateOf(gates, id);
    return gate && gate->verdict == GateVerdict::Refused;
}

bool isOfTransfers(const Change& change)
{
    return change.kind == ChangeKind::Bandwidth || change.kind == ChangeKind::Communication
        || change.kind == ChangeKind::Overlapped;
}

/// A step that cannot get shorter than `least`, unless it was.
double longerStep(double ns, double baseNs, std::span<const std::int64_t> least, std::size_t step)
{
    return step < least.size() ? std::max(ns, std::min(static_cast<double>(least[step]), baseNs)) : ns;
}

/// Why the timelines cannot be replayed at all; empty if they can.
std::string whyNotReplayed(const Selection& selection)
{
    if (selection.failure)
        return selection.failure->reason;
    const std::int64_t iteration = selection.ranks.front().parts.back().timeline->iteration;
    for (const RankWindows& rank : selection.ranks) {
        if (rank.parts.back().timeline->iteration != iteration)
            return "The last recordings of the ranks are of different iterations. Load one (--iteration).";
        for (const RankWindows::Part& part : rank.parts) {
            if (part.timeline->isXla)
                return "A profile of XLA does not show what work waits for.";
            if (part.timeline->worker)
                return "The timelines show whole operations, not kernels.";
            if (part.timeline->launches.empty())
                return "A trace contains no calls that launch the work of the GPU.";
        }
    }
    return {};
}

} // namespace

WhatIfReplay::WhatIfReplay(Analysis& analysis)
    : m_model(analysis.model())
    , m_collectives(analysis.sharedRun())
    , m_clocks(analysis.clocks())
    , m_clockChoice(analysis.options().clocks)
{
    const MetricOptions& chosen = analysis.options();
    if (chosen.range) {
        m_refused = "Only whole steps can be replayed, not a range.";
        return;
    }
    MetricOptions all = chosen;
    all.steps.mode = StepChoice::Mode::All;
    const Selection selection = withGpuWork(m_model, selectRanks(m_model, all, analysis.clocks()));
    m_refused = whyNotReplayed(selection);
    if (!m_refused.empty())
        return;
    build(selection, chosen);
    const bool hasThreads = std::none_of(m_run.works.begin(), m_run.works.end(),
                                         [](const RankWork& work) { return work.threads.empty(); });
    if (!hasThreads) {
        m_refused = "A trace contains no threads of the CPU, which launch the work.";
        return;
    }
    if (m_run.ranks.empty() || m_run.ranks.front().numbers.empty()) {
        m_refused = "No step is complete on all ranks.";
        return;
    }
    chooseSteps(selectRanks(m_model, chosen, analysis.clocks()));
    if (m_counted.empty()) {
        m_refused = "No step of the window is complete on all ranks.";
        return;
    }
    m_scenarios = std::make_unique<ScenarioTimes>(m_model, *m_collectives, m_run);
    measure();
    addVariants();
}

void WhatIfReplay::build(const Selection& selection, const MetricOptions& options)
{
    std::vector<RankWork> works(selection.ranks.size());
    std::vector<RankGraph> graphs(selection.ranks.size());
    options.parallel.forEach(selection.ranks.size(), [&](std::size_t rank) {
        const RankWindows::Part& part = selection.ranks[rank].parts.back();
        works[rank]
            = readRankWork(m_model, *m_collectives, m_clocks, *part.timeline, part.steps, options.cancelled);
        graphs[rank] = graphOfRank(m_model, works[rank]);
    });
    m_run = connectRanks(std::move(works), std::move(graphs), *m_collectives);
    const bool isCommon = std::all_of(m_run.ranks.begin(), m_run.ranks.end(), [&](const GraphOfRank& rank) {
        return rank.numbers == m_run.ranks.front().numbers;
    });
    if (!isCommon)
        m_run.ranks.clear();
}

/// The steps that count are those of the metrics.
void WhatIfReplay::chooseSteps(const Selection& counted)
{
    m_isPerStep = !hasNoSteps(counted);
    std::set<std::int64_t> numbers;
    if (!counted.ranks.empty()) {
        for (const Step& step : counted.ranks.front().parts.back().steps)
            numbers.insert(step.number);
    }
    const GraphOfRank& first = m_run.ranks.front();
    for (std::size_t i = 0; i < first.numbers.size(); ++i) {
        if (!numbers.contains(first.numbers[i]))
            continue;
        m_counted.push_back(i);
        if (m_isPerStep)
            m_stepNumbers.push_back(first.numbers[i]);
    }
    m_window = windowText();
}

std::string WhatIfReplay::windowText() const
{
    std::string text = "the whole trace";
    if (m_isPerStep && !m_stepNumbers.empty()) {
        const std::int64_t first = m_stepNumbers.front();
        const std::int64_t last = m_stepNumbers.back();
        const bool isRun = last - first + 1 == static_cast<std::int64_t>(m_stepNumbers.size());
        text = first == last ? "step " + std::to_string(first)
            : isRun          ? "steps " + std::to_string(first) + "-" + std::to_string(last)
                             : std::to_string(m_stepNumbers.size()) + " steps";
    }
    const std::int64_t iteration = m_run.works.front().timeline->iteration;
    return iteration < 0 ? text : text + " of iteration " + std::to_string(iteration);
}

/// Replay errors, and what the longest chain consists of: how far the replay is to be trusted.
void WhatIfReplay::measure()
{
    const std::vector<double> recorded = recordedSteps(m_run);
    m_measuredNs = meanOfCounted(recorded, m_counted);
    const auto errors = [&](const RunTimes& times, double& mean, double& largest) {
        std::vector<std::int64_t> ends = m_run.graph.endsOf(times.input());
        const std::vector<double> replayed = replayedSteps(m_run, ends);
        for (const std::size_t step : m_counted) {
            const double error
                = recorded[step] > 0 ? std::abs(replayed[step] - recorded[step]) / recorded[step] : 0;
            mean += error / static_cast<double>(m_counted.size());
            largest = std::max(largest, error);
        }
        return ends;
    };
    errors(timesOf(m_run, HeldWaits::Dropped), m_strictError, m_largestStrictError);
    double largestKept = 0;
    m_base = timesOf(m_run, HeldWaits::Kept);
    m_baseEnds = errors(m_base, m_keptError, largestKept);
    m_keptNs = meanOfCounted(replayedSteps(m_run, m_baseEnds), m_counted);
    m_path = criticalPath(m_run, m_base, m_baseEnds, m_counted);
    m_absent = findAbsentRanks(m_model, *m_collectives, m_run, m_measuredNs);
    const ClockAlignment& clocks = m_collectives->clocks;
    m_gates = gatesOf(
        {.strictError = m_strictError,
         .largestStrictError = m_largestStrictError,
         .unexplainedShare = m_path.share(PathPart::Unexplained) + m_path.share(PathPart::HiddenInGraphs),
         .counts = m_run.counts,
         .ranks = m_run.ranks.size(),
         .absentShare = m_absent.share,
         .lacksStages = m_absent.ofStages,
         .clockResidualNs
         = clocks.collectives > 0 ? std::optional(clocks.residualOf(m_clockChoice)) : std::nullopt,
         .stepNs = m_measuredNs});
    for (const Gate& gate : m_gates) {
        const bool concernsAll = gate.id != GateId::Launched && gate.id != GateId::Matched;
        if (gate.verdict == GateVerdict::Refused && concernsAll && m_refused.empty())
            m_refused = gate.reason;
    }
}

/// The answer keeps what is not explained, and takes into account that transfers slow kernels down. The
/// others differ in one of the two, and say how much depends on it.
void WhatIfReplay::addVariants()
{
    const auto contention = std::make_shared<const Contention>(m_model, m_run, m_base, m_baseEnds);
    const double keptNs = stepOf(m_baseEnds);
    m_variants.push_back({m_base.heldNs, contention, keptNs});
    if (contention->slowdown() > 0)
        m_variants.push_back({m_base.heldNs, nullptr, keptNs});
    const RunTimes strict = timesOf(m_run, HeldWaits::Dropped);
    if (*strict.heldNs != *m_base.heldNs) {
        const std::vector<std::int64_t> ends = m_run.graph.endsOf(strict.input());
        const double strictNs = stepOf(ends);
        m_variants.push_back({strict.heldNs, nullptr, strictNs});
        if (contention->slowdown() > 0)
            m_variants.push_back(
                {strict.heldNs, std::make_shared<const Contention>(m_model, m_run, strict, ends), strictNs});
    }
}

/// Mean over the counted steps; `least`: no step is shorter than that.
double WhatIfReplay::stepOf(std::span<const std::int64_t> ends, std::span<const std::int64_t> least) const
{
    std::vector<double> steps = replayedSteps(m_run, ends);
    const std::vector<double> base = least.empty() ? steps : replayedSteps(m_run, m_baseEnds);
    for (std::size_t i = 0; i < steps.size(); ++i)
        steps[i] = longerStep(steps[i], base[i], least, i);
    return meanOfCounted(steps, m_counted);
}

void WhatIfReplay::replay(const Variant& variant, ReplayBuffers& buffers) const
{
    buffers.times.heldNs = variant.heldNs;
    if (variant.contention)
        variant.contention->replay(buffers.times, buffers.ends);
    else
        m_run.graph.endsOf(buffers.times.input(), buffers.ends);
}

double WhatIfReplay::barNs() const
{
    constexpr double leastShare = 0.01;
    return std::max(m_strictError, leastShare) * m_measuredNs;
}

std::string WhatIfReplay::whyNot(const Scenario& scenario) const
{
    for (const Change& change : scenario.changes) {
        if (dependsOnLaunches(change.kind) && refuses(m_gates, GateId::Launched))
            return gateOf(m_gates, GateId::Launched)->reason;
        if (involvesOthers(change.kind) && m_run.ranks.size() > 1 && refuses(m_gates, GateId::Matched))
            return gateOf(m_gates, GateId::Matched)->reason;
        if (involvesOthers(change.kind) && m_absent.leaveOneAlone)
            return "the calls of the other ranks in a group are not in the traces, or could not be matched";
    }
    return {};
}

ScenarioAnswer WhatIfReplay::answer(const Scenario& scenario) const
{
    ReplayBuffers buffers;
    return answer(scenario, buffers);
}

ScenarioAnswer WhatIfReplay::answer(const Scenario& scenario, ReplayBuffers& buffers) const
{
    ScenarioAnswer answer{
        .scenario = scenario, .text = textOf(scenario), .basis = {}, .ranks = {}, .evidence = {}};
    answer.basis.refused = whyNot(scenario);
    if (!answer.basis.refused.empty())
        return answer;
    buffers.times = m_base;
    answer.basis = m_scenarios->apply(scenario, buffers.times);
    answer.basis.leavesOutRanks = m_absent.areAny;
    // Some of what looks like a transfer there is waiting for others.
    answer.basis.isBound = answer.basis.isBound
        || (m_absent.areAny && std::any_of(scenario.changes.begin(), scenario.changes.end(), isOfTransfers));
    if (!answer.basis.refused.empty())
        return answer;
    const bool isShorter = std::equal(buffers.times.durationsNs.begin(), buffers.times.durationsNs.end(),
                                      m_base.durationsNs.begin(), std::less_equal<>());
    for (std::size_t i = 0; i < m_variants.size(); ++i) {
        const Variant& variant = m_variants[i];
        replay(variant, buffers);
        const std::vector<std::int64_t>& ends = buffers.ends;
        double gainNs = variant.stepNs - stepOf(ends, answer.basis.leastNs);
        // A step that begins earlier may look longer, but nothing ends later, unless transfers come to lie
        // over other kernels.
        if (isShorter && !(variant.contention && variant.contention->slowdown() > 0))
            gainNs = std::max(gainNs, 0.0);
        if (i == 0) {
            answer.gainNs = answer.lowNs = answer.highNs = gainNs;
            answer.stepNs = m_measuredNs - gainNs;
            for (const GraphOfRank& rank : m_run.ranks) {
                double rankNs = 0;
                for (const std::size_t step : m_counted) {
                    const double baseNs = replayedStepOf(rank, step, m_run, m_baseEnds);
                    rankNs += baseNs
                        - longerStep(replayedStepOf(rank, step, m_run, ends), baseNs, answer.basis.leastNs,
                                     step);
                }
                answer.ranks.emplace_back(rank.rank, rankNs / static_cast<double>(m_counted.size()));
            }
            addEvidence(buffers.times, ends, answer);
        }
        answer.lowNs = std::min(answer.lowNs, gainNs);
        answer.highNs = std::max(answer.highNs, gainNs);
    }
    answer.lowNs -= barNs();
    if (answer.basis.isBound) // nothing says how close to it a run can come
        answer.lowNs = std::min(answer.lowNs, 0.0);
    answer.highNs = std::min(answer.highNs + barNs(), m_measuredNs);
    return answer;
}

/// What takes less time on the longest chain; without any, what has left it.
void WhatIfReplay::addEvidence(const RunTimes& times, std::span<const std::int64_t> ends,
                               ScenarioAnswer& answer) const
{
    constexpr std::size_t most = 8;
    const auto add = [&](const PathItem& item, std::int64_t savedNs) {
        const RunNode& node = m_run.nodes[item.node];
        if (savedNs > 0 && node.slice)
            answer.evidence.push_back({node.slice, m_run.ranks[node.rank].rank, savedNs});
    };
    for (const PathItem& item : m_path.items)
        add(item, item.ns - times.durationsNs[m_run.graph.placeOf(item.node)]);
    if (answer.evidence.empty()) {
        std::map<std::uint32_t, std::int64_t> left;
        for (const PathItem& item : criticalPath(m_run, times, ends, m_counted).items)
            left[item.node] += item.ns;
        for (const PathItem& item : m_path.items) {
            const auto found = left.find(item.node);
            add(item, item.ns - (found != left.end() ? found->second : 0));
        }
    }
    // What saves little of the gain together is not where it comes from: the CPU's work has no slices.
    constexpr double leastShare = 0.05;
    std::int64_t savedNs = 0;
    for (const ScenarioEvidence& own : answer.evidence)
        savedNs += own.savedNs;
    if (static_cast<double>(savedNs) < leastShare * answer.gainNs * static_cast<double>(m_counted.size()))
        answer.evidence.clear();
    std::sort(answer.evidence.begin(), answer.evidence.end(),
              [](const ScenarioEvidence& a, const ScenarioEvidence& b) {
                  return a.savedNs > b.savedNs || (a.savedNs == b.savedNs && a.slice < b.slice);
              });
    if (answer.evidence.size() > most)
        answer.evidence.resize(most);
}

GhostLanes WhatIfReplay::ghostOf(const Scenario& scenario) const
{
    GhostLanes ghost;
    if (!whyNot(scenario).empty())
        return ghost;
    ReplayBuffers buffers{.times = m_base, .ends = {}};
    const RunTimes& times = buffers.times;
    if (!m_scenarios->apply(scenario, buffers.times).refused.empty())
        return ghost;
    replay(m_variants.front(), buffers);
    const std::vector<std::int64_t>& ends = buffers.ends;
    const auto laterNs = [&](std::uint32_t node) {
        const std::uint32_t place = m_run.graph.placeOf(node);
        return ends[place] - m_baseEnds[place];
    };
    for (std::uint32_t rank = 0; rank < m_run.ranks.size(); ++rank) {
        const RankWork& work = m_run.works[rank];
        const GraphOfRank& graph = m_run.ranks[rank];
        // How much later each step begins: that is not shown.
        std::vector<std::int64_t> beginLaterNs;
        for (std::size_t step = 0; step < work.steps.size(); ++step)
            beginLaterNs.push_back(graph.ends[2 * step].empty() ? 0 : laterNs(graph.ends[2 * step].front()));
        for (std::uint32_t i = 0; i < work.activities.size(); ++i) {
            const GpuActivity& activity = work.activities[i];
            const std::int64_t ns
                = activity.launch != noIndex ? work.launchNs(activity) : activity.range.beginNs;
            const auto step = std::partition_point(work.steps.begin(), work.steps.end(),
                                                   [&](const Step& own) { return own.range.beginNs <= ns; });
            const std::int64_t shownNs = step == work.steps.begin()
                ? 0
                : beginLaterNs[static_cast<std::size_t>(step - work.steps.begin()) - 1];
            const std::uint32_t arrival = graph.arrivals[i];
            const bool meets = m_run.nodes[arrival].kind == NodeKind::Arrival;
            const std::int64_t endLaterNs = laterNs(meets ? arrival + 1 : arrival) - shownNs;
            const std::uint32_t place = m_run.graph.placeOf(arrival);
            const std::int64_t shorterNs = m_base.durationsNs[place] - times.durationsNs[place];
            auto& ranges = ghost.ranges[activity.slice.track];
            ranges.resize(m_model.track(activity.slice.track).slices.size());
            ranges[activity.slice.row]
                = work.fromAxis({activity.range.beginNs + laterNs(arrival) - shownNs + shorterNs,
                                 activity.range.endNs + endLaterNs});
        }
    }
    return ghost;
}

} // namespace collscope
