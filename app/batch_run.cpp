// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/batch_run.h"

#include "app/batch_io.h"
#include "app/parallel.h"
#include "app/resources.h"
#include "metrics/analysis.h"

#include <QStandardPaths>
#include <QString>

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <mutex>

namespace collscope {

namespace {

std::atomic<bool> interrupted = false;

extern "C" void onInterrupt(int)
{
    interrupted = true;
}

/// A line of progress on a terminal, at most twenty a second; nothing elsewhere.
class Progress
{
public:
    explicit Progress(const LoadPlan& plan)
        : m_done(plan.files.size(), 0)
        , m_shown(::isatty(STDERR_FILENO) != 0)
    {
        for (const PlannedFile& planned : plan.files)
            m_total += planned.file.bytes;
    }

    void set(std::size_t file, std::uint64_t done)
    {
        if (!m_shown || m_total == 0)
            return;
        const std::lock_guard lock(m_mutex);
        m_sum += done - m_done[file];
        m_done[file] = done;
        const auto percent
            = static_cast<int>(100.0 * static_cast<double>(m_sum) / static_cast<double>(m_total));
        if (percent != m_percent) {
            m_percent = percent;
            std::fprintf(stderr, "\rLoading %d %%", percent);
        }
    }

    void finish() const
    {
        if (m_percent >= 0)
            std::fputs("\r\033[K", stderr);
    }

private:
    std::mutex m_mutex;
    std::vector<std::uint64_t> m_done;
    std::uint64_t m_sum = 0;
    std::uint64_t m_total = 0;
    int m_percent = -1;
    bool m_shown;
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
            line += ", " + std::to_string(d.excludedEvents) + " events left out";
        say(line + "]");
    }
}

/// Where the demo is; empty if it is not installed.
std::string demoFolder()
{
    return resourceFolder(QStringLiteral("demo")).toStdString();
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
    if (paths.size() > 1 && allFolders && !command.outputs.mergePaths) {
        for (const std::string& path : paths) {
            const bool isRepeated = std::any_of(runs.begin(), runs.end(),
                                                [&](const BatchRun& run) { return run.label == path; });
            if (!isRepeated)
                runs.push_back({path, {path}, command.load});
        }
        return runs;
    }
    runs.push_back({paths.empty() ? std::string() : paths.front(), std::move(paths), command.load});
    return runs;
}

Result<std::vector<std::pair<std::int64_t, BatchRun>>> iterationsOf(const BatchRun& run)
{
    const auto plan = planLoad(run.paths, run.load);
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
    std::signal(SIGINT, onInterrupt);
    std::signal(SIGTERM, onInterrupt);
}

bool isInterrupted()
{
    return interrupted.load();
}

Result<TraceModelPtr> loadRun(const CommandLine& command, const BatchRun& run)
{
    if (command.demo && demoFolder().empty())
        return Error{Error::Kind::NotFound, "The demo run is not installed."};
    auto plan = planLoad(run.paths, run.load);
    if (!plan)
        return plan.error();
    Progress progress(*plan);
    LoadContext context;
    context.parallel = threadPool(command.threads);
    context.cancelled = isInterrupted;
    context.progress = [&](std::size_t file, std::uint64_t done) { progress.set(file, done); };
    context.cacheFolder = QStandardPaths::writableLocation(QStandardPaths::CacheLocation).toStdString();
    auto model = loadTrace(*plan, context);
    progress.finish();
    if (model)
        printProblems((*model)->problems, command.verbose);
    return model;
}

MetricOptions metricOptions(const CommandLine& command, std::shared_ptr<const Knowledge> knowledge)
{
    MetricOptions options = command.metricOptions;
    options.cancelled = isInterrupted;
    options.wantReferences = command.explain;
    options.knowledge = std::move(knowledge);
    return options;
}

std::vector<MetricRequest> requestsOf(const CommandLine& command)
{
    std::vector<MetricRequest> requests = command.requests;
    if (requests.empty()) {
        for (const MetricDescriptor* metric : allMetrics())
            requests.push_back(*findMetric(metric->id));
    }
    return requests;
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
