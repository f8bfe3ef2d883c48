// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/analysis/call_sums.h"

#include "metrics/core/statistics.h"
#include "metrics/core/step_rows.h"
#include "model/interval_set.h"
#include "model/kernels/collective_traits.h"
#include "model/kernels/kernel_names.h"

#include <algorithm>

namespace collscope {

namespace {

void count(const Call& call, CallSums& sums)
{
    ++sums.calls;
    sums.fromExecutionTrace += isFromExecutionTrace(call) ? 1 : 0;
    if (!call.bytes) {
        ++sums.unsized;
        return;
    }
    sums.bytes += static_cast<std::int64_t>(*call.bytes);
    if (const auto wire = wireBytes(call))
        sums.wireBytes += *wire;
    else if (call.groupSize == 0)
        ++sums.withoutWire;
}

struct Pieces
{
    std::array<std::vector<TimeRange>, kernelClassCount> ofKind;
};

void countPart(const RankWindows::Part& part, std::span<const Call> calls, std::span<StepCallSums> steps)
{
    for (const Call& call : calls) {
        if (call.timeline == part.timeline && call.inWindow())
            count(call,
                  steps[static_cast<std::size_t>(call.step)].kinds[static_cast<std::size_t>(call.kind)]);
    }
}

void measurePart(const RankWindows::Part& part, const std::vector<Call>& calls, bool byLaunch,
                 std::span<StepCallSums> steps)
{
    const StepFinder finder(part.steps);
    std::vector<Pieces> pieces(part.steps.size());
    for (const Call& call : calls) {
        if (call.timeline != part.timeline)
            continue;
        const auto kind = static_cast<std::size_t>(call.kind);
        const auto take = [&](std::size_t step, TimeRange piece) {
            steps[step].kinds[kind].sumNs += piece.lengthNs();
            pieces[step].ofKind[kind].push_back(piece);
        };
        if (!byLaunch)
            finder.forEachOverlapping(call.range, take);
        else if (call.inWindow())
            take(static_cast<std::size_t>(call.step), call.range);
    }
    for (std::size_t step = 0; step < pieces.size(); ++step) {
        for (std::size_t kind = 0; kind < pieces[step].ofKind.size(); ++kind)
            steps[step].kinds[kind].unionNs = IntervalSet(std::move(pieces[step].ofKind[kind])).lengthNs();
    }
}

/// unionNs is added up over the types: if types overlap, the sum exceeds the union of all of them.
CallSums sumsOf(const CallSumsByKind& sums, std::optional<KernelClass> kind)
{
    if (kind)
        return sums[static_cast<std::size_t>(*kind)];
    CallSums sum;
    for (const CallSums& each : sums)
        sum += each;
    return sum;
}

std::string nameOf(std::optional<KernelClass> kind)
{
    return kind ? std::string(kernelClassName(*kind)) : "communication";
}

} // namespace

CallSums& CallSums::operator+=(const CallSums& other)
{
    calls += other.calls;
    unsized += other.unsized;
    fromExecutionTrace += other.fromExecutionTrace;
    bytes += other.bytes;
    wireBytes += other.wireBytes;
    withoutWire += other.withoutWire;
    sumNs += other.sumNs;
    unionNs += other.unionNs;
    return *this;
}

CallTable::CallTable(Analysis& analysis, Times times)
    : m_analysis(analysis)
    , m_window(analysis.communicating().window)
    , m_hasSteps(!analysis.options().range && !hasNoSteps(analysis.communicating()))
{
    const std::vector<RankCalls>& calls = analysis.calls();
    const Selection& selection = analysis.communicating();
    const bool byLaunch = analysis.options().attribution == MetricOptions::Attribution::Launch;
    for (std::size_t r = 0; r < selection.ranks.size(); ++r) {
        RankCallSums& rank = m_ranks.emplace_back();
        rank.rank = selection.ranks[r].rank;
        for (const RankWindows::Part& part : selection.ranks[r].parts) {
            for (const Step& step : part.steps)
                rank.steps.push_back({step.number, {}});
        }
        std::size_t first = 0;
        for (const RankWindows::Part& part : selection.ranks[r].parts) {
            const std::span<StepCallSums> steps = std::span(rank.steps).subspan(first);
            countPart(part, calls[r].aroundWindow(), steps);
            if (times == Times::Measure)
                measurePart(part, calls[r].calls, byLaunch, steps);
            first += part.steps.size();
        }
        for (const StepCallSums& step : rank.steps) {
            for (std::size_t kind = 0; kind < step.kinds.size(); ++kind)
                rank.total[kind] += step.kinds[kind];
        }
    }
}

CallSums CallTable::all(std::optional<KernelClass> kind) const
{
    CallSums sum;
    for (const RankCallSums& rank : m_ranks)
        sum += sumsOf(rank.total, kind);
    return sum;
}

bool CallTable::has(KernelClass kind) const
{
    const CallSums own = all(kind);
    return own.calls > 0 || own.sumNs > 0;
}

double CallTable::meanPerStep(Figure figure, std::optional<KernelClass> kind) const
{
    std::vector<double> values;
    for (const RankCallSums& rank : m_ranks)
        values.push_back(figure(sumsOf(rank.total, kind)) / rank.stepCount());
    return meanOf(values);
}

void CallTable::addRows(Figure figure, std::optional<KernelClass> kind, MetricResult& result) const
{
    for (const RankCallSums& rank : m_ranks)
        result.rows.push_back({rank.rank, std::nullopt, figure(sumsOf(rank.total, kind)) / rank.stepCount()});
    for (const RankCallSums& rank : m_ranks) {
        for (const StepCallSums& step : rank.steps)
            result.rows.push_back({rank.rank, step.step, figure(sumsOf(step.kinds, kind))});
    }
}

Value::Object CallTable::byType(Figure figure) const
{
    Value::Object object;
    for (const CollectiveTraits& type : allCollectiveTraits()) {
        const KernelClass kind = type.kernelClass;
        if (has(kind))
            object.emplace_back(kernelClassName(kind), meanPerStep(figure, kind));
    }
    return object;
}

std::optional<std::string> CallTable::whyNoBytes(std::optional<KernelClass> kind) const
{
    // A type without calls has 0 bytes, unless none of the communication calls has a size.
    const bool ownCalls = all(kind).calls > 0;
    const CallSums asked = all(ownCalls ? kind : std::nullopt);
    if (asked.calls == 0 || asked.unsized < asked.calls)
        return std::nullopt;
    return std::to_string(asked.calls) + " " + (ownCalls ? nameOf(kind) : "communication")
        + " kernels start in the window (" + m_window + "), but "
        + whyUnsized(m_analysis.model(), m_analysis.calls());
}

void CallTable::warnOfGaps(std::optional<KernelClass> kind, MetricResult& result) const
{
    const CallSums own = all(kind);
    const CallSums any = all();
    const auto warn = [&](std::string text) { result.warnings.push_back(std::move(text)); };
    if (any.calls == 0)
        warn("No call recognised as communication starts in the window.");
    else if (own.calls == 0)
        warn("No " + nameOf(kind) + " call starts in the window, as far as the kernels say what they are; "
             + std::to_string(any.calls) + " other communication kernels do"
             + (any.unsized > 0 ? ", " + std::to_string(any.unsized) + " of them without a message size."
                                : "."));
    if (own.unsized > 0)
        warn(std::to_string(own.unsized) + " of " + std::to_string(own.calls) + " " + nameOf(kind)
             + " kernels have no message size: their bytes are missing from the volume.");
    if (own.withoutWire > 0)
        warn(std::to_string(own.withoutWire)
             + " calls have no group size: their bytes are missing from the wire bytes.");
    if (own.fromExecutionTrace > 0)
        warn(borrowedText(own.fromExecutionTrace, own.calls));
}

std::string CallTable::sentence(std::optional<KernelClass> kind) const
{
    const CallSums own = all(kind);
    std::size_t steps = 0;
    for (const RankCallSums& rank : m_ranks)
        steps += rank.steps.size();
    const bool isUnknown = own.calls > 0 && own.unsized == own.calls;
    const std::string size = isUnknown ? "none of which has a message size in the trace"
                                       : "S = " + std::to_string(own.bytes) + " bytes of messages";
    return std::to_string(own.calls) + " " + nameOf(kind) + " calls, " + size + ", summed over "
        + countText(static_cast<std::int64_t>(m_ranks.size()), "rank")
        + (m_hasSteps ? " with " + countText(static_cast<std::int64_t>(steps), "step") + " in total."
                      : " in the window (" + m_window + ").");
}

const CallTable& callTable(Analysis& analysis)
{
    return analysis.table<CallTable>([&] { return CallTable(analysis); });
}

const CallTable& timedCallTable(Analysis& analysis)
{
    struct Timed
    {
        CallTable table;
    };
    return analysis.table<Timed>([&] { return Timed{CallTable(analysis, CallTable::Times::Measure)}; }).table;
}

} // namespace collscope
