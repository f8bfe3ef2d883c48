// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/batch_run.h"

#include "app/batch_io.h"
#include "app/byte_progress.h"
#include "app/memory_policy.h"
#include "app/protected_files.h"
#include "app/resources.h"
#include "app/thread_pool.h"
#include "metrics/analysis/analysis.h"
#include "metrics/core/value.h"
#include "model/readers/run/reduced_run.h"

#include <QStandardPaths>
#include <QString>

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>

namespace collscope {

namespace {

std::stop_source& interrupts()
{
    // Never destroyed, because a signal may still arrive while the program ends.
    static std::stop_source* const source = new std::stop_source();
    return *source;
}

extern "C" void onInterrupt(int)
{
    // Nothing registers a callback, so this takes no lock: it sets a bit in a lock-free atomic.
    interrupts().request_stop();
}

/// A progress line on a terminal, written when the percentage changes; nothing if stderr is not a terminal.
class ProgressLine
{
public:
    explicit ProgressLine(const LoadPlan& plan)
        : m_isShown(::isatty(STDERR_FILENO) != 0)
        , m_progress(plan, [this](int percent, std::size_t) { show(percent); })
    { }

    void set(std::size_t file, std::uint64_t done)
    {
        if (m_isShown)
            m_progress.set(file, done);
    }
    void finish() const
    {
        if (m_percent >= 0)
            std::fputs("\r\033[K", stderr);
    }

private:
    void show(int percent)
    {
        if (percent == m_percent)
            return;
        m_percent = percent;
        std::fprintf(stderr, "\rLoading %d %%", percent);
    }

    bool m_isShown;
    int m_percent = -1;
    ByteProgress m_progress;
};

void printProblems(const Diagnostics& problems, bool all)
{
    for (const Diagnostic& d : problems.entries()) {
        if (d.severity == Severity::Info && !all)
            continue;
        std::string line = std::string(severityName(d.severity)) + ": ";
        if (!d.file.empty())
            line += d.file + (d.firstOffset > 0 ? " at byte " + std::to_string(d.firstOffset) : "") + ": ";
        line += d.explanation + " [" + d.code;
        if (d.count > 1)
            line += ", " + std::to_string(d.count) + " times";
        if (d.excludedEvents > 0)
            line += ", " + countText(static_cast<std::int64_t>(d.excludedEvents), "event") + " excluded";
        say(line + "]");
    }
}

/// Returns the folder of the demo; empty if it is not installed.
std::string demoFolder()
{
    return resourceFolder(QStringLiteral("demo")).toStdString();
}

/// Error NotFound if the run does not consist of parts, Incomplete if parts are missing and that is not
/// allowed.
Status checkMerge(const CommandLine& command, const BatchRun& run, const LoadPlan& plan)
{
    if (run.paths.size() != 1 || !isReducedRun(run.paths.front()))
        return Error{Error::Kind::NotFound,
                     run.label
                         + " contains no parts of a reduced run: give the folder that --batch reduce wrote.",
                     run.label};
    if (command.distributed.allowMissing)
        return {};
    std::string missing;
    for (const Diagnostic& problem : plan.problems.entries()) {
        if (problem.code == missingPart)
            missing += problem.explanation + " ";
    }
    for (const PlannedFile& planned : plan.files) {
        if (planned.file.part && !planned.file.part->failure.empty())
            missing += planned.file.path + ": " + planned.file.part->failure + " ";
    }
    if (missing.empty())
        return {};
    return Error{Error::Kind::Incomplete, missing + "--allow-missing merges the available parts.", run.label};
}

/// Plans the files of a run and calls `act` on the plan, with progress on a terminal.
template<typename Answer>
Answer withPlan(const CommandLine& command, const BatchRun& run,
                Answer (*act)(const LoadPlan& plan, const LoadContext& context))
{
    if (command.demo && demoFolder().empty())
        return Error{Error::Kind::NotFound, "The demo run is not installed."};
    auto plan = planLoad(run.paths, run.load, interruptToken());
    if (!plan)
        return plan.error();
    if (command.distributed.verb == Distributed::Verb::Merge) {
        if (const Status parts = checkMerge(command, run, *plan); !parts)
            return parts.error();
    }
    protectInputs(*plan);
    ProgressLine progress(*plan);
    LoadContext context;
    context.parallel = threadPool(command.threads);
    context.stop = interruptToken();
    context.progress = [&](std::size_t file, std::uint64_t done) { progress.set(file, done); };
    context.cacheFolder = QStandardPaths::writableLocation(QStandardPaths::CacheLocation).toStdString();
    context.exportsReports = run.load.exportsReports;
    context.memory = memoryLimit(run.load.maxMemory);
    Answer answer = act(*plan, context);
    progress.finish();
    return answer;
}

} // namespace

std::vector<BatchRun> runsOf(const CommandLine& command)
{
    std::vector<std::string> paths = command.paths;
    if (command.demo)
        paths.insert(paths.begin(), demoFolder());
    const bool allFolders = std::all_of(paths.begin(), paths.end(), [](const std::string& path) {
        std::error_code error;
        return std::filesystem::is_directory(path, error);
    });
    std::vector<BatchRun> runs;
    const auto nameThem = [&] {
        for (std::size_t i = 0; i < runs.size() && i < command.names.size(); ++i) {
            if (command.names[i].empty())
                continue;
            runs[i].label = runs[i].load.given.name = command.names[i];
        }
        return std::move(runs);
    };
    LoadOptions load = command.load;
    load.asOneRun = command.outputs.mergePaths;
    if (paths.size() > 1 && allFolders && !command.outputs.mergePaths) {
        for (const std::string& path : paths) {
            const bool isRepeated = std::any_of(runs.begin(), runs.end(),
                                                [&](const BatchRun& run) { return run.label == path; });
            if (!isRepeated)
                runs.push_back({path, {path}, load});
        }
        return nameThem();
    }
    runs.push_back({paths.empty() ? std::string() : paths.front(), std::move(paths), load});
    return nameThem();
}

bool isOneRun(const std::vector<BatchRun>& runs, std::string_view what)
{
    if (runs.size() > 1)
        say(std::string(what)
            + " takes one run; several folders are several runs (--merge-paths treats them as one).");
    return runs.size() <= 1;
}

Result<std::vector<std::pair<std::int64_t, BatchRun>>> iterationsOf(const BatchRun& run)
{
    const auto plan = planLoad(run.paths, run.load, interruptToken());
    if (!plan)
        return plan.error();
    std::vector<std::pair<std::int64_t, BatchRun>> iterations;
    for (const std::int64_t number : plan->iterationsOffered) {
        if (run.load.iteration.mode == IterationChoice::Mode::One && run.load.iteration.number != number)
            continue;
        BatchRun one = run;
        one.load.iteration = {IterationChoice::Mode::One, number};
        iterations.emplace_back(number, std::move(one));
    }
    if (iterations.empty())
        iterations.emplace_back(-1, run);
    return iterations;
}

void watchInterrupts()
{
    interrupts(); // allocates, which a signal handler must not
    std::signal(SIGINT, onInterrupt);
    std::signal(SIGTERM, onInterrupt);
}

bool isInterrupted()
{
    return interrupts().stop_requested();
}

std::stop_token interruptToken()
{
    return interrupts().get_token();
}

Result<TraceModelPtr> loadRun(const CommandLine& command, const BatchRun& run)
{
    auto model = withPlan(command, run, loadTrace);
    if (!model)
        return model;
    printProblems((*model)->problems, command.verbose);
    if (command.metricOptions.linkedOnly && (*model)->isReduced())
        return Error{Error::Kind::Incomplete,
                     "--linked-only needs launch links, which this reduced run does not contain: plan it "
                     "with --keep all.",
                     run.label};
    const auto& problems = (*model)->problems.entries();
    const auto unread = std::find_if(problems.begin(), problems.end(), [](const Diagnostic& problem) {
        return problem.code == "unreadable" || problem.code == "memory_limit";
    });
    if (command.distributed.verb == Distributed::Verb::Merge && !command.distributed.allowMissing
        && unread != problems.end())
        return Error{Error::Kind::Incomplete,
                     unread->explanation + " --allow-missing merges the available parts.", run.label};
    return model;
}

Result<Examination> examineRun(const CommandLine& command, const BatchRun& run)
{
    BatchRun wholly = run; // all iterations
    wholly.load.iteration.mode = IterationChoice::Mode::All;
    Result<Examination> examination = withPlan(command, wholly, examine);
    if (!examination || !examination->isReadable())
        return examination;
    // Adds findings that no single file shows; several runs have already been reported.
    const auto model = withPlan(command, run, loadTrace);
    if (model)
        addRunFindings(*examination, **model, command.verbose);
    else if (model.error().kind == Error::Kind::Cancelled)
        return model.error();
    else if (model.error().kind != Error::Kind::Unsupported && model.error().kind != Error::Kind::NotFound)
        examination->findings.push_back(
            {Severity::Notice, "run_not_examined", "", 0, 1, 0,
             "It is unknown whether the files belong together: " + model.error().message});
    return examination;
}

MetricOptions metricOptions(const CommandLine& command, std::shared_ptr<const HardwareDatabase> hardware)
{
    MetricOptions options = command.metricOptions;
    options.cancelled = isInterrupted;
    options.wantReferences = command.explain;
    options.hardware = std::move(hardware);
    return options;
}

std::vector<MetricRequest> requestsOf(const CommandLine& command)
{
    return command.requests.empty() ? command.catalog.all() : command.requests;
}

std::vector<NamedResult> evaluateAll(std::vector<MetricRequest> requests, const TraceModel& model,
                                     const MetricOptions& options)
{
    Analysis analysis(model, options);
    std::vector<NamedResult> results;
    for (MetricRequest& request : requests) {
        MetricResult result = evaluate(analysis, request);
        results.push_back({std::move(request), std::move(result)});
    }
    return results;
}

} // namespace collscope
