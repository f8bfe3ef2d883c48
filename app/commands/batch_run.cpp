// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/commands/batch_run.h"

#include "app/cli/command_interrupts.h"
#include "app/files/batch_io.h"
#include "app/files/definition_files.h"
#include "app/files/hardware_files.h"
#include "app/files/protected_files.h"
#include "app/files/resources.h"
#include "app/files/user_folders.h"
#include "app/remote/remote_run.h"
#include "app/runtime/byte_progress.h"
#include "app/runtime/memory_policy.h"
#include "app/runtime/thread_pool.h"
#include "metrics/analysis/analysis.h"
#include "metrics/core/value.h"
#include "model/readers/run/delivered_parts.h"
#include "model/readers/run/reduced_run.h"
#include "model/text/needs_events.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace collscope {

namespace {

/// A progress line on a terminal, written when the percentage changes; nothing if stderr is not a terminal.
class ProgressLine
{
public:
    explicit ProgressLine(const LoadPlan& plan)
        : m_isShown(::isatty(STDERR_FILENO) != 0)
        , m_progress(plan, [this](const ByteProgress::State& state) { show(state.percent()); })
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

/// Returns the folder of the demo; empty if it is not installed.
std::string demoFolder()
{
    return resourceFolder("demo");
}

/// Error NotFound if the run does not consist of parts, Incomplete if parts are missing and that is not
/// allowed.
Status checkParts(const BatchInput& input, const BatchRun& run, const LoadPlan& plan)
{
    if (run.paths.size() != 1 || !isReducedRun(run.paths.front()))
        return Error{Error::Kind::NotFound,
                     run.label
                         + " contains no parts of a reduced run: give the folder that --batch reduce wrote.",
                     run.label};
    if (input.allowMissing)
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

/// Reports a list of runs, one per line. The names in it are printable; other errors may contain a path with
/// line breaks.
void sayLines(const std::string& text)
{
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        say(text.substr(begin, end - begin));
        begin = end + 1;
    }
}

/// Plans the files of a run and calls `act` on the plan, with progress on a terminal.
template<typename Answer>
Answer withPlan(const BatchInput& input, const BatchRun& run,
                Answer (*act)(const LoadPlan& plan, const LoadContext& context))
{
    if (input.demo && demoFolder().empty())
        return Error{Error::Kind::NotFound, "The demo run is not installed."};
    auto plan = planLoad(run.paths, run.load, interruptToken());
    if (!plan)
        return plan.error();
    if (input.isParts) {
        if (const Status parts = checkParts(input, run, *plan); !parts)
            return parts.error();
    }
    protectInputs(*plan);
    ProgressLine progress(*plan);
    LoadContext context = loadContext(run.load, input.threads);
    context.progress = [&](std::size_t file, std::uint64_t done) { progress.set(file, done); };
    Answer answer = act(*plan, context);
    progress.finish();
    return answer;
}

} // namespace

LoadContext loadContext(const LoadOptions& load, int threads)
{
    LoadContext context;
    context.parallel = threadPool(threads);
    context.stop = interruptToken();
    context.cacheFolder = userCacheFolder();
    context.exportsReports = load.exportsReports;
    context.memory = memoryLimit(load.maxMemory);
    return context;
}

Status RunCommand::check()
{
    if (Status checked = input.check(); !checked)
        return checked;
    if (needsRun() && input.paths.empty() && !input.demo)
        return usageError("Give a run directory or trace files, or --demo.");
    return {};
}

int RunCommand::prepare()
{
    if (std::none_of(input.paths.begin(), input.paths.end(), isRemote))
        return Done;
    watchInterrupts();
    const bool isTerminal = ::isatty(STDERR_FILENO) != 0;
    RemoteRequest request;
    request.load = input.load;
    request.memory = memoryLimit(input.load.maxMemory).left();
    request.cacheFolder = userCacheFolder();
    request.stop = interruptToken();
    request.progress = [&](std::size_t arrived, std::size_t all) {
        if (isTerminal)
            std::fprintf(
                stderr, "\r\033[KReading on the other machine%s",
                all > 0 ? (": " + std::to_string(arrived) + " of " + std::to_string(all) + " parts").c_str()
                        : "");
    };
    const Status fetched = fetchRemoteRuns(input.paths, request, input.load);
    if (isTerminal)
        std::fputs("\r\033[K", stderr);
    return fetched ? Done : sayNotLoaded(fetched.error());
}

std::size_t RunCommand::runCount() const
{
    return std::max<std::size_t>(runsOf(input).size(), 1);
}

int RunCommand::execute() const
{
    if (needsRun() && input.names.size() > runCount()) {
        say("There are more --name options than runs.");
        return WrongUsage;
    }
    return executeOnRuns();
}

void MeasuringCommand::declare()
{
    RunCommand::declare();
    selection.declare(options);
}

Status MeasuringCommand::check()
{
    if (Status checked = selection.check(); !checked)
        return checked;
    return RunCommand::check();
}

Status MeasuringCommand::readCatalog()
{
    auto read = loadMetricCatalog(input.definitionFiles);
    if (!read)
        return usageError(read.error().message);
    catalog = std::move(*read);
    return {};
}

int MeasuringCommand::executeOnRuns() const
{
    const auto hardware = loadHardwareDatabase(selection.hardwareFile);
    if (hardware)
        return measure(*hardware);
    say(hardware.error().message);
    return WrongUsage;
}

std::vector<BatchRun> runsOf(const BatchInput& input)
{
    std::vector<std::string> paths = input.paths;
    if (input.demo)
        paths.insert(paths.begin(), demoFolder());
    const bool allFolders = std::all_of(paths.begin(), paths.end(), [&](const std::string& path) {
        std::error_code error;
        return input.load.copies.contains(path) || std::filesystem::is_directory(path, error);
    });
    std::vector<BatchRun> runs;
    const auto nameThem = [&] {
        for (std::size_t i = 0; i < runs.size() && i < input.names.size(); ++i) {
            if (input.names[i].empty())
                continue;
            runs[i].label = runs[i].load.given.name = input.names[i];
        }
        return std::move(runs);
    };
    if (paths.size() > 1 && allFolders && !input.load.asOneRun) {
        for (const std::string& path : paths) {
            const bool isRepeated = std::any_of(runs.begin(), runs.end(),
                                                [&](const BatchRun& run) { return run.label == path; });
            if (!isRepeated)
                runs.push_back({path, {path}, input.load});
        }
        return nameThem();
    }
    runs.push_back({paths.empty() ? std::string() : paths.front(), std::move(paths), input.load});
    return nameThem();
}

void sayProblems(const Diagnostics& problems, bool all)
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

int sayNotLoaded(const Error& error)
{
    if (error.kind == Error::Kind::Unsupported)
        sayLines(error.message);
    else
        say(error.message);
    return error.kind == Error::Kind::Cancelled  ? Cancelled
        : error.kind == Error::Kind::Incomplete  ? NotAvailable
        : error.kind == Error::Kind::Unsupported ? WrongUsage
        : error.kind == Error::Kind::Usage       ? WrongUsage
                                                 : NothingReadable;
}

Result<TraceModelPtr> loadRun(const MeasuringCommand& command, const BatchRun& run, RunContents reads)
{
    auto model = loadRun(command.input, run, reads);
    if (model && command.selection.options.linkedOnly && (*model)->isReduced())
        return Error{Error::Kind::Incomplete,
                     "--linked-only needs launch links, which this reduced run does not contain: plan it "
                     "with --keep all.",
                     run.label};
    return model;
}

Result<TraceModelPtr> loadRun(const BatchInput& input, const BatchRun& run, RunContents reads)
{
    auto model = input.source ? input.source(run.paths, run.load) : withPlan(input, run, loadTrace);
    if (!model)
        return model;
    sayProblems((*model)->problems, input.verbose);
    if (reads == RunContents::Events && (*model)->isSummarized())
        return Error{Error::Kind::Incomplete, needsEventsText(), run.label};
    const auto& problems = (*model)->problems.entries();
    const auto unread = std::find_if(problems.begin(), problems.end(), [](const Diagnostic& problem) {
        return problem.code == "unreadable" || problem.code == "memory_limit";
    });
    if (input.isParts && !input.allowMissing && unread != problems.end())
        return Error{Error::Kind::Incomplete,
                     unread->explanation + " --allow-missing merges the available parts.", run.label};
    return model;
}

Result<Examination> examineRun(const BatchInput& input, const BatchRun& run)
{
    BatchRun wholly = run; // all iterations
    wholly.load.iteration.mode = IterationChoice::Mode::All;
    Result<Examination> examination = withPlan(input, wholly, examine);
    if (!examination || !examination->isReadable())
        return examination;
    // Adds findings that no single file shows; several runs have already been reported.
    const auto model = withPlan(input, run, loadTrace);
    if (model)
        addRunFindings(*examination, **model, input.verbose);
    else if (model.error().kind == Error::Kind::Cancelled)
        return model.error();
    else if (model.error().kind != Error::Kind::Unsupported && model.error().kind != Error::Kind::NotFound)
        examination->findings.push_back(
            {Severity::Notice, "run_not_examined", "", 0, 1, 0,
             "It is unknown whether the files belong together: " + model.error().message});
    return examination;
}

namespace {

/// By request: the metrics that fold the calls of all ranks. A fold takes more memory than anything else, so
/// it comes before the tables of the other metrics are there, and is gone when they are made.
std::vector<std::optional<MetricResult>> evaluateFolded(const std::vector<MetricRequest>& requests,
                                                        const TraceModel& model, const MetricOptions& options)
{
    std::vector<std::optional<MetricResult>> results(requests.size());
    if (!model.isSummarized())
        return results;
    Analysis analysis(model, options);
    for (std::size_t i = 0; i < requests.size(); ++i) {
        if (!requests[i].user && requests[i].metric->foldsCalls)
            results[i] = evaluate(analysis, requests[i]);
    }
    return results;
}

} // namespace

MetricOptions metricOptions(const MetricSelection& selection, HardwareDatabasePtr hardware)
{
    MetricOptions options = selection.options;
    options.cancelled = isInterrupted;
    options.hardware = std::move(hardware);
    return options;
}

std::vector<NamedResult> evaluateAll(std::vector<MetricRequest> requests, const TraceModel& model,
                                     const MetricOptions& options,
                                     const std::function<void(NamedResult& named)>& onResult)
{
    std::vector<std::optional<MetricResult>> folded = evaluateFolded(requests, model, options);
    Analysis analysis(model, options);
    std::vector<NamedResult> results;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        MetricResult result = folded[i] ? std::move(*folded[i]) : evaluate(analysis, requests[i]);
        results.push_back({std::move(requests[i]), std::move(result)});
        if (onResult)
            onResult(results.back());
    }
    return results;
}

} // namespace collscope
