// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Sums of the communication calls in the window, per rank, step and type of collective.

#include "metrics/analysis/analysis.h"

#include <array>

namespace collscope {

/// Calls of one type. Counts and bytes cover the calls that start in the window (or were launched by a step
/// of the window); times cover the parts of calls inside it.
struct CallSums
{
    std::int64_t calls = 0;
    std::int64_t unsized = 0; ///< calls without a message size; excluded from bytes
    std::int64_t bytes = 0; ///< S
    double wireBytes = 0; ///< S x bus factor, of the calls with a known group size
    std::int64_t fromExecutionTrace = 0; ///< calls described only by the execution trace
    std::int64_t withoutWire = 0; ///< sized calls whose group size is unknown
    std::int64_t sumNs = 0; ///< sum of the durations
    std::int64_t unionNs = 0; ///< time during which at least one of the calls ran

    CallSums& operator+=(const CallSums& other);
};

/// Indexed by KernelClass; only the entries of communication classes are used.
using CallSumsByKind = std::array<CallSums, kernelClassCount>;
struct StepCallSums
{
    std::int64_t step = 0; ///< number, as named in the trace
    CallSumsByKind kinds;
};
struct RankCallSums
{
    std::int32_t rank = 0;
    std::vector<StepCallSums> steps;
    CallSumsByKind total; ///< over the steps

    double stepCount() const { return static_cast<double>(steps.size()); }
};

/// The sums of every rank of the selection. `kind`: one type; nullopt = all types.
class CallTable
{
public:
    enum class Times : std::uint8_t
    {
        Skip, ///< only counts and bytes: sumNs and unionNs stay 0
        Measure
    };
    /// O(calls of the run).
    explicit CallTable(Analysis& analysis, Times times = Times::Skip);

    const std::vector<RankCallSums>& ranks() const { return m_ranks; }
    /// Over all ranks and steps.
    CallSums all(std::optional<KernelClass> kind = {}) const;
    /// Whether a call of this type starts in the window or reaches into it.
    bool has(KernelClass kind) const;

    using Figure = double (*)(const CallSums& sums);
    /// figure(sums of a rank) / number of its steps, mean over the ranks.
    double meanPerStep(Figure figure, std::optional<KernelClass> kind = {}) const;
    /// One row per rank (per step), then one per rank and step.
    void addRows(Figure figure, std::optional<KernelClass> kind, MetricResult& result) const;
    /// {"AllReduce": meanPerStep, ...} for the types that occur.
    Value::Object byType(Figure figure) const;

    /// Set if there are calls but none has a size: 0 bytes would be wrong.
    std::optional<std::string> whyNoBytes(std::optional<KernelClass> kind = {}) const;
    /// Adds warnings about calls without size or group and about types without calls.
    void warnOfGaps(std::optional<KernelClass> kind, MetricResult& result) const;
    /// "12 calls, S = 4096 bytes ...", for MetricResult::inputs.
    std::string sentence(std::optional<KernelClass> kind = {}) const;

private:
    Analysis& m_analysis;
    std::vector<RankCallSums> m_ranks;
    std::string m_window;
    bool m_hasSteps = true; ///< false: the window is a range or the whole trace
};

/// Counts and bytes, computed once for all metrics that read them.
const CallTable& callTable(Analysis& analysis);
/// The same with times.
const CallTable& timedCallTable(Analysis& analysis);

// Figures for CallTable. GB are decimal.
inline double gigabytesOf(const CallSums& sums)
{
    return static_cast<double>(sums.bytes) / 1e9;
}
inline double wireGigabytesOf(const CallSums& sums)
{
    return sums.wireBytes / 1e9;
}
inline double callsOf(const CallSums& sums)
{
    return static_cast<double>(sums.calls);
}
inline double sumMsOf(const CallSums& sums)
{
    return nsToMs(sums.sumNs);
}
inline double unionMsOf(const CallSums& sums)
{
    return nsToMs(sums.unionNs);
}

} // namespace collscope
