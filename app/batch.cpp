// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/batch.h"

#include "app/byte_progress.h"
#include "app/knowledge.h"
#include "app/parallel.h"
#include "app/resources.h"
#include "metrics/analysis.h"
#include "metrics/export/report.h"
#include "model/readers/load_trace.h"

#include <QByteArray>
#include <QSaveFile>
#include <QStandardPaths>
#include <QString>

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>

namespace collscope {

namespace {

enum ExitCode
{
    Done = 0,
    WrongUsage = 1,
    NothingReadable = 2,
    NotAvailable = 3,
    NotWritten = 4,
    Cancelled = 5
};

std::atomic<bool> interrupted = false;

extern "C" void onInterrupt(int)
{
    interrupted = true;
}

void say(const std::string& text)
{
    std::fputs(("collscope: " + text + "\n").c_str(), stderr);
}

/// A line of progress on a terminal, written when the percentage changes; nothing elsewhere.
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
            line += ", " + std::to_string(d.excludedEvents) + " events left out";
        say(line + "]");
    }
}

bool writeFile(const std::string& path, const std::string& content)
{
    QSaveFile file(QString::fromStdString(path));
    const auto size = static_cast<qint64>(content.size());
    if (file.open(QIODevice::WriteOnly) && file.write(content.data(), size) == size && file.commit())
        return true;
    say("cannot write " + path + ": " + file.errorString().toStdString() + ".");
    return false;
}

Result<TraceModelPtr> load(const CommandLine& command)
{
    std::vector<std::string> paths = command.paths;
    if (command.demo) {
        const QString demo = resourceFolder(QStringLiteral("demo"));
        if (demo.isEmpty())
            return Error{Error::Kind::NotFound, "The demo run is not installed."};
        paths.insert(paths.begin(), demo.toStdString());
    }
    auto plan = planLoad(paths, command.load);
    if (!plan)
        return plan.error();
    ProgressLine progress(*plan);
    LoadContext context;
    context.parallel = threadPool(command.threads);
    context.cancelled = [] { return interrupted.load(); };
    context.progress = [&](std::size_t file, std::uint64_t done) { progress.set(file, done); };
    context.cacheFolder = QStandardPaths::writableLocation(QStandardPaths::CacheLocation).toStdString();
    auto model = loadTrace(*plan, context);
    progress.finish();
    return model;
}

std::vector<MetricRequest> requestsOf(const CommandLine& command)
{
    return command.requests.empty() ? command.catalog.all() : command.requests;
}

std::vector<NamedResult> evaluateAll(const CommandLine& command, const TraceModel& model,
                                     std::shared_ptr<const Knowledge> knowledge)
{
    MetricOptions options = command.metricOptions;
    options.cancelled = [] { return interrupted.load(); };
    options.wantReferences = command.explain;
    options.knowledge = std::move(knowledge);
    Analysis analysis(model, options);
    std::vector<NamedResult> results;
    for (MetricRequest& request : requestsOf(command)) {
        MetricResult result = evaluate(analysis, request);
        results.push_back({std::move(request), std::move(result)});
    }
    return results;
}

/// What --json says where nothing could be read: it is printed in every case, so that a script need not
/// guess.
std::vector<NamedResult> nothingToEvaluate(const CommandLine& command, const std::string& reason)
{
    std::vector<NamedResult> results;
    for (MetricRequest& request : requestsOf(command)) {
        MetricResult result = MetricResult::missingInput(reason);
        result.unit = request.unit;
        result.definition = request.metric->definition;
        results.push_back({std::move(request), std::move(result)});
    }
    return results;
}

/// False, with a sentence on stderr, if standard output takes no more.
bool print(const std::string& text)
{
    if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0)
        return true;
    say("cannot write to standard output.");
    return false;
}

/// Writes what was asked for; the first thing that fails decides the exit code.
int output(const CommandLine& command, const TraceModel& model, const std::vector<NamedResult>& results)
{
    if (!command.outputJsonFile.empty()
        && !writeFile(command.outputJsonFile, reportJson(model, results, command.echoed)))
        return NotWritten;
    if (!command.csvFile.empty() && command.csvFile != "-"
        && !writeFile(command.csvFile, resultsCsv(results)))
        return NotWritten;
    std::string text;
    if (command.csvFile == "-")
        text = resultsCsv(results);
    else if (command.json)
        text = resultsJson(results);
    else
        text = command.explain ? explanationText(results.front()) : resultsText(results);
    if (!print(text))
        return NotWritten;
    if (results.size() != 1)
        return Done;
    const auto& [request, result] = results.front();
    for (const std::string& warning : result.warnings)
        say("warning: " + request.name + ": " + warning);
    if (result.state == MetricState::Value)
        return Done;
    say(request.name + " is not available (" + std::string(metricStateName(result.state))
        + "): " + result.reason);
    return NotAvailable;
}

} // namespace

int runBatch(const CommandLine& command)
{
    std::signal(SIGINT, onInterrupt);
    std::signal(SIGTERM, onInterrupt);
    if (command.listMetrics)
        return print(command.json           ? metricListJson(command.catalog)
                         : command.markdown ? metricListMarkdown(command.catalog)
                                            : metricListText(command.catalog))
            ? Done
            : NotWritten;
    auto knowledge = loadKnowledge(command.hardwareFile);
    if (!knowledge) {
        say(knowledge.error().message);
        return WrongUsage;
    }
    const auto model = load(command);
    if (!model) {
        say(model.error().message);
        if (model.error().kind == Error::Kind::Cancelled)
            return Cancelled;
        if (command.json && !print(resultsJson(nothingToEvaluate(command, model.error().message))))
            return NotWritten;
        return NothingReadable;
    }
    printProblems((*model)->problems, command.verbose);
    const auto results = evaluateAll(command, **model, std::move(*knowledge));
    if (interrupted.load()) {
        say("cancelled.");
        return Cancelled;
    }
    return output(command, **model, results);
}

} // namespace collscope
