// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Cost of sharded data parallelism: gathering and scattering, packing and unpacking.

#include "metrics/analysis/launches.h"
#include "metrics/catalog/catalog.h"
#include "metrics/core/statistics.h"
#include "metrics/core/step_rows.h"
#include "model/interval_set.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>

namespace collscope {

namespace {

/// Role of a GPU slice in FSDP.
enum Role : std::uint8_t
{
    NotFsdp,
    AllGather,
    ReduceScatter,
    OtherCollective, ///< all-reduce between replicas, broadcast
    CopyIn,
    CopyOut,
    Reshard,
    Hook ///< other work launched inside an FSDP hook
};
constexpr std::size_t roleCount = 8;
constexpr const char* roleNames[roleCount]
    = {"", "all_gather", "reduce_scatter", "other_collective", "copy_in", "copy_out", "reshard", "hooks"};

/// Kinds of the sweep.
enum FsdpKind : unsigned
{
    Gathering = 1,
    OtherCompute = 2, ///< Q': compute outside FSDP
    Scattering = 4,
    OtherFsdp = 8
};

struct FsdpTimes
{
    std::int64_t windowNs = 0;
    ActiveTimes active;
    std::array<std::int64_t, roleCount> sumNs{}; ///< sum of clipped durations
    std::array<std::int64_t, roleCount> count{};
    std::int64_t hiddenGathers = 0; ///< all-gathers fully covered by other compute

    std::int64_t overhead() const { return active.anyOf(Gathering | Scattering | OtherFsdp, OtherCompute); }
    std::int64_t communication() const { return active.anyOf(Gathering | Scattering); }
    std::int64_t gather() const { return active.anyOf(Gathering); }
    std::int64_t exposedGather() const { return active.anyOf(Gathering, OtherCompute); }
    std::int64_t copies() const { return sumNs[CopyIn] + sumNs[CopyOut]; }
    FsdpTimes& operator+=(const FsdpTimes& more)
    {
        windowNs += more.windowNs;
        active += more.active;
        for (std::size_t i = 0; i < roleCount; ++i) {
            sumNs[i] += more.sumNs[i];
            count[i] += more.count[i];
        }
        hiddenGathers += more.hiddenGathers;
        return *this;
    }
};

struct RankFsdp
{
    std::int32_t rank = 0;
    std::vector<std::pair<std::int64_t, FsdpTimes>> steps; ///< by step number
    FsdpTimes total;
    double stepCount() const { return static_cast<double>(steps.size()); }
};

struct FsdpTable
{
    std::optional<MetricResult> failure;
    std::vector<RankFsdp> ranks;
    FsdpTimes all;
    std::vector<std::vector<ParallelismKind>>
        parallelismKinds; ///< of communication kernels, by track and row
    bool named = false; ///< FSDP names were found

    Role roleOf(const LaunchContext& context, const Track& track, TrackId id, std::size_t row) const;
};

/// Role of a slice. Collectives are classified by their group or by the hook that launched them, other GPU
/// work by the hook or operator.
Role FsdpTable::roleOf(const LaunchContext& context, const Track& track, TrackId id, std::size_t row) const
{
    constexpr unsigned fsdpMarks = LaunchFsdp | LaunchFsdpCopyIn | LaunchFsdpCopyOut;
    const KernelClass kind = track.slices.kernelClass[row];
    const SliceRef launch = (context.allMarks() & fsdpMarks) != 0 ? context.launchOf(id, row) : SliceRef{};
    const unsigned marks = launch ? context.marksOf(launch) : 0;
    if (isCommunication(kind)) {
        const ParallelismKind parallelismKind
            = parallelismKinds[id.value].empty() ? ParallelismKind::Unknown : parallelismKinds[id.value][row];
        if (parallelismKind != ParallelismKind::DataParallel && (marks & LaunchFsdp) == 0)
            return NotFsdp;
        if (kind == KernelClass::AllGather)
            return AllGather;
        if (kind == KernelClass::ReduceScatter)
            return ReduceScatter;
        return (marks & LaunchFsdp) != 0 ? OtherCollective : NotFsdp;
    }
    if ((marks & LaunchFsdpCopyIn) != 0)
        return CopyIn;
    if ((marks & LaunchFsdpCopyOut) != 0)
        return CopyOut;
    if ((marks & LaunchFsdpReshard) != 0)
        return Reshard;
    return (marks & LaunchFsdp) != 0 ? Hook : NotFsdp;
}

unsigned kindOf(Role role, const SliceColumns& slices, std::size_t row)
{
    switch (role) {
    case NotFsdp:
        return activeKindOf(slices, row) == ActiveCompute ? OtherCompute : 0u;
    case AllGather:
        return Gathering;
    case ReduceScatter:
        return Scattering;
    default:
        return OtherFsdp;
    }
}

FsdpTimes measureStep(Analysis& analysis, const RankWindows::Part& part, const StepRows& rows,
                      std::size_t step, const FsdpTable& table)
{
    const TraceModel& model = analysis.model();
    const LaunchContext& context = launchesOf(analysis, *part.timeline);
    const TimeRange window = rows.window(step);
    const bool clips = analysis.options().attribution == MetricOptions::Attribution::Clip;
    FsdpTimes times;
    std::vector<TimeRange> gathers;
    std::vector<TimeRange> compute;
    times.active = sweep(
        model, *part.timeline, window,
        [&](const Track& track, std::size_t row) {
            const TrackId id{static_cast<std::uint32_t>(&track - model.tracks.data())};
            if (!clips && !rows.belongs(id, row, step))
                return 0u;
            const Role role = table.roleOf(context, track, id, row);
            const unsigned kind = kindOf(role, track.slices, row);
            const TimeRange range = track.slices.range(row).intersected(window);
            if (role != NotFsdp) {
                times.sumNs[role] += range.lengthNs();
                ++times.count[role];
            }
            if (role == AllGather)
                gathers.push_back(range);
            else if (kind == OtherCompute)
                compute.push_back(range);
            return kind;
        },
        analysis.options().cancelled);
    times.windowNs = part.steps[step].range.lengthNs();
    if (gathers.empty())
        return times;
    const IntervalSet busy(std::move(compute));
    const std::vector<TimeRange>& spans = busy.intervals();
    for (const TimeRange& gather : gathers) {
        const auto after
            = std::upper_bound(spans.begin(), spans.end(), gather.beginNs,
                               [](std::int64_t time, const TimeRange& span) { return time < span.beginNs; });
        times.hiddenGathers += after != spans.begin() && std::prev(after)->endNs >= gather.endNs ? 1 : 0;
    }
    return times;
}

void measureRanks(Analysis& analysis, FsdpTable& table)
{
    for (const RankWindows& windows : analysis.selection().ranks) {
        RankFsdp& rank = table.ranks.emplace_back();
        rank.rank = windows.rank;
        for (const RankWindows::Part& part : windows.parts) {
            const StepRows rows(analysis.model(), *part.timeline, part.steps, analysis.options().attribution);
            for (std::size_t step = 0; step < part.steps.size(); ++step) {
                if (analysis.options().cancelled())
                    return;
                rank.steps.emplace_back(part.steps[step].number,
                                        measureStep(analysis, part, rows, step, table));
                rank.total += rank.steps.back().second;
            }
        }
        table.all += rank.total;
    }
}

FsdpTable measureFsdp(Analysis& analysis)
{
    FsdpTable table;
    const Selection& selection = analysis.selection();
    if (selection.failure) {
        table.failure = *selection.failure;
        return table;
    }
    for (const RankWindows& rank : selection.ranks) {
        for (const RankWindows::Part& part : rank.parts)
            table.named |= (launchesOf(analysis, *part.timeline).allMarks() & LaunchFsdpModule) != 0;
    }
    if (!table.named && analysis.workload().mesh.dpShard <= 1) {
        table.failure = noValue(selection, MetricState::NotApplicable,
                                "The run does not shard data-parallel ranks: dp_shard is not above 1 in card "
                                "or TOML, and the trace contains no FSDP operator or annotation.");
        return table;
    }
    const TraceModel& model = analysis.model();
    table.parallelismKinds.resize(model.tracks.size());
    for (const RankCalls& rank : analysis.calls()) {
        for (const Call& call : rank.calls) {
            std::vector<ParallelismKind>& parallelismKinds = table.parallelismKinds[call.slice.track.value];
            parallelismKinds.resize(model.track(call.slice.track).slices.size(), ParallelismKind::Unknown);
            parallelismKinds[call.slice.row] = call.parallelismKind;
        }
    }
    measureRanks(analysis, table);
    std::int64_t found = 0;
    for (const std::int64_t count : table.all.count)
        found += count;
    if (found == 0)
        table.failure = noValue(selection, MetricState::NotApplicable,
                                "No FSDP GPU work ran in the window (" + selection.window
                                    + "): no all-gather or reduce-scatter of a data-parallel group, and "
                                      "nothing launched by an FSDP hook.");
    return table;
}

const FsdpTable& fsdpOf(Analysis& analysis)
{
    return analysis.table<FsdpTable>([&] { return measureFsdp(analysis); });
}

bool countsForFsdp(Analysis& analysis, const FsdpTable& table, std::uint32_t wanted, SliceRef slice,
                   const Timeline& timeline)
{
    const Role role = table.roleOf(launchesOf(analysis, timeline), analysis.model().track(slice.track),
                                   slice.track, slice.row);
    return role != NotFsdp && (wanted & (1u << role)) != 0;
}

/// Adds the slices of the roles in `wanted` (bits 1 << role) if evidence is requested.
void addFsdpEvidence(Analysis& analysis, const FsdpTable& table, std::uint32_t wanted, MetricResult& result)
{
    if (!analysis.options().wantEvidence)
        return;
    addEvidence(analysis, analysis.selection(), result,
                [](const SliceColumns& slices, std::size_t row) { return isGpuWork(slices.category[row]); });
    std::erase_if(result.evidence, [&](SliceRef slice) {
        return !countsForFsdp(analysis, table, wanted, slice, analysis.model().timelineOf(slice));
    });
}

void addFsdpDetails(const FsdpTable& table, MetricResult& result)
{
    const auto mean = [&](const std::function<std::int64_t(const FsdpTimes&)>& time) {
        std::vector<double> values;
        for (const RankFsdp& rank : table.ranks)
            values.push_back(nsToMs(time(rank.total)) / rank.stepCount());
        return meanOf(values);
    };
    const double step = mean([](const FsdpTimes& t) { return t.windowNs; });
    const double overhead = mean([](const FsdpTimes& t) { return t.overhead(); });
    result.details = {
        {"overhead_ms", overhead},
        {"overhead_percent_of_step", step > 0 ? 100.0 * overhead / step : 0.0},
        {"communication_ms", mean([](const FsdpTimes& t) { return t.communication(); })},
        {"all_gather_ms", mean([](const FsdpTimes& t) { return t.gather(); })},
        {"exposed_all_gather_ms", mean([](const FsdpTimes& t) { return t.exposedGather(); })},
        {"reduce_scatter_ms", mean([](const FsdpTimes& t) { return t.active.anyOf(Scattering); })},
        {"copy_ms", mean([](const FsdpTimes& t) { return t.copies(); })},
        {"step_time_ms", step},
    };
    Value::Object operations;
    for (std::size_t role = 1; role < roleCount; ++role) {
        operations.emplace_back(
            roleNames[role],
            Value::Object{{"count", table.all.count[role]}, {"sum_ms", nsToMs(table.all.sumNs[role])}});
    }
    result.details.emplace_back("operations", std::move(operations));
    if (const auto hidden = ratio(static_cast<double>(table.all.hiddenGathers),
                                  static_cast<double>(table.all.count[AllGather])))
        result.details.emplace_back("fully_hidden_all_gathers_ratio", *hidden);
    Value::Object perRank;
    for (const RankFsdp& rank : table.ranks) {
        const auto ms = [&](std::int64_t ns) { return nsToMs(ns) / rank.stepCount(); };
        perRank.emplace_back(std::to_string(rank.rank),
                             Value::Object{{"overhead_ms", ms(rank.total.overhead())},
                                           {"communication_ms", ms(rank.total.communication())},
                                           {"copy_ms", ms(rank.total.copies())}});
    }
    result.details.emplace_back("per_rank", std::move(perRank));
    std::string counts;
    for (std::size_t role = 1; role < roleCount; ++role) {
        if (table.all.count[role] > 0)
            counts += (counts.empty() ? "" : ", ") + std::to_string(table.all.count[role]) + " "
                + roleNames[role];
    }
    result.inputs = {"FSDP GPU work over ranks and steps: " + counts + "."};
    if (!table.named)
        result.warnings.emplace_back("The trace names no FSDP operators: collectives are identified by their "
                                     "data-parallel groups, and copies cannot be identified.");
}

/// Mean over ranks of a value per rank, with rows per rank and step.
MetricResult fsdpValue(Analysis& analysis, std::uint32_t roles,
                       const std::function<std::optional<double>(const FsdpTimes&, double steps)>& f,
                       const char* nothing)
{
    const FsdpTable& table = fsdpOf(analysis);
    if (table.failure)
        return *table.failure;
    MetricResult result = valueOf(analysis, analysis.selection(), "mean of ranks");
    std::vector<double> values;
    for (const RankFsdp& rank : table.ranks) {
        const auto value = rank.steps.empty() ? std::nullopt : f(rank.total, rank.stepCount());
        if (!value)
            continue;
        values.push_back(*value);
        result.rows.push_back({rank.rank, std::nullopt, *value});
    }
    if (values.empty())
        return noValue(analysis.selection(), MetricState::NotApplicable, nothing);
    for (const RankFsdp& rank : table.ranks) {
        for (const auto& [number, times] : rank.steps) {
            if (const auto value = f(times, 1.0))
                result.rows.push_back({rank.rank, number, *value});
        }
    }
    result.value = meanOf(values);
    addFsdpDetails(table, result);
    addFsdpEvidence(analysis, table, roles, result);
    return result;
}

constexpr std::uint32_t everyRole = 0xFFu;

/// Why no time per step can be given; nullopt if it can.
std::optional<MetricResult> noTimePerStep(Analysis& analysis)
{
    const FsdpTable& table = fsdpOf(analysis);
    return table.failure ? table.failure : withoutSteps(analysis.selection());
}

MetricResult fsdpOverhead(Analysis& analysis)
{
    if (const auto none = noTimePerStep(analysis))
        return *none;
    return fsdpValue(
        analysis, everyRole,
        [](const FsdpTimes& t, double steps) { return std::optional(nsToMs(t.overhead()) / steps); }, "");
}

MetricResult fsdpPrefetchEfficiency(Analysis& analysis)
{
    return fsdpValue(
        analysis, 1u << AllGather,
        [](const FsdpTimes& t, double) -> std::optional<double> {
            const auto exposed
                = ratio(static_cast<double>(t.exposedGather()), static_cast<double>(t.gather()));
            return exposed ? std::optional(1.0 - *exposed) : std::nullopt;
        },
        "No FSDP all-gather ran in the window.");
}

bool anyOf(const FsdpTable& table, std::initializer_list<Role> roles)
{
    return std::any_of(roles.begin(), roles.end(), [&](Role role) { return table.all.count[role] > 0; });
}

MetricResult fsdpCommunicationTime(Analysis& analysis)
{
    const FsdpTable& table = fsdpOf(analysis);
    if (!table.failure && !anyOf(table, {AllGather, ReduceScatter}))
        return noValue(analysis.selection(), MetricState::NotApplicable,
                       "No FSDP all-gather or reduce-scatter ran in the window.");
    if (const auto none = noTimePerStep(analysis))
        return *none;
    return fsdpValue(
        analysis, (1u << AllGather) | (1u << ReduceScatter),
        [](const FsdpTimes& t, double steps) { return std::optional(nsToMs(t.communication()) / steps); },
        "");
}

MetricResult fsdpCopyTime(Analysis& analysis)
{
    const FsdpTable& table = fsdpOf(analysis);
    if (!table.failure && !table.named)
        return noValue(
            analysis.selection(), MetricState::NotApplicable,
            "The trace names no FSDP operators, so FSDP copies cannot be distinguished from other kernels.");
    if (!table.failure && !anyOf(table, {CopyIn, CopyOut}))
        return noValue(analysis.selection(), MetricState::NotApplicable,
                       "No GPU work in the window was launched inside all_gather_copy_in, chunk_cat, "
                       "all_gather_copy_out or split_with_sizes_copy.");
    if (const auto none = noTimePerStep(analysis))
        return *none;
    return fsdpValue(
        analysis, (1u << CopyIn) | (1u << CopyOut),
        [](const FsdpTimes& t, double steps) { return std::optional(nsToMs(t.copies()) / steps); }, "");
}

MetricResult fsdpReport(Analysis& analysis)
{
    MetricResult result = fsdpOverhead(analysis);
    if (result.state != MetricState::Value)
        return result;
    result.value.reset();
    result.rows.clear();
    const MetricResult prefetch = fsdpPrefetchEfficiency(analysis);
    if (prefetch.value)
        result.details.emplace_back("prefetch_efficiency", *prefetch.value);
    return result;
}

constexpr std::string_view needsFsdp
    = "a timeline (Kineto or nsys) of a run with FSDP: FSDP operators, or dp_shard above 1 (card or TOML)";

} // namespace

constexpr MetricPart fsdpParts[] = {
    {.id = "fsdp_overhead",
     .title = "FSDP overhead",
     .direction = MetricDirection::LowerIsBetter,
     .meaning = "Time per step during which a GPU works for FSDP and runs no other compute.",
     .definition = "|F \\ Q'| per step: F = union of FSDP collectives, copies and hooks, Q' = other compute "
                   "kernels; mean "
                   "over steps, then mean of ranks",
     .compute = fsdpOverhead},
    {.id = "fsdp_prefetch_efficiency",
     .title = "FSDP prefetch efficiency",
     .unit = "ratio",
     .direction = MetricDirection::HigherIsBetter,
     .meaning = "Share of FSDP all-gather time that other compute overlaps.",
     .definition
     = "1 - |A \\ Q'| / |A|: A = union of FSDP all-gathers, Q' = other compute kernels, per rank over the "
       "steps, then mean of ranks",
     .compute = fsdpPrefetchEfficiency},
    {.id = "fsdp_communication_time",
     .title = "FSDP communication time",
     .direction = MetricDirection::LowerIsBetter,
     .meaning = "Time per step during which a GPU gathers or scatters for FSDP, overlapped or not.",
     .definition
     = "union of the FSDP all-gathers and reduce-scatters per step, mean over steps, then mean of ranks",
     .compute = fsdpCommunicationTime},
    {.id = "fsdp_copy_time",
     .title = "FSDP copy time",
     .direction = MetricDirection::LowerIsBetter,
     .meaning = "Kernel time per step for packing and unpacking parameters and gradients for FSDP.",
     .definition = "sum of the durations of the kernels launched inside all_gather_copy_in, chunk_cat, "
                   "all_gather_copy_out "
                   "and split_with_sizes_copy, per step, mean of ranks",
     .compute = fsdpCopyTime},
};

const MetricDescriptor fsdpMetric{
    .id = "fsdp",
    .title = "FSDP summary",
    .group = "Phases",
    .unit = "ms",
    .needs = needsFsdp,
    .meaning = "Cost of sharded data parallelism per step, by operation.",
    .definition = "the values of fsdp_overhead, fsdp_prefetch_efficiency, fsdp_communication_time and "
                  "fsdp_copy_time, with "
                  "counts by operation; no single number",
    .parts = fsdpParts,
    .compute = fsdpReport,
};

} // namespace collscope
