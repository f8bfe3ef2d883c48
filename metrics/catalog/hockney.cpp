// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Latency and bandwidth of AllReduce in Hockney's model, fitted to the matched calls.

#include "metrics/analysis/transfers.h"
#include "metrics/catalog/catalog.h"

namespace collscope {

namespace {

MetricResult fitted(Analysis& analysis, std::optional<double> (*figure)(const HockneyFit&),
                    std::string_view whyNoFigure)
{
    const Selection& selection = analysis.communicating();
    const Transfers& transfers = transfersOf(analysis, KernelClass::AllReduce);
    if (transfers.all.empty())
        return noValue(selection, MetricState::NotApplicable,
                       whyNone(analysis, KernelClass::AllReduce, transfers));
    const HockneyFit fit = fitHockney(transfers.all);
    if (!fit.exists())
        return noValue(
            selection, MetricState::NotApplicable,
            "The fit needs at least 5 matched AllReduce calls with at least 2 different sizes; the window ("
                + selection.window + ") has " + std::to_string(fit.points) + " of "
                + std::to_string(fit.sizes) + " size" + (fit.sizes == 1 ? "" : "s") + ".");
    MetricResult result = valueOf(analysis, selection, "one fit over matched calls");
    result.details = {{"alpha_s", fit.alphaSeconds},
                      {"beta_s_per_byte", fit.betaSecondsPerByte},
                      {"r_squared", fit.rSquared},
                      {"points", fit.points},
                      {"sizes", fit.sizes}};
    result.inputs = {"Least squares of t / (2(n-1)) against S / n over " + std::to_string(fit.points)
                     + " AllReduce calls of " + std::to_string(fit.sizes) + " sizes, matched "
                     + analysis.matching().rule + "; R\u00b2 = " + numberText(fit.rSquared) + "."};
    if (transfers.waiting > 0)
        result.warnings.push_back(std::to_string(transfers.waiting)
                                  + " of the calls have no data from some ranks of their group: their "
                                    "durations may include waiting for those ranks.");
    if (fit.alphaSeconds < 0 || fit.betaSecondsPerByte <= 0)
        result.warnings.emplace_back(
            "A latency below 0, or a time that does not grow with the message size, is impossible: the calls "
            "do not follow the model (waiting, overlap, or different algorithms for different sizes).");
    const std::vector<std::string> matching = analysis.matchingWarnings();
    result.warnings.insert(result.warnings.end(), matching.begin(), matching.end());
    result.value = figure(fit);
    if (!result.value) {
        MetricResult none = noValue(selection, MetricState::NotApplicable, std::string(whyNoFigure));
        none.details = result.details;
        return none;
    }
    if (analysis.options().wantEvidence) {
        for (const Transfer& transfer : transfers.all) {
            result.evidenceRanges.push_back(transfer.call->range);
            for (const CallRef member : analysis.matching().membersOf(*transfer.instance))
                result.evidence.push_back(analysis.calls()[member.rank].calls[member.call].slice);
        }
    }
    return result;
}

MetricResult alpha(Analysis& analysis)
{
    return fitted(
        analysis, [](const HockneyFit& fit) { return std::optional(fit.alphaSeconds); }, "");
}

MetricResult beta(Analysis& analysis)
{
    return fitted(
        analysis, [](const HockneyFit& fit) { return std::optional(fit.betaSecondsPerByte); }, "");
}

MetricResult inverseBeta(Analysis& analysis)
{
    return fitted(
        analysis,
        [](const HockneyFit& fit) {
            return fit.betaSecondsPerByte > 0 ? std::optional(1.0 / fit.betaSecondsPerByte) : std::nullopt;
        },
        "The fitted time does not grow with the message size, so no bandwidth can be derived: the calls do "
        "not follow the model (waiting, overlap, or different algorithms for different sizes).");
}

/// The three figures together; no single number.
MetricResult hockneyModel(Analysis& analysis)
{
    MetricResult result = alpha(analysis);
    result.value.reset();
    const MetricResult bandwidth = inverseBeta(analysis);
    result.details.emplace_back("inverse_beta_bps", orNull(bandwidth.value));
    return result;
}

constexpr std::string_view needsSizesForFit
    = "a Kineto trace with message sizes for its collectives, and at least 5 AllReduce calls of 2 sizes";

} // namespace

constexpr MetricPart hockneyParts[] = {
    {.id = "hockney_alpha_s",
     .title = "AllReduce latency per hop",
     .meaning = "Time per hop of an AllReduce, independent of the message size.",
     .definition = "intercept of the least-squares line of t / (2(n-1)) against S / n over the matched "
                   "AllReduce calls; t = "
                   "shortest duration over the ranks, n = ranks of the process group, S = bytes",
     .compute = alpha},
    {.id = "hockney_beta_s_per_byte",
     .title = "AllReduce time per byte",
     .unit = "s/B",
     .meaning = "Additional time per hop for each further byte of an AllReduce.",
     .definition
     = "slope of the least-squares line of t / (2(n-1)) against S / n over the matched AllReduce calls",
     .compute = beta},
    {.id = "hockney_inverse_beta_bps",
     .title = "AllReduce asymptotic bandwidth",
     .unit = "B/s",
     .direction = MetricDirection::HigherIsBetter,
     .meaning = "Bandwidth that AllReduce approaches for large messages, from the fitted line.",
     .definition
     = "1 / beta, where beta is the slope of the least-squares line of t / (2(n-1)) against S / n over the "
       "matched AllReduce calls",
     .compute = inverseBeta},
};

const MetricDescriptor hockneyMetric{
    .id = "hockney_model",
    .title = "AllReduce latency and bandwidth (Hockney)",
    .group = "Communication",
    .unit = "s",
    .direction = MetricDirection::LowerIsBetter,
    .needs = needsSizesForFit,
    .meaning
    = "Time of an AllReduce as a line over its size: latency per hop, time per byte, asymptotic bandwidth.",
    .definition
    = "least-squares line of t / (2(n-1)) against S / n over the matched AllReduce calls; no single "
      "number; t = shortest duration over the ranks, n = ranks of the process group, S = bytes",
    .parts = hockneyParts,
    .ranks = &Analysis::communicating,
    .compute = hockneyModel,
};

} // namespace collscope
