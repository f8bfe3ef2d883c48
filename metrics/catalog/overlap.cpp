// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/rank_windows.h"

namespace collscope {

namespace {

/// Sums over the windows of one rank, in ns.
struct OverlapSums
{
    std::int64_t communication = 0;
    std::int64_t compute = 0;
    std::int64_t both = 0;
    std::size_t kernels = 0; ///< communication kernels that were counted
};

OverlapSums sumOver(const TraceModel& model, const RankWindows& windows, const MetricOptions& options,
                    MetricResult& result)
{
    OverlapSums sums;
    std::vector<SliceRef> counted;
    for (const RankWindows::Part& part : windows.parts) {
        for (const Step& step : part.steps) {
            if (options.cancelled())
                return sums;
            const IntervalSet c
                = kernelUnion(model, *part.timeline, step.range, WorkFilter::Communication, &counted);
            const IntervalSet q
                = kernelUnion(model, *part.timeline, step.range, WorkFilter::Compute, nullptr);
            sums.communication += c.lengthNs();
            sums.compute += q.lengthNs();
            sums.both += c.intersected(q).lengthNs();
            if (options.wantEvidence)
                result.evidenceRanges.push_back(step.range);
        }
    }
    sums.kernels = counted.size();
    if (options.wantEvidence)
        result.evidence.insert(result.evidence.end(), counted.begin(), counted.end());
    return sums;
}

double percent(std::int64_t part, std::int64_t whole)
{
    return whole > 0 ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0.0;
}

MetricResult compute(const TraceModel& model, const MetricOptions& options)
{
    const Selection selection = selectRanks(model, options);
    if (selection.failure)
        return *selection.failure;
    MetricResult result;
    result.scope = selection.scope;
    result.window = selection.window;
    result.source = selection.source;
    result.warnings = selection.warnings;
    result.reduction = options.rank ? "one rank" : "mean of ranks";

    OverlapSums all;
    std::vector<double> perRank;
    std::vector<double> ofCompute;
    Value::Object rankDetails;
    for (const RankWindows& windows : selection.ranks) {
        const OverlapSums sums = sumOver(model, windows, options, result);
        all.communication += sums.communication;
        all.compute += sums.compute;
        all.both += sums.both;
        all.kernels += sums.kernels;
        if (sums.communication == 0)
            continue; // a rank without communication has nothing to hide; it does not count as 0
        perRank.push_back(percent(sums.both, sums.communication));
        ofCompute.push_back(percent(sums.both, sums.compute));
        result.rows.push_back({windows.rank, std::nullopt, perRank.back()});
        rankDetails.emplace_back(std::to_string(windows.rank),
                                 Value::Object{{"overlap_percent", perRank.back()},
                                               {"communication_ms", nsToMs(sums.communication)},
                                               {"compute_ms", nsToMs(sums.compute)},
                                               {"overlapped_ms", nsToMs(sums.both)},
                                               {"exposed_ms", nsToMs(sums.communication - sums.both)}});
    }
    if (perRank.empty()) {
        MetricResult none
            = MetricResult::notApplicable("No communication kernel ran in the window (" + selection.window
                                          + "): there is nothing to overlap.");
        none.scope = selection.scope;
        none.window = selection.window;
        none.source = selection.source;
        none.warnings = selection.warnings;
        return none;
    }
    result.state = MetricState::Value;
    result.value = meanOf(perRank);
    result.details = {{"pooled_percent", percent(all.both, all.communication)},
                      {"of_compute", meanOf(ofCompute)},
                      {"communication_ms", nsToMs(all.communication)},
                      {"compute_ms", nsToMs(all.compute)},
                      {"overlapped_ms", nsToMs(all.both)},
                      {"exposed_ms", nsToMs(all.communication - all.both)},
                      {"per_rank", std::move(rankDetails)}};
    const auto ms = [](std::int64_t ns) { return numberText(nsToMs(ns)) + " ms"; };
    result.inputs = {"|C| communication " + ms(all.communication) + ", |Q| compute " + ms(all.compute)
                         + ", |C\u2229Q| " + ms(all.both) + " (sums over ranks and steps of unions)",
                     std::to_string(all.kernels) + " communication kernels counted, clipped to the steps"};
    return result;
}

constexpr MetricAlias aliases[] = {{"compute_comm_overlap"},
                                   {"communication_overlap_ratio", "ratio", 0.01},
                                   {"comm_comp_overlap_16", "ratio", 0.01},
                                   {"overlap"}};

} // namespace

extern const MetricDescriptor commCompOverlapMetric;
const MetricDescriptor commCompOverlapMetric{
    "comm_comp_overlap",
    "Communication hidden",
    "Communication",
    "%",
    MetricDirection::HigherIsBetter,
    "a timeline (Kineto or nsys)",
    "Share of communication time during which the same GPU computes.",
    "100 \u00d7 |C \u2229 Q| / |C|: C = union of communication kernels, Q = union of compute kernels, per "
    "rank over the steps, "
    "then mean of ranks",
    aliases,
    compute};

} // namespace collscope
