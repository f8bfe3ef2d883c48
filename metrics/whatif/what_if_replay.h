// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The replay of a run, how far it can be trusted, and the scenarios that it answers.

#include "metrics/analysis/analysis.h"
#include "metrics/whatif/absent_ranks.h"
#include "metrics/whatif/contention.h"
#include "metrics/whatif/ghost_lanes.h"
#include "metrics/whatif/scenario_times.h"

namespace collscope {

enum class GateVerdict : std::uint8_t
{
    Good,
    Rough,
    Refused
};
/// "good", "rough", "refused": the names used in the JSON.
std::string_view gateVerdictName(GateVerdict verdict);

/// What is measured to say how far a replay can be trusted.
enum class GateId : std::uint8_t
{
    StrictError,
    Unexplained,
    Launched,
    IdleExplained,
    Absent,
    Matched,
    Clocks
};
/// "strict_error", "unexplained", ...: the names used in the JSON.
std::string_view gateName(GateId id);

struct Gate
{
    GateId id = GateId::StrictError;
    std::string_view text; ///< "error of the replay"
    double value = 0; ///< in percent; Clocks: in us
    GateVerdict verdict = GateVerdict::Good;
    std::string reason = {}; ///< a sentence if it refuses
};

struct ScenarioEvidence
{
    SliceRef slice;
    std::int32_t rank = 0;
    std::int64_t savedNs = 0; ///< on the longest chain, over the counted steps
};

struct ScenarioAnswer
{
    Scenario scenario;
    std::string text; ///< "rank 5 like its peers"
    ScenarioBasis basis; ///< with the reason if it is refused
    double stepNs = 0; ///< mean over the counted steps
    double gainNs = 0, lowNs = 0, highNs = 0;
    std::vector<std::pair<std::int32_t, double>> ranks; ///< gain of each rank's step, in ns
    std::vector<ScenarioEvidence> evidence; ///< the most first
};

/// What a scenario is replayed in. Used again, it costs the time of fresh memory only once.
struct ReplayBuffers
{
    RunTimes times;
    std::vector<std::int64_t> ends;
};

class WhatIfReplay
{
public:
    /// O(n log n) of the events of the run. Its model must outlive this.
    explicit WhatIfReplay(Analysis& analysis);
    WhatIfReplay(const WhatIfReplay&) = delete; // what it consists of refers to its clocks
    WhatIfReplay& operator=(const WhatIfReplay&) = delete;

    /// Why no scenario is answered; empty: some are.
    const std::string& refused() const { return m_refused; }
    const std::vector<Gate>& gates() const { return m_gates; }
    const RunGraph& run() const { return m_run; }
    /// What was replayed: "steps 11-14", "the whole trace", "steps 2-3 of iteration 4".
    const std::string& window() const { return m_window; }
    bool isPerStep() const { return m_isPerStep; } ///< false: the trace has no steps
    const std::vector<std::int64_t>& steps() const
    {
        return m_stepNumbers;
    } ///< that count; empty without steps
    double measuredNs() const { return m_measuredNs; } ///< mean over the counted steps
    double replayedNs() const { return m_keptNs; }
    double strictError() const { return m_strictError; } ///< mean over the counted steps, 0.01 = 1 %
    double keptError() const { return m_keptError; }
    double largestStrictError() const { return m_largestStrictError; }
    double contention() const { return m_variants.front().contention->slowdown(); }
    const CriticalPath& path() const { return m_path; }
    /// Gains below it mean nothing, in ns.
    double barNs() const;

    /// Precondition: not refused(). O(nodes). `buffers`: any that no other thread uses.
    ScenarioAnswer answer(const Scenario& scenario, ReplayBuffers& buffers) const;
    ScenarioAnswer answer(const Scenario& scenario) const;
    /// Scenarios worth a question: of late ranks, slow kernels, kinds of groups.
    std::vector<Scenario> suggestions() const;
    /// Where the GPU's work lies in a scenario. Empty if it is not answered.
    GhostLanes ghostOf(const Scenario& scenario) const;

private:
    /// A way to replay; the answer's range spans them.
    struct Variant
    {
        std::shared_ptr<const std::vector<std::int64_t>> heldNs;
        std::shared_ptr<const Contention> contention; ///< nullptr: not taken into account
        double stepNs = 0; ///< as recorded
    };
    void replay(const Variant& variant, ReplayBuffers& buffers) const;
    void build(const Selection& selection, const MetricOptions& options);
    void chooseSteps(const Selection& counted);
    std::string windowText() const;
    void addVariants();
    void measure();
    double stepOf(std::span<const std::int64_t> ends, std::span<const std::int64_t> least = {}) const;
    std::string whyNot(const Scenario& scenario) const;
    std::string textOf(const Scenario& scenario) const;
    void addEvidence(const RunTimes& times, std::span<const std::int64_t> ends, ScenarioAnswer& answer) const;
    void suggestRanks(std::vector<Scenario>& scenarios) const;
    void suggestKernels(std::vector<Scenario>& scenarios) const;

    const TraceModel& m_model;
    RunCollectivesPtr m_collectives;
    ClockMap m_clocks;
    ClockChoice m_clockChoice;
    std::string m_refused;
    RunGraph m_run;
    std::vector<std::size_t> m_counted; ///< indices of steps
    std::vector<std::int64_t> m_stepNumbers;
    std::unique_ptr<ScenarioTimes> m_scenarios;
    RunTimes m_base; ///< as recorded; of the first variant
    std::vector<Variant> m_variants; ///< the first is the answer
    std::vector<Gate> m_gates;
    std::vector<std::int64_t> m_baseEnds; ///< of the first variant
    CriticalPath m_path;
    AbsentRanks m_absent;
    std::string m_window;
    bool m_isPerStep = true;
    double m_measuredNs = 0, m_keptNs = 0;
    double m_strictError = 0, m_keptError = 0, m_largestStrictError = 0;
};

/// How far a replay is to be trusted (what-if gates), from its measures.
struct GateInput
{
    double strictError = 0, largestStrictError = 0; ///< 0.01 = 1 %
    double unexplainedShare = 0; ///< of the longest chain
    GraphCounts counts;
    std::size_t ranks = 0;
    double absentShare = 0; ///< AbsentRanks::share
    bool lacksStages = false; ///< AbsentRanks::ofStages
    std::optional<std::int64_t> clockResidualNs = {}; ///< nullopt: no collectives show the clocks
    double stepNs = 0;
};
std::vector<Gate> gatesOf(const GateInput& input);

} // namespace collscope
