// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Values logged by the training program: loss and gradient norm, and its throughput and MFU as a cross-check
// of ours.

#include "metrics/catalog/catalog.h"
#include "metrics/core/statistics.h"
#include "metrics/counters/logged_run.h"

namespace collscope {

namespace {

using Member = std::optional<double> LoggedStep::*;

MetricResult noLog(Analysis& analysis)
{
    if (analysis.workload().isInference())
        return MetricResult::notApplicable("The workload card states " + analysis.workload().phase
                                           + ": the run does not train.");
    return MetricResult::missingInput(
        "No training log was found. This metric needs a *.log, *.out or *.err file with TorchTitan's lines "
        "\"step: N loss: X ...\" next to the traces.");
}

MetricResult resultOf(Analysis& analysis, const LoggedRun& run, std::string reduction)
{
    MetricResult result;
    result.state = MetricState::Value;
    result.window = "logged steps";
    result.reduction = std::move(reduction);
    result.source = "training log";
    result.scope = std::to_string(run.steps.size()) + (run.steps.size() == 1 ? " step" : " steps");
    const std::size_t logs = analysis.model().measurements.trainingLogs.size();
    result.inputs
        = {std::to_string(run.lines) + " lines of " + std::to_string(logs)
           + (logs == 1 ? " log, steps " : " logs, steps ") + std::to_string(run.steps.begin()->first)
           + " to " + std::to_string(run.steps.rbegin()->first) + "."};
    if (run.repeated > 0)
        result.warnings.emplace_back(std::to_string(run.repeated)
                                     + " steps are logged again (a restart?); the later line is used.");
    if (run.withoutLoss > 0)
        result.warnings.emplace_back(
            std::to_string(run.withoutLoss)
            + " lines state loss -1: a pipeline stage that does not compute the loss; they are used only for "
              "steps without another line, and without a loss.");
    if (run.disagreeing > 0)
        result.warnings.emplace_back(std::to_string(run.disagreeing)
                                     + " lines of other processes or files state a different loss for the "
                                       "same step; the first line is used.");
    return result;
}

Value::Object byStep(const LoggedRun& run, Member member)
{
    Value::Object object;
    for (const auto& [number, step] : run.steps) {
        if (step.*member)
            object.emplace_back(std::to_string(number), *(step.*member));
    }
    return object;
}

/// Steps whose logged loss is nan or inf.
Value::Array notFinite(const LoggedRun& run)
{
    Value::Array steps;
    for (const auto& [number, step] : run.steps) {
        if (!step.lossIsFinite)
            steps.emplace_back(number);
    }
    return steps;
}

MetricResult trainingQuality(Analysis& analysis)
{
    const LoggedRun run = loggedRun(analysis.model());
    if (run.steps.empty())
        return noLog(analysis);
    MetricResult result = resultOf(analysis, run, "per step");
    Value::Object loss = byStep(run, &LoggedStep::loss);
    Value::Object norm = byStep(run, &LoggedStep::gradientNorm);
    Value::Object rate = byStep(run, &LoggedStep::learningRate);
    Value::Object memory = byStep(run, &LoggedStep::memoryBytes);
    result.details = {{"has_loss", !loss.empty()},
                      {"has_gradient_norm", !norm.empty()},
                      {"has_lr", !rate.empty()},
                      {"loss_not_finite_steps", notFinite(run)}};
    for (const auto& [step, value] : loss)
        result.rows.push_back({std::nullopt, std::stoll(step), *value.as<double>()});
    result.details.emplace_back("loss_by_step", std::move(loss));
    result.details.emplace_back("gradient_norm_by_step", std::move(norm));
    result.details.emplace_back("lr_by_step", std::move(rate));
    result.details.emplace_back("memory_bytes_by_step", std::move(memory));
    return result;
}

/// Values of one kind per step, in order; adds rows to the result.
std::vector<double> figures(const LoggedRun& run, Member member, MetricResult& result)
{
    std::vector<double> values;
    for (const auto& [number, step] : run.steps) {
        if (!(step.*member))
            continue;
        values.push_back(*(step.*member));
        result.rows.push_back({std::nullopt, number, values.back()});
    }
    return values;
}

MetricResult trainingLoss(Analysis& analysis)
{
    const LoggedRun run = loggedRun(analysis.model());
    if (run.steps.empty())
        return noLog(analysis);
    MetricResult result = resultOf(analysis, run, "last step");
    const std::vector<double> losses = figures(run, &LoggedStep::loss, result);
    const auto& [lastNumber, last] = *run.steps.rbegin();
    if (losses.empty() || !last.loss)
        return MetricResult::notApplicable(
            "The last logged step (" + std::to_string(lastNumber) + ") has no loss: "
            + (last.lossIsFinite ? "only pipeline stages without a loss are logged."
                                 : "the logged loss is nan or inf."));
    result.value = losses.back();
    result.details = {{"last_step", lastNumber}, {"first_loss", losses.front()}};
    return result;
}

/// The median over the logged steps of a value computed by the program.
MetricResult loggedFigure(Analysis& analysis, Member member, const char* name)
{
    const LoggedRun run = loggedRun(analysis.model());
    if (run.steps.empty())
        return noLog(analysis);
    MetricResult result = resultOf(analysis, run, "median over steps");
    const std::vector<double> values = figures(run, member, result);
    if (values.empty())
        return MetricResult::missingInput(std::string("The lines of the training log do not state ") + name
                                          + ".");
    // The first steps are slow (compilation, warm-up); the median ignores them.
    result.value = medianOf(values);
    result.details = {{"mean", meanOf(values)}, {"last", values.back()}};
    return result;
}

MetricResult loggedTokensPerSecond(Analysis& analysis)
{
    MetricResult result = loggedFigure(analysis, &LoggedStep::tokensPerSecond, "tokens per second (tps)");
    const Known<std::int64_t>& world = analysis.workload().worldSize;
    if (result.value && world) {
        result.details.emplace_back("all_gpus_tokens_per_s", *result.value * static_cast<double>(*world));
        result.inputs.push_back(sentenceOf("World size", world));
        if (world.isLeast)
            result.warnings.emplace_back("The number of GPUs of the run is not stated: all GPUs together "
                                         "train on at least all_gpus_tokens_per_s.");
    }
    return result;
}

MetricResult loggedMfu(Analysis& analysis)
{
    return loggedFigure(analysis, &LoggedStep::mfuPercent, "MFU (mfu: ..%)");
}

constexpr const char* needsLog = "a training log (TorchTitan's \"step: N  loss: X ...\")";

} // namespace

constexpr MetricPart trainingQualityParts[] = {
    {.id = "training_loss",
     .title = "Last logged loss",
     .unit = "loss",
     .direction = MetricDirection::LowerIsBetter,
     .meaning = "Loss of the last step logged by the training program.",
     .definition = "loss in the line with the highest step number",
     .compute = trainingLoss},
    {.id = "logged_tokens_per_sec",
     .title = "Logged tokens/s per GPU",
     .unit = "tokens/s",
     .direction = MetricDirection::HigherIsBetter,
     .meaning = "Tokens per second and GPU as logged by the training program: a cross-check.",
     .definition
     = "median over the logged steps of tps (wps in older versions), which TorchTitan gives per device",
     .compute = loggedTokensPerSecond},
    {.id = "logged_mfu",
     .title = "Logged MFU",
     .unit = "%",
     .direction = MetricDirection::HigherIsBetter,
     .meaning = "Model FLOPs utilization as logged by the training program: a cross-check.",
     .definition
     = "median over the logged steps of mfu, which is based on the program's peak FLOP/s and FLOP count",
     .compute = loggedMfu},
};

const MetricDescriptor trainingQualityMetric{
    .id = "training_quality",
    .title = "Training quality",
    .group = "Model",
    .unit = "per step",
    .needs = needsLog,
    .meaning = "Loss, gradient norm and learning rate of every step logged by the training program.",
    .definition
    = "the values as logged, one per step; with several processes, those of the first process that logs the "
      "loss",
    .parts = trainingQualityParts,
    .compute = trainingQuality,
    .fromSummaries = true,
};

} // namespace collscope
