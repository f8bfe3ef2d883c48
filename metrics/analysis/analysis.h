// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the metrics of one (model, options) pair share: the selection and the tables over it. Each is computed
// once, when the first metric needs it. To be used by one thread at a time.

#include "metrics/calls/workload.h"
#include "metrics/core/step_times.h"
#include "metrics/core/time_breakdown.h"
#include "metrics/matching/collective_times.h"
#include "metrics/matching/run_collectives.h"

#include <map>
#include <memory>
#include <typeindex>
#include <utility>

namespace collscope {

class Analysis
{
public:
    /// The model must outlive the analysis.
    Analysis(const TraceModel& model, MetricOptions options)
        : m_model(model)
        , m_options(std::move(options))
    { }
    Analysis(TraceModel&&, MetricOptions) = delete;
    Analysis(const Analysis&) = delete;
    Analysis& operator=(const Analysis&) = delete;

    const TraceModel& model() const { return m_model; }
    const MetricOptions& options() const { return m_options; }

    /// The ranks with GPU work and the windows of the options; contains a failure if none has any.
    const Selection& selection();
    /// Like selection(), but includes ranks without GPU work: for measurements on the CPU.
    const Selection& allRanks();
    /// The ranks whose collectives are compared: selection() or, in a run on CPUs, the ranks of a CPU
    /// backend.
    const Selection& communicating();
    /// All ranks with their whole files as windows.
    const Selection& wholeFiles();
    /// A table needed by one family of metrics, one per type; created by `make()` on first use.
    template<typename T, typename Make>
    T& table(const Make& make)
    {
        std::shared_ptr<void>& slot = m_tables[std::type_index(typeid(T))];
        if (!slot)
            slot = std::make_shared<T>(make());
        return *static_cast<T*>(slot.get());
    }

    const std::vector<RankBreakdown>& work(); ///< of selection()
    const std::vector<RankKernels>& kernels();
    const std::vector<RankBreakdown>& wholeWork(); ///< of wholeFiles()
    /// Calls of communicating() over whole files; each call records its step of the window.
    const std::vector<RankCalls>& calls();
    const Call& callOf(CallRef ref) { return calls()[ref.rank].calls[ref.call]; }
    const Matching& matching(); ///< calls() matched across the ranks
    /// Number of collectives in the window that lack a loaded rank.
    std::int64_t incompleteInWindow();
    /// Matching::warnings, and the number of incomplete collectives in the window.
    std::vector<std::string> matchingWarnings();
    /// The collectives of matching() whose first-arriving rank starts them in the window.
    const std::vector<const CollectiveInstance*>& instancesInWindow();
    /// Times the collectives of matching() on the axis of clocks(). byDuration: see CollectiveTimer.
    CollectiveTimer timer(bool byDuration = false);
    /// The run's collectives and clocks, independent of the chosen ranks and window.
    const RunCollectives& run();
    RunCollectivesPtr sharedRun(); ///< for what outlives the analysis; the model must outlive it
    /// The clocks of the options: identity if the clocks agree or raw clocks were requested.
    const ClockMap& clocks();
    /// Start and end of a call on the axis of clocks().
    TimeRange onAxis(const Call& call);
    const StepTimes& stepTimes();
    const Workload& workload();

private:
    const TraceModel& m_model;
    const MetricOptions m_options;
    std::map<std::type_index, std::shared_ptr<void>> m_tables;
    std::optional<Selection> m_selection, m_allRanks, m_communicating, m_wholeFiles;
    std::optional<std::vector<RankBreakdown>> m_work, m_wholeWork;
    std::optional<std::vector<RankKernels>> m_kernels;
    std::optional<std::vector<RankCalls>> m_calls;
    bool m_isCut = false; ///< cancelled before all calls were listed
    std::vector<RankCalls> callsOfRun();
    bool isWholeRun();

    std::optional<Matching> m_matching;
    const Matching* m_usedMatching = nullptr; ///< m_matching or the run's matching
    RunCollectivesPtr m_run;
    std::optional<ClockMap> m_clocks;
    std::optional<std::vector<const CollectiveInstance*>> m_instancesInWindow;
    std::optional<StepTimes> m_stepTimes;
    std::optional<Workload> m_workload;
};

/// Returns a result with scope, window, source and warnings of the selection. `reduction` states how several
/// ranks became one number; with one chosen rank it is "one rank".
MetricResult valueOf(Analysis& analysis, const Selection& selection, std::string reduction);

/// Returns a result without a value for a reason found in the window: keeps scope, window, source and
/// warnings of the selection.
MetricResult noValue(const Selection& selection, MetricState state, std::string reason);

/// Mean over the ranks for which f gives a value, with a row per rank; nullopt if f gives none.
std::optional<double> meanOfRanks(const std::vector<RankBreakdown>& ranks, MetricResult& result,
                                  const std::function<std::optional<double>(const RankBreakdown&)>& f);
/// Appends a row per rank and step.
void addStepRows(const std::vector<RankBreakdown>& ranks, MetricResult& result,
                 const std::function<std::optional<double>(const StepBreakdown&)>& f);

/// part / whole; nullopt if whole is 0.
std::optional<double> ratio(double part, double whole, double factor = 1.0);

/// If evidence is requested: adds the windows of the selection, and the GPU slices in them for which `counts`
/// is true.
void addEvidence(Analysis& analysis, const Selection& selection, MetricResult& result,
                 const std::function<bool(const SliceColumns& slices, std::size_t row)>& counts);
/// If evidence is requested: adds the calls in the window for which `counts` is true.
void addCallEvidence(Analysis& analysis, MetricResult& result,
                     const std::function<bool(const Call& call)>& counts);

} // namespace collscope
