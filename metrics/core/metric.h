// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The contract of a metric: a pure function from (model, options) to a self-explanatory result.

#include "metrics/core/sheet.h"
#include "model/hardware_database.h"
#include "model/parallel.h"
#include "model/trace_model.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace collscope {

class Analysis; // metrics/analysis/analysis.h
struct Selection; // metrics/core/rank_windows.h
struct RunCollectives; // metrics/matching/run_collectives.h
struct UserMetric; // metrics/definitions/user_metric.h

enum class MetricState : std::uint8_t
{
    Value,
    NotApplicable,
    MissingInput,
    Error
};
/// "value", "not_applicable", "missing_input", "error": the names used in the JSON.
std::string_view metricStateName(MetricState state);

/// Which steps count. Inner = without the first and last if there are more than two.
struct StepChoice
{
    enum class Mode
    {
        Inner,
        All,
        Range
    } mode
        = Mode::Inner;
    std::int64_t first = 0, last = 0; ///< Range: step numbers, both included
};

enum class ProfileMode
{
    Auto,
    Torch,
    Nsys
};

/// The clocks on which times of different ranks are compared.
enum class ClockChoice : std::uint8_t
{
    Auto, ///< aligned if the collectives show that the clocks differ, else unchanged
    Aligned,
    Raw
};

/// How the values of several ranks become one, if a metric is a mean of ranks.
enum class RankReduction : std::uint8_t
{
    Mean,
    Median,
    Max,
    Min,
    Sum
};

/// Everything that the user can choose about a computation. Identical in the window and on the command line.
struct MetricOptions
{
    std::optional<std::int32_t> rank; ///< --rank or --gpu: a rank of the run, or the GPU of an NVF1 file
    std::optional<std::uint32_t> link;
    std::optional<LinkDirection> direction;
    int top = 1; ///< peak_kernels: number of peaks
    bool ncclOnly = false;
    StepChoice steps;
    std::optional<TimeRange> range; ///< ns on the axis of `clocks`; replaces the steps
    ClockChoice clocks = ClockChoice::Auto;
    ProfileMode profileMode = ProfileMode::Auto;
    RankReduction reduce = RankReduction::Mean;
    bool linkedOnly = false; ///< gpu_timeline: drop GPU events without a launch link
    bool causal = false; ///< mfu: count half of the attention FLOPs
    /// Clip = GPU work counts where it ran; Launch = unclipped kernels count for the step that launched them.
    enum class Attribution
    {
        Clip,
        Launch
    } attribution
        = Attribution::Clip;
    /// Reference = the scalar is the number printed by the existing tool (MetricResult::references).
    enum class Definition
    {
        Std,
        Reference
    } definition
        = Definition::Std;
    std::shared_ptr<const HardwareDatabase> hardware; ///< hardware peaks and models; null = none known
    /// The run's collectives if already known, to avoid matching them again; null = match them.
    std::shared_ptr<const RunCollectives> collectives;
    bool wantEvidence = false; ///< fill MetricResult::evidence
    bool wantReferences = false; ///< fill MetricResult::references (may need another pass over the run)
    /// The threads of the computation; by default, the caller's alone.
    Parallel parallel;
    /// Asked by each of these threads.
    std::function<bool()> cancelled = [] { return false; };
};

/// A value for one rank and/or one step, for the CSV and the panel.
struct MetricRow
{
    std::optional<std::int32_t> rank;
    std::optional<std::int64_t> step;
    double value = 0;
};

/// The number that another tool prints for the same metric, and why it differs.
struct ReferenceValue
{
    std::string tool;
    std::optional<double> value;
    std::string whyDifferent;
    std::string forName = {}; ///< alias of that tool's metric ("iter_time_16"); empty = any
    Value::Object details = {}; ///< further output of the tool, under its own keys
    bool isSentinel = false; ///< `value` is that tool's sign for "nothing found" and has no unit
};

/// Part of a result as a table for readers: in the text, the CSV and the plot.
struct MetricTable
{
    std::string title; ///< one line
    /// Columns "rank" and "step" identify a row. Other texts name the row; other numbers are its values, the
    /// first of which is plotted.
    Sheet sheet;
};

struct MetricResult
{
    MetricState state = MetricState::Error;
    std::optional<double>
        value; ///< the scalar; none also for state Value if the result is not a single number
    std::string unit;
    std::string reason; ///< why the value is missing; a sentence that the user can act on
    std::string definition; ///< the formula in words
    std::string scope; ///< "4 ranks", "rank 0", "GPU 0, link 1, tx"
    std::string window; ///< "inner steps", "all steps", "whole file", "range", "top peak"
    std::string reduction; ///< "mean of ranks", "one rank", ...
    std::string source; ///< "kineto", "nsys", "nvf1", "nvf1+nsys"
    Value::Object details; ///< under the keys of existing tools; printed flat next to the value
    std::vector<std::string> warnings;
    std::vector<std::string> inputs; ///< the numbers used, one sentence each, for --explain and the panel
    std::vector<MetricRow> rows; ///< per rank, then per step
    std::vector<MetricTable> tables; ///< content of the details, shortened for readers
    std::vector<ReferenceValue> references;
    std::vector<SliceRef> evidence; ///< the counted slices, sorted; empty unless requested
    std::vector<TimeRange> evidenceRanges; ///< the counted windows or counter intervals

    // Out of line to reduce compile time, like those of Value.
    MetricResult();
    MetricResult(const MetricResult& other);
    MetricResult(MetricResult&& other) noexcept;
    MetricResult& operator=(const MetricResult& other);
    MetricResult& operator=(MetricResult&& other) noexcept;
    ~MetricResult();
    static MetricResult notApplicable(std::string reason);
    static MetricResult missingInput(std::string reason);
};

/// Creates the details under another tool's keys; if `result` has no value, those that need one are omitted.
using AliasDetails = Value::Object (*)(Analysis& analysis, const MetricResult& result);

/// Another name of a metric; its scalar may be in another unit (value x factor). All are rows of
/// metrics/catalog/metric_names.cpp.
struct MetricAlias
{
    std::string_view id;
    std::string_view metric; ///< id of the metric that it names
    std::string_view unit = {}; ///< empty = the metric's own
    double factor = 1.0;
    AliasDetails details = nullptr; ///< placed before the metric's own details; nullptr = none
};

enum class MetricDirection : std::uint8_t
{
    Neutral,
    HigherIsBetter,
    LowerIsBetter
};

/// The selection that a metric measures. Where it failed, evaluate() returns its failure: `compute` gets one
/// with ranks. nullptr: the metric measures no timeline, or decides by itself.
using MeasuredRanks = const Selection& (Analysis::*)();

/// One figure of a metric that has several, by a dimension such as the type of the collective, the phase of a
/// step or the statistic. It is requested by its own id. What is empty is as in the metric.
struct MetricPart
{
    std::string_view id;
    std::string_view title;
    std::string_view unit = {};
    std::optional<MetricDirection> direction = {};
    std::string_view needs = {};
    std::string_view meaning = {};
    std::string_view definition = {};
    MeasuredRanks ranks = nullptr;
    MetricResult (*compute)(Analysis& analysis) = nullptr;
};

struct MetricDescriptor
{
    std::string_view id;
    std::string_view title; ///< for the panel: "Compute-communication overlap"
    std::string_view group; ///< heading in the panel: "Execution", "Communication", "NVLink"
    std::string_view unit;
    MetricDirection direction = MetricDirection::Neutral;
    std::string_view needs; ///< "a timeline (Kineto or nsys)", for --list-metrics
    std::string_view meaning; ///< one line
    std::string_view definition; ///< the formula, with its source
    std::span<const MetricPart> parts = {};
    MeasuredRanks ranks = nullptr;
    MetricResult (*compute)(Analysis& analysis) = nullptr; ///< nullptr for a user-defined metric
    bool fromSummaries = false; ///< reads of a timeline nothing but what a TimelineSummary has, too
    bool foldsCalls = false; ///< reads the calls of all ranks from summaries: takes more memory than others
    bool onRequest = false; ///< costs as much as all others together: computed where it is asked for by name
    // Filled in by allMetrics():
    const MetricDescriptor* whole = nullptr; ///< the metric of which this is a part; nullptr = it is none
    std::span<const MetricAlias> aliases = {};
};

/// A name that the user may request: the metric, and the unit and factor of that name.
struct MetricRequest
{
    std::string name; ///< as requested; the key in JSON
    const MetricDescriptor* metric = nullptr;
    std::string_view unit;
    double factor = 1.0;
    /// The definition of a user-defined metric (metrics/definitions/metric_catalog.h); keeps `metric` and
    /// `unit` alive.
    std::shared_ptr<const UserMetric> user = nullptr;
    AliasDetails details = nullptr; ///< details of the alias; nullptr = none
};

/// All built-in metrics in the order on screen (metrics/catalog/all_metrics.cpp); each is followed by its
/// parts. MetricCatalog adds the user-defined ones.
std::span<const MetricDescriptor> allMetrics();
/// All other names, and those of the metric with this id.
std::span<const MetricAlias> allAliases();
std::span<const MetricAlias> aliasesOf(std::string_view metric);
/// Finds an id or alias; "_16" and "_group_N" suffixes are accepted on every metric. nullopt if unknown.
std::optional<MetricRequest> findMetric(std::string_view name);
/// The three ids and aliases nearest to a misspelled name, word by word, among the built-in ones and `more`.
std::vector<std::string> nearestMetrics(std::string_view name, const std::vector<std::string>& more = {});

/// Computes one metric: sets unit and definition, applies the alias' unit, turns exceptions into state Error.
/// Several metrics of one run share intermediate tables through the same `analysis`.
MetricResult evaluate(Analysis& analysis, const MetricRequest& request);
/// Evaluates a single metric with its own Analysis.
MetricResult evaluate(const TraceModel& model, const MetricRequest& request, const MetricOptions& options);

} // namespace collscope
