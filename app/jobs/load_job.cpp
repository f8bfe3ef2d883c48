// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/jobs/load_job.h"

#include "app/files/protected_files.h"
#include "app/files/user_folders.h"
#include "app/jobs/failed_work.h"
#include "app/jobs/load_progress.h"
#include "app/remote/remote_run.h"
#include "app/runtime/memory_policy.h"
#include "app/runtime/thread_pool.h"
#include "model/readers/nsys/nsys_rep.h"
#include "model/text/needs_events.h"

#include <QElapsedTimer>
#include <QFile>
#include <QPromise>
#include <QtConcurrent>

#include <algorithm>

namespace collscope {

namespace {

/// Returns the number of Nsight Systems reports without an export.
int reportsToExport(const LoadPlan& plan, const std::string& cacheFolder)
{
    return static_cast<int>(
        std::count_if(plan.files.begin(), plan.files.end(), [&](const PlannedFile& planned) {
            return !planned.reader && !existingExport(planned.file.path, cacheFolder);
        }));
}

/// Gets what lies on other machines. `firstPart` gets the folder in which the first part of a single run is.
template<typename Promise>
Status fetch(Promise& promise, const std::vector<std::string>& paths, LoadOptions& options,
             const std::stop_token& stop, const std::function<void(const std::string&)>& firstPart)
{
    RemoteRequest request;
    request.load = options;
    request.memory = memoryLimit(options.maxMemory).left();
    request.cacheFolder = userCacheFolder();
    request.stop = stop;
    request.progress = [&](std::size_t arrived, std::size_t all) {
        promise.setProgressValueAndText(all > 0 ? static_cast<int>(arrived * 100 / all) : 0,
                                        remoteProgressText(arrived, all));
    };
    if (paths.size() == 1)
        request.firstPart = firstPart;
    return fetchRemoteRuns(paths, request, options);
}

template<typename Answer>
void load(QPromise<std::shared_ptr<Answer>>& promise, const std::vector<std::string>& paths,
          const LoadOptions& options, bool needsEvents, const std::stop_token& stop)
{
    promise.setProgressRange(0, 100);
    int unexported = 0;
    const auto answer = [&](Result<TraceModelPtr> model, bool isPreview) {
        promise.addResult(std::make_shared<Answer>(Answer{std::move(model), isPreview, {}, unexported}));
    };
    LoadOptions chosen = options;
    bool isPreviewed = false;
    const Status fetched = fetch(promise, paths, chosen, stop, [&](const std::string& folder) {
        LoadContext context;
        context.parallel = threadPool(0);
        context.stop = stop;
        context.memory = memoryLimit(options.maxMemory);
        LoadOptions beginning = options;
        beginning.copies = {{paths.front(), folder}};
        const auto first = planLoad(paths, beginning, stop);
        auto model = first ? loadTrace(*first, context) : first.error();
        isPreviewed = static_cast<bool>(model);
        if (isPreviewed)
            answer(std::move(model), true);
    });
    if (!fetched) {
        answer(fetched.error(), false);
        return;
    }
    auto plan = planLoad(paths, chosen, stop);
    if (!plan) {
        answer(plan.error(), false);
        return;
    }
    if (const Status oneRun = checkOneRun(*plan); !oneRun) {
        promise.addResult(std::make_shared<Answer>(Answer{oneRun.error(), false, plan->runs}));
        return;
    }
    protectInputs(*plan);
    // Qt forwards at most a few values per second.
    QElapsedTimer timer;
    timer.start();
    ByteProgress progress(*plan, [&](const ByteProgress::State& state) {
        promise.setProgressValueAndText(state.percent(),
                                        loadProgressText(state, plan->files.size(), timer.elapsed()));
    });
    LoadContext context;
    context.parallel = threadPool(0);
    context.stop = stop;
    context.progress = [&](std::size_t file, std::uint64_t done) { progress.set(file, done); };
    context.cacheFolder = userCacheFolder();
    context.exportsReports = options.exportsReports;
    context.memory = memoryLimit(options.maxMemory);
    if (!options.exportsReports && isNsysInstalled())
        unexported = reportsToExport(*plan, context.cacheFolder);
    if (!isPreviewed)
        context.preview = [&](TraceModelPtr model) { answer(std::move(model), true); };
    Result<TraceModelPtr> model = loadTrace(*plan, context);
    if (needsEvents && model && (*model)->isSummarized())
        model = Error{Error::Kind::Incomplete, needsEventsText(), plan->path};
    answer(std::move(model), false);
}

} // namespace

LoadJob::LoadJob(QObject* parent)
    : QObject(parent)
{
    m_pool.setMaxThreadCount(1);
    connect(&m_watcher, &QFutureWatcher<Outcome>::progressTextChanged, this,
            [this](const QString& text) { emit progressChanged(m_watcher.progressValue(), text); });
    connect(&m_watcher, &QFutureWatcher<Outcome>::resultReadyAt, this, &LoadJob::onResult);
    connect(&m_watcher, &QFutureWatcher<Outcome>::finished, this, &LoadJob::onFinished);
}

LoadJob::~LoadJob()
{
    m_watcher.disconnect(this);
    cancel();
    m_watcher.waitForFinished();
    m_pool.waitForDone();
}

void LoadJob::start(const QStringList& paths, const LoadOptions& options, bool needsEvents)
{
    cancel();
    m_stop = std::stop_source();
    m_running = true;
    m_foundRuns.clear();
    m_exportableReports = 0;
    std::vector<std::string> names;
    for (const QString& path : paths)
        names.push_back(QFile::encodeName(path).toStdString());
    // The pool has one thread, so a cancelled load ends before this one starts.
    m_watcher.setFuture(QtConcurrent::run(
        &m_pool, [names, options, needsEvents, stop = m_stop.get_token()](QPromise<Outcome>& promise) {
            try {
                load(promise, names, options, needsEvents, stop);
            } catch (const std::exception& error) {
                promise.addResult(std::make_shared<Answer>(Answer{
                    Error{Error::Kind::TooLarge, failureText(error).toStdString(), names.front()}, false}));
            }
        }));
}

void LoadJob::cancel()
{
    m_stop.request_stop();
    m_watcher.cancel();
}

void LoadJob::onResult(int index)
{
    const Outcome outcome = m_watcher.resultAt(index);
    if (outcome->isPreview && !m_watcher.isCanceled())
        emit previewed(outcome->model.value());
}

void LoadJob::onFinished()
{
    m_running = false;
    if (m_watcher.isCanceled()) {
        emit cancelled();
        return;
    }
    const Outcome outcome = m_watcher.resultAt(m_watcher.future().resultCount() - 1);
    m_foundRuns = outcome->runs;
    m_exportableReports = outcome->exportableReports;
    if (outcome->model)
        emit loaded(outcome->model.value());
    else
        emit failed(QString::fromStdString(outcome->model.error().message));
}

} // namespace collscope
