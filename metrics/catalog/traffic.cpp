// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Purpose of the communication: bytes, calls and time by parallelism and by collective type.

#include "metrics/analysis/known_communication.h"
#include "metrics/catalog/catalog.h"
#include "model/kernels/kernel_names.h"

#include <algorithm>
#include <array>

namespace collscope {

namespace {

/// Calls of one purpose or type.
struct Traffic
{
    std::uint64_t bytes = 0; ///< message sizes S
    double wireBytes = 0;
    std::int64_t calls = 0, sized = 0, onWire = 0; ///< total, with a known size, with known wire bytes
    std::int64_t kernelNs = 0; ///< sum of durations
    std::int64_t activeNs = 0; ///< union per rank

    Traffic& operator+=(const Traffic& other)
    {
        bytes += other.bytes;
        wireBytes += other.wireBytes;
        calls += other.calls;
        sized += other.sized;
        onWire += other.onWire;
        kernelNs += other.kernelNs;
        activeNs += other.activeNs;
        return *this;
    }
};

struct TrafficTable
{
    std::array<Traffic, parallelismKindCount> byParallelismKind;
    std::array<Traffic, kernelClassCount> byType;
    std::array<std::int64_t, static_cast<std::size_t>(ParallelismRule::None) + 1> byRule{};
    Traffic all;
    double rankSteps = 0; ///< steps, summed over ranks

    TrafficTable& operator+=(const TrafficTable& other)
    {
        for (std::size_t i = 0; i < byParallelismKind.size(); ++i)
            byParallelismKind[i] += other.byParallelismKind[i];
        for (std::size_t i = 0; i < byType.size(); ++i)
            byType[i] += other.byType[i];
        for (std::size_t i = 0; i < byRule.size(); ++i)
            byRule[i] += other.byRule[i];
        all += other.all;
        rankSteps += other.rankSteps;
        return *this;
    }
};

/// Adds calls in time order to their entries and extends the unions incrementally.
class TrafficCounter
{
public:
    void add(const Call& call, TrafficTable& table)
    {
        if (call.timeline != m_timeline) { // calls of another iteration's file: times restart
            m_timeline = call.timeline;
            m_parallelismEnd.fill(std::numeric_limits<std::int64_t>::min());
            m_typeEnd.fill(std::numeric_limits<std::int64_t>::min());
            m_end.fill(std::numeric_limits<std::int64_t>::min());
        }
        const auto parallelismKind = static_cast<std::size_t>(call.parallelismKind);
        const auto type = static_cast<std::size_t>(call.kind);
        addTo(call, table.byParallelismKind[parallelismKind], m_parallelismEnd[parallelismKind]);
        addTo(call, table.byType[type], m_typeEnd[type]);
        addTo(call, table.all, m_end[0]);
        ++table.byRule[static_cast<std::size_t>(call.rule)];
    }

private:
    static void addTo(const Call& call, Traffic& traffic, std::int64_t& endNs)
    {
        ++traffic.calls;
        if (call.bytes) {
            traffic.bytes += *call.bytes;
            ++traffic.sized;
        }
        if (const auto wire = wireBytes(call)) {
            traffic.wireBytes += *wire;
            ++traffic.onWire;
        }
        traffic.kernelNs += call.durationNs();
        if (call.range.endNs > endNs) {
            traffic.activeNs += call.range.endNs - std::max(call.range.beginNs, endNs);
            endNs = call.range.endNs;
        }
    }

    const Timeline* m_timeline = nullptr;
    std::array<std::int64_t, parallelismKindCount> m_parallelismEnd{};
    std::array<std::int64_t, kernelClassCount> m_typeEnd{};
    std::array<std::int64_t, 1> m_end{};
};

TrafficTable trafficOf(const RankCalls& rank)
{
    TrafficTable table;
    TrafficCounter counter;
    for (const Call& call : rank.aroundWindow()) {
        if (call.inWindow())
            counter.add(call, table);
    }
    table.rankSteps = rank.stepCount;
    return table;
}

std::vector<TrafficTable> trafficByRank(Analysis& analysis, TrafficTable& all)
{
    std::vector<TrafficTable> tables;
    for (const RankCalls& rank : analysis.calls()) {
        tables.push_back(trafficOf(rank));
        all += tables.back();
    }
    return tables;
}

constexpr std::array<std::string_view, static_cast<std::size_t>(ParallelismRule::None) + 1> ruleNames{
    "group_description", "mesh", "annotation", "single_dimension", "collective_type", "none"};

constexpr std::array<std::string_view, static_cast<std::size_t>(ParallelismRule::None) + 1> ruleWords{
    "by the description of their process group",
    "by the ranks of their group in the device mesh",
    "by an annotation around their launch",
    "because only one kind of parallelism is in use",
    "by the type of the collective",
    "not at all"};

Value::Object rulesOf(const TrafficTable& table)
{
    Value::Object rules;
    for (std::size_t i = 0; i < table.byRule.size(); ++i) {
        if (table.byRule[i] > 0)
            rules.emplace_back(std::string(ruleNames[i]), table.byRule[i]);
    }
    return rules;
}

std::string rulesSentence(const TrafficTable& table)
{
    std::string text = std::to_string(table.all.calls) + " calls start in the window. Their purpose is known";
    bool first = true;
    for (std::size_t i = 0; i < table.byRule.size(); ++i) {
        if (table.byRule[i] == 0)
            continue;
        text += (first ? ": of " : ", of ") + std::to_string(table.byRule[i]) + " "
            + std::string(ruleWords[i]);
        first = false;
    }
    return text + ".";
}

/// Omits bytes if no call of the entry has a size.
Value::Object rowOf(const Traffic& traffic, const TrafficTable& all)
{
    Value::Object row{{"calls", traffic.calls}};
    if (traffic.sized > 0) {
        row.emplace_back("bytes", traffic.bytes);
        if (const auto share
            = ratio(static_cast<double>(traffic.bytes), static_cast<double>(all.all.bytes), 100.0))
            row.emplace_back("share_percent", *share);
        if (const auto perStep = ratio(static_cast<double>(traffic.bytes), all.rankSteps))
            row.emplace_back("bytes_per_rank_step", *perStep);
    }
    if (traffic.onWire > 0)
        row.emplace_back("wire_bytes", traffic.wireBytes);
    if (traffic.sized < traffic.calls)
        row.emplace_back("calls_without_size", traffic.calls - traffic.sized);
    row.emplace_back("time_ms", nsToMs(traffic.activeNs));
    row.emplace_back("kernel_time_ms", nsToMs(traffic.kernelNs));
    if (const auto share
        = ratio(static_cast<double>(traffic.kernelNs), static_cast<double>(all.all.kernelNs), 100.0))
        row.emplace_back("time_share_percent", *share);
    return row;
}

/// One row per purpose or type with calls, under its name.
template<typename Key, typename Rows>
Value::Object rowsBy(const Rows& rows, const TrafficTable& table, std::string_view (*nameOf)(Key))
{
    Value::Object object;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].calls > 0)
            object.emplace_back(std::string(nameOf(static_cast<Key>(i))), rowOf(rows[i], table));
    }
    return object;
}

/// Rows of the share of one purpose: per rank, then per step of each rank.
void addShareRows(Analysis& analysis, const std::vector<TrafficTable>& byRank,
                  ParallelismKind parallelismKind, MetricResult& result)
{
    const std::vector<RankCalls>& ranks = analysis.calls();
    const auto index = static_cast<std::size_t>(parallelismKind);
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        if (const auto share = ratio(static_cast<double>(byRank[i].byParallelismKind[index].bytes),
                                     static_cast<double>(byRank[i].all.bytes), 100.0))
            result.rows.push_back({ranks[i].rank, std::nullopt, *share});
    }
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        for (const RankWindows::Part& part : analysis.selection().ranks[i].parts) {
            std::vector<std::pair<double, double>> bytes(part.steps.size()); // of the purpose, of all
            for (const Call& call : ranks[i].aroundWindow()) {
                if (!call.inWindow() || call.timeline != part.timeline || !call.bytes)
                    continue;
                auto& [own, all] = bytes[static_cast<std::size_t>(call.step)];
                own += call.parallelismKind == parallelismKind ? static_cast<double>(*call.bytes) : 0.0;
                all += static_cast<double>(*call.bytes);
            }
            for (std::size_t step = 0; step < bytes.size(); ++step) {
                if (const auto share = ratio(bytes[step].first, bytes[step].second, 100.0))
                    result.rows.push_back({ranks[i].rank, part.steps[step].number, *share});
            }
        }
    }
}

void addDistributionDetails(const TrafficTable& all, ParallelismKind largest, MetricResult& result)
{
    Value::Object fractions;
    for (const ParallelismKind parallelismKind :
         {ParallelismKind::DataParallel, ParallelismKind::TensorParallel, ParallelismKind::PipelineParallel,
          ParallelismKind::ExpertParallel, ParallelismKind::ContextParallel, ParallelismKind::Global,
          ParallelismKind::Unknown}) {
        const Traffic& traffic = all.byParallelismKind[static_cast<std::size_t>(parallelismKind)];
        const std::string name(parallelismKindName(parallelismKind));
        result.details.emplace_back(name + "_bytes", traffic.bytes);
        fractions.emplace_back(name, static_cast<double>(traffic.bytes) / static_cast<double>(all.all.bytes));
    }
    result.details.emplace_back("total_bytes", all.all.bytes);
    result.details.emplace_back("wire_bytes", all.all.wireBytes);
    result.details.emplace_back("fractions", std::move(fractions));
    result.details.emplace_back("largest", parallelismKindName(largest));
    result.details.emplace_back("total_comm_calls", all.all.calls);
    result.details.emplace_back("mode", rulesOf(all));
    result.details.emplace_back("by_purpose", rowsBy(all.byParallelismKind, all, parallelismKindName));
    result.details.emplace_back("by_type", rowsBy(all.byType, all, kernelClassName));
}

MetricResult trafficDistribution(Analysis& analysis)
{
    const Selection& selection = analysis.selection();
    TrafficTable all;
    const std::vector<TrafficTable> byRank = trafficByRank(analysis, all);
    if (all.all.calls == 0)
        return whyNoCommunication(analysis, selection);
    if (all.all.bytes == 0) {
        MetricResult result = noValue(
            selection, MetricState::NotApplicable,
            all.all.sized > 0 ? "Every call in the window moves 0 bytes."
                              : "None of the " + std::to_string(all.all.calls)
                    + " communication calls in the window has a message size (nsys and older profilers do "
                      "not record it): comm_breakdown gives the time by parallelism instead.");
        result.details = {{"total_comm_calls", all.all.calls}, {"mode", rulesOf(all)}};
        return result;
    }
    const auto most = std::max_element(all.byParallelismKind.begin(), all.byParallelismKind.end(),
                                       [](const Traffic& a, const Traffic& b) { return a.bytes < b.bytes; });
    const auto largest = static_cast<ParallelismKind>(most - all.byParallelismKind.begin());
    MetricResult result = valueOf(analysis, selection, "pooled");
    result.value = 100.0 * static_cast<double>(most->bytes) / static_cast<double>(all.all.bytes);
    addDistributionDetails(all, largest, result);
    addShareRows(analysis, byRank, largest, result);
    result.inputs = {"The largest part is " + std::string(parallelismKindName(largest)) + ": "
                         + std::to_string(most->bytes) + " of " + std::to_string(all.all.bytes)
                         + " bytes (message sizes S, summed over ranks and steps).",
                     rulesSentence(all)};
    if (largest == ParallelismKind::Unknown)
        result.warnings.emplace_back("The largest part has no known purpose: a workload card or TOML with "
                                     "the degrees of parallelism would distinguish the groups.");
    if (all.all.sized < all.all.calls)
        result.warnings.push_back(std::to_string(all.all.calls - all.all.sized) + " of "
                                  + std::to_string(all.all.calls)
                                  + " calls have no message size and are not included in the shares.");
    addCallEvidence(analysis, result, [](const Call& call) { return call.bytes.has_value(); });
    return result;
}

/// Seconds of communication by purpose; "other" covers all purposes except tp, dp and pp.
struct SplitSeconds
{
    double tp = 0, dp = 0, pp = 0, other = 0;
};

SplitSeconds splitPerStep(const TrafficTable& table)
{
    SplitSeconds split;
    for (std::size_t i = 0; i < table.byParallelismKind.size(); ++i) {
        const double seconds = nsToSeconds(table.byParallelismKind[i].kernelNs) / table.rankSteps;
        switch (static_cast<ParallelismKind>(i)) {
        case ParallelismKind::TensorParallel:
            split.tp += seconds;
            break;
        case ParallelismKind::DataParallel:
            split.dp += seconds;
            break;
        case ParallelismKind::PipelineParallel:
            split.pp += seconds;
            break;
        default:
            split.other += seconds;
        }
    }
    return split;
}

MetricResult trafficWindowComm(Analysis& analysis)
{
    const Selection& selection = analysis.selection();
    if (const auto none = withoutSteps(selection))
        return *none;
    TrafficTable all;
    const std::vector<TrafficTable> byRank = trafficByRank(analysis, all);
    if (all.all.calls == 0)
        return whyNoCommunication(analysis, selection);
    MetricResult result = valueOf(analysis, selection, "mean of ranks");
    const auto ranks = static_cast<double>(byRank.size());
    SplitSeconds mean;
    Value::Object perRank;
    double total = 0;
    for (std::size_t i = 0; i < byRank.size(); ++i) {
        const SplitSeconds own = splitPerStep(byRank[i]);
        mean.tp += own.tp / ranks;
        mean.dp += own.dp / ranks;
        mean.pp += own.pp / ranks;
        mean.other += own.other / ranks;
        const std::int32_t rank = analysis.calls()[i].rank;
        const double seconds = nsToSeconds(byRank[i].all.kernelNs) / byRank[i].rankSteps;
        total += seconds / ranks;
        result.rows.push_back({rank, std::nullopt, seconds});
        perRank.emplace_back(
            std::to_string(rank),
            Value::Object{{"tp_s", own.tp}, {"dp_s", own.dp}, {"pp_s", own.pp}, {"other_s", own.other}});
    }
    result.value = total;
    result.details = {{"tp_s", mean.tp},       {"dp_s", mean.dp},      {"pp_s", mean.pp},
                      {"other_s", mean.other}, {"mode", rulesOf(all)}, {"per_rank", std::move(perRank)}};
    result.inputs = {rulesSentence(all),
                     "Sums of kernel durations, each kernel in full in the step in which it starts; "
                     "total_communication_time is the union."};
    addCallEvidence(analysis, result, [](const Call&) { return true; });
    return result;
}

/// Time of one entry per step, mean of ranks.
Value::Object timePerStep(const std::vector<TrafficTable>& byRank,
                          const std::function<const Traffic&(const TrafficTable&)>& entry)
{
    double active = 0;
    double kernels = 0;
    double calls = 0;
    for (const TrafficTable& rank : byRank) {
        const double divisor = rank.rankSteps * static_cast<double>(byRank.size());
        active += nsToMs(entry(rank).activeNs) / divisor;
        kernels += nsToMs(entry(rank).kernelNs) / divisor;
        calls += static_cast<double>(entry(rank).calls) / divisor;
    }
    return {{"time_ms", active}, {"kernel_time_ms", kernels}, {"calls", calls}};
}

MetricResult commBreakdown(Analysis& analysis)
{
    const Selection& selection = analysis.selection();
    TrafficTable all;
    const std::vector<TrafficTable> byRank = trafficByRank(analysis, all);
    if (all.all.calls == 0)
        return whyNoCommunication(analysis, selection);
    MetricResult result = valueOf(analysis, selection, "mean of ranks");
    Value::Object byParallelismKind;
    Value::Object byType;
    Value::Object perRank;
    for (std::size_t i = 0; i < all.byParallelismKind.size(); ++i) {
        if (all.byParallelismKind[i].calls > 0)
            byParallelismKind.emplace_back(std::string(parallelismKindName(static_cast<ParallelismKind>(i))),
                                           timePerStep(byRank, [i](const TrafficTable& t) -> const Traffic& {
                                               return t.byParallelismKind[i];
                                           }));
    }
    for (std::size_t i = 0; i < all.byType.size(); ++i) {
        if (all.byType[i].calls > 0)
            byType.emplace_back(
                std::string(kernelClassName(static_cast<KernelClass>(i))),
                timePerStep(byRank, [i](const TrafficTable& t) -> const Traffic& { return t.byType[i]; }));
    }
    for (std::size_t rank = 0; rank < byRank.size(); ++rank) {
        Value::Object own;
        for (std::size_t i = 0; i < byRank[rank].byParallelismKind.size(); ++i) {
            if (byRank[rank].byParallelismKind[i].calls > 0)
                own.emplace_back(std::string(parallelismKindName(static_cast<ParallelismKind>(i))) + "_ms",
                                 nsToMs(byRank[rank].byParallelismKind[i].activeNs) / byRank[rank].rankSteps);
        }
        result.rows.push_back({analysis.calls()[rank].rank, std::nullopt,
                               nsToMs(byRank[rank].all.activeNs) / byRank[rank].rankSteps});
        perRank.emplace_back(std::to_string(analysis.calls()[rank].rank), std::move(own));
    }
    result.details
        = {{"total", timePerStep(byRank, [](const TrafficTable& t) -> const Traffic& { return t.all; })},
           {"by_purpose", std::move(byParallelismKind)},
           {"by_type", std::move(byType)},
           {"mode", rulesOf(all)},
           {"per_rank", std::move(perRank)}};
    result.inputs = {rulesSentence(all),
                     "time_ms is the union of a rank's calls of one kind, kernel_time_ms the sum of their "
                     "durations; different kinds may run at the same time. Rows: time of all communication."};
    addCallEvidence(analysis, result, [](const Call&) { return true; });
    return result;
}

} // namespace

const MetricDescriptor trafficDistributionMetric{
    .id = "traffic_distribution",
    .title = "Largest traffic share",
    .group = "Traffic",
    .unit = "%",
    .needs = "a Kineto timeline with message sizes",
    .meaning = "Share of the communicated bytes that belongs to the parallelism with the most traffic.",
    .definition
    = "100 \u00d7 largest sum of S by purpose / sum of S, over the calls that start in the window, pooled "
      "over "
      "ranks; S = message size. Purpose of a call (dp, tp, pp, ep, cp, global): from the description of its "
      "process group, else its ranks in the device mesh, else an annotation around its launch, else the only "
      "parallel dimension, else the collective type",
    .ranks = &Analysis::selection,
    .compute = trafficDistribution,
};

const MetricDescriptor trafficWindowCommMetric{
    .id = "traffic_window_comm",
    .title = "Communication kernel time per step",
    .group = "Traffic",
    .unit = "s",
    .direction = MetricDirection::LowerIsBetter,
    .needs = "a timeline (Kineto or nsys)",
    .meaning
    = "Summed time of communication kernels per step and GPU, split by tensor, data, pipeline and other "
      "parallelism.",
    .definition
    = "sum of the durations of the communication kernels that start in the window / number of steps, mean of "
      "ranks; split by purpose as in traffic_distribution",
    .ranks = &Analysis::selection,
    .compute = trafficWindowComm,
};

const MetricDescriptor commBreakdownMetric{
    .id = "comm_breakdown",
    .title = "Communication breakdown by purpose",
    .group = "Traffic",
    .unit = "ms",
    .needs = "a timeline (Kineto or nsys)",
    .meaning = "Communication time per step by parallelism and by collective type, as a table.",
    .definition
    = "per rank the union of the calls of one purpose (or type) that start in the window / number of steps, "
      "mean of ranks",
    .ranks = &Analysis::selection,
    .compute = commBreakdown,
};

} // namespace collscope
