// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/runs_job.h"

#include "app/memory_policy.h"
#include "app/parallel.h"
#include "metrics/analysis.h"
#include "metrics/export/leaderboard.h"
#include "model/readers/load_trace.h"

#include <QFile>
#include <QPromise>
#include <QStandardPaths>
#include <QtConcurrent>

namespace collscope {

namespace {

using RunPointer = std::shared_ptr<const LoadedRun>;

LoadedRun loadRun(const std::string& path, const std::vector<MetricRequest>& requests,
                  const std::shared_ptr<const Knowledge>& knowledge, const std::function<bool()>& cancelled)
{
    LoadedRun run;
    run.results.label = path;
    auto plan = planLoad({path}, {});
    if (!plan) {
        run.problem = plan.error().message;
        return run;
    }
    LoadContext context;
    context.parallel = threadPool(0);
    context.cancelled = cancelled;
    context.cacheFolder = QStandardPaths::writableLocation(QStandardPaths::CacheLocation).toStdString();
    context.memory = memoryLimit(std::nullopt);
    const auto model = loadTrace(*plan, context);
    if (!model) {
        run.problem = model.error().message;
        return run;
    }
    MetricOptions options;
    options.knowledge = knowledge;
    options.cancelled = cancelled;
    Analysis analysis(**model, options);
    run.results.card = cardFields(**model, knowledge.get());
    for (const MetricRequest& request : requests) {
        run.results.results.push_back({request, evaluate(analysis, request)});
        if (cancelled())
            break;
    }
    return run;
}

} // namespace

RunsJob::RunsJob(QObject* parent)
    : QObject(parent)
{
    m_pool.setMaxThreadCount(1);
    connect(&m_watcher, &QFutureWatcher<RunPointer>::resultReadyAt, this, [this](int index) {
        if (!m_watcher.isCanceled())
            emit runLoaded(m_watcher.resultAt(index));
    });
}

RunsJob::~RunsJob()
{
    m_watcher.disconnect(this);
    m_watcher.cancel();
    m_watcher.waitForFinished();
    m_pool.waitForDone();
}

void RunsJob::start(const QStringList& paths, const std::vector<MetricRequest>& requests,
                    const std::shared_ptr<const Knowledge>& knowledge)
{
    m_watcher.cancel();
    std::vector<std::string> names;
    for (const QString& path : paths)
        names.push_back(QFile::encodeName(path).toStdString());
    m_watcher.setFuture(QtConcurrent::run(
        &m_pool, [names = std::move(names), requests, knowledge](QPromise<RunPointer>& promise) {
            for (const std::string& name : names) {
                if (promise.isCanceled())
                    return;
                auto run = std::make_shared<LoadedRun>(
                    loadRun(name, requests, knowledge, [&] { return promise.isCanceled(); }));
                promise.addResult(RunPointer(std::move(run)));
            }
        }));
}

} // namespace collscope
