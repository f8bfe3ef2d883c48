// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How evenly the gate of a mixture-of-experts model distributes tokens over experts.

#include "metrics/catalog/catalog.h"
#include "metrics/core/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace collscope {

namespace {

using Loads = std::vector<double>; ///< tokens by expert; counts, exact in a double

double sumOf(const Loads& loads)
{
    return std::accumulate(loads.begin(), loads.end(), 0.0);
}

/// max / mean: 1 = all experts get the same number; nullopt if no token was sent.
std::optional<double> imbalance(const Loads& loads)
{
    const double mean = sumOf(loads) / static_cast<double>(loads.size());
    return mean > 0 ? std::optional(*std::max_element(loads.begin(), loads.end()) / mean) : std::nullopt;
}

double entropyBits(const Loads& loads)
{
    const double total = sumOf(loads);
    double bits = 0;
    for (const double load : loads)
        bits -= load > 0 ? load / total * std::log2(load / total) : 0;
    return bits;
}

/// Population standard deviation over the experts / mean.
double variation(const Loads& loads)
{
    const double mean = sumOf(loads) / static_cast<double>(loads.size());
    double squares = 0;
    for (const double load : loads)
        squares += (load - mean) * (load - mean);
    return std::sqrt(squares / static_cast<double>(loads.size())) / mean;
}

Value::Array arrayOf(const Loads& loads, double divisor = 1.0)
{
    Value::Array array;
    for (const double load : loads)
        array.emplace_back(load / divisor);
    return array;
}

/// Degree of expert parallelism from the user, card or TOML; 1 if none states it.
std::int64_t expertParallel(const TraceModel& model)
{
    if (model.given.parallelism.ep)
        return *model.given.parallelism.ep;
    if (model.card && model.card->parallelism.ep)
        return *model.card->parallelism.ep;
    if (model.trainConfig && model.trainConfig->parallelism.ep)
        return *model.trainConfig->parallelism.ep;
    return 1;
}

/// Tokens per device: expert e is on device e / (experts / ep).
void addPerDevice(const TraceModel& model, const Loads& totals, MetricResult& result)
{
    const std::int64_t devices = expertParallel(model);
    if (devices < 2)
        return;
    const auto experts = static_cast<std::int64_t>(totals.size());
    if (experts % devices != 0) {
        result.warnings.emplace_back(std::to_string(experts) + " experts cannot be divided evenly among ep = "
                                     + std::to_string(devices)
                                     + " devices, so per-device loads are not given.");
        return;
    }
    Loads perDevice(static_cast<std::size_t>(devices), 0.0);
    for (std::size_t e = 0; e < totals.size(); ++e)
        perDevice[e / static_cast<std::size_t>(experts / devices)] += totals[e];
    result.details.emplace_back("per_device", arrayOf(perDevice));
    if (const auto uneven = imbalance(perDevice))
        result.details.emplace_back("max_over_mean_of_devices", *uneven);
    result.inputs.push_back("ep = " + std::to_string(devices) + ": " + std::to_string(experts / devices)
                            + " experts on each device, in order.");
}

/// Sum of all logs, step by step.
struct ExpertSums
{
    std::vector<Loads> steps;
    Loads totals;
};

ExpertSums sumsOf(const std::vector<GateLog>& logs)
{
    ExpertSums sums;
    sums.totals.assign(logs.front().experts, 0.0);
    for (const GateLog& log : logs) {
        sums.steps.resize(std::max(sums.steps.size(), log.tokens.size()), Loads(log.experts, 0.0));
        for (std::size_t s = 0; s < log.tokens.size(); ++s) {
            for (std::size_t e = 0; e < log.experts; ++e) {
                sums.steps[s][e] += static_cast<double>(log.tokens[s][e]);
                sums.totals[e] += static_cast<double>(log.tokens[s][e]);
            }
        }
    }
    return sums;
}

void addPerFile(const TraceModel& model, MetricResult& result)
{
    const std::vector<GateLog>& logs = model.measurements.gateLogs;
    if (logs.size() < 2)
        return;
    Value::Object perFile;
    for (const GateLog& log : logs) {
        const ExpertSums own = sumsOf({log});
        const std::string path = log.source ? model.sources[log.source.value].path : std::string();
        perFile.emplace_back(path, orNull(imbalance(own.totals)));
    }
    result.details.emplace_back("per_file", std::move(perFile));
    result.warnings.emplace_back(std::to_string(logs.size())
                                 + " gate logs are added up, assuming that expert e is the same expert in "
                                   "all files. If the files are from different layers, see per_file.");
}

MetricResult noGateLog(Analysis& analysis)
{
    if (analysis.workload().moe == std::optional(false))
        return MetricResult::notApplicable(
            "The workload card states that the model has no experts (moe: false).");
    return MetricResult::missingInput(
        "No gate log was found. This metric needs gate_logs_*.json with {\"expert_loads\": [[tokens per "
        "expert] per step]}. The split sizes of all-to-all calls, which would give tokens per device, are "
        "not read yet.");
}

MetricResult tokenToExpertAssignment(Analysis& analysis)
{
    const TraceModel& model = analysis.model();
    const std::vector<GateLog>& logs = model.measurements.gateLogs;
    if (logs.empty())
        return noGateLog(analysis);
    for (const GateLog& log : logs) {
        if (log.experts != logs.front().experts)
            return MetricResult::notApplicable(
                "The gate logs have different numbers of experts (" + std::to_string(logs.front().experts)
                + " and " + std::to_string(log.experts) + ") and cannot be added up. Open one log alone.");
    }
    const ExpertSums sums = sumsOf(logs);
    const auto value = imbalance(sums.totals);
    if (!value)
        return MetricResult::notApplicable("The gate logs contain no tokens: every load is 0.");
    MetricResult result;
    result.state = MetricState::Value;
    result.value = *value;
    result.scope = std::to_string(sums.totals.size()) + " experts";
    result.window = "all gate-log steps";
    result.reduction = "max over mean of experts";
    result.source = "gate log";
    for (std::size_t s = 0; s < sums.steps.size(); ++s) {
        if (const auto ofStep = imbalance(sums.steps[s]))
            result.rows.push_back({std::nullopt, static_cast<std::int64_t>(s), *ofStep});
    }
    const double total = sumOf(sums.totals);
    const double bits = entropyBits(sums.totals);
    const auto experts = static_cast<double>(sums.totals.size());
    const double most = *std::max_element(sums.totals.begin(), sums.totals.end());
    double leastUsed = most;
    std::int64_t idle = 0;
    for (const double load : sums.totals) {
        leastUsed = load > 0 ? std::min(leastUsed, load) : leastUsed;
        idle += load > 0 ? 0 : 1;
    }
    result.details = {{"expert_totals", arrayOf(sums.totals)},
                      {"expert_shares", arrayOf(sums.totals, total)},
                      {"entropy_bits", bits},
                      {"normalized_entropy", experts > 1 ? Value(bits / std::log2(experts)) : Value()},
                      {"cv", variation(sums.totals)},
                      {"max_over_min_nonzero", most / leastUsed},
                      {"idle_experts", idle},
                      {"experts", static_cast<std::int64_t>(sums.totals.size())},
                      {"total_tokens", static_cast<std::int64_t>(total)},
                      {"steps", static_cast<std::int64_t>(sums.steps.size())},
                      {"files", static_cast<std::int64_t>(logs.size())}};
    result.inputs
        = {"The busiest expert got " + numberText(most) + " of " + numberText(total) + " tokens; the mean of "
           + std::to_string(sums.totals.size()) + " experts is " + numberText(total / experts) + "."};
    if (analysis.options().rank)
        result.warnings.emplace_back("Gate logs cover the run, not a single rank.");
    addPerDevice(model, sums.totals, result);
    addPerFile(model, result);
    return result;
}

} // namespace

const MetricDescriptor tokenToExpertAssignmentMetric{
    .id = "token_to_expert_assignment",
    .title = "Expert load imbalance (max/mean)",
    .group = "Model",
    .unit = "ratio",
    .direction = MetricDirection::LowerIsBetter,
    .needs = "gate logs (gate_logs_*.json)",
    .meaning
    = "Load of the busiest expert relative to the average expert; 1 = all experts get the same load.",
    .definition
    = "max / mean of the tokens per expert, summed over all steps of the gate logs; idle experts count as 0",
    .compute = tokenToExpertAssignment,
};

} // namespace collscope
