// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/jobs/runs_job.h"

#include "app/files/user_folders.h"
#include "app/runtime/memory_policy.h"
#include "app/runtime/stop_request.h"
#include "app/runtime/thread_pool.h"
#include "metrics/analysis/analysis.h"
#include "metrics/export/leaderboard.h"
#include "model/readers/run/load_trace.h"

#include <QFile>
#include <QPromise>
#include <QtConcurrent>

#include <set>

namespace collscope {

namespace {

using RunPointer = std::shared_ptr<const LoadedRun>;

LoadedRun loadRun(const ListedRun& listed, const LoadOptions& load,
                  const std::vector<MetricRequest>& requests,
                  const std::shared_ptr<const HardwareDatabase>& hardware, const std::stop_token& stop)
{
    LoadedRun run;
    run.results.label = listed.label;
    auto plan = planLoad(listed.paths, load, stop);
    if (!plan) {
        run.status = plan.error();
        return run;
    }
    LoadContext context;
    context.parallel = threadPool(0);
    context.stop = stop;
    context.cacheFolder = userCacheFolder();
    context.memory = memoryLimit(std::nullopt);
    const auto model = loadTrace(*plan, context);
    if (!model) {
        run.status = model.error();
        return run;
    }
    MetricOptions options;
    options.hardware = hardware;
    options.cancelled = asksWhetherToStop(stop);
    Analysis analysis(**model, options);
    run.results.card = cardFields(**model, hardware.get());
    for (const MetricRequest& request : requests) {
        run.results.results.push_back({request, evaluate(analysis, request)});
        if (stop.stop_requested())
            break;
    }
    return run;
}

LoadedRun listRuns(const std::vector<std::string>& folders, const std::stop_token& stop)
{
    LoadedRun list;
    list.isList = true;
    std::set<std::string> labels;
    for (const std::string& folder : folders) {
        RunList runs = runsIn(folder, stop);
        for (ListedRun& run : runs.runs) {
            if (labels.insert(run.label).second)
                list.runs.push_back(std::move(run));
        }
        list.others.insert(list.others.end(), runs.others.begin(), runs.others.end());
    }
    return list;
}

} // namespace

RunsJob::RunsJob(QObject* parent)
    : QObject(parent)
{
    m_pool.setMaxThreadCount(1);
    connect(&m_watcher, &QFutureWatcher<RunPointer>::resultReadyAt, this, [this](int index) {
        if (m_watcher.isCanceled())
            return;
        const RunPointer run = m_watcher.resultAt(index);
        if (run->isList)
            emit runsFound(run);
        else
            emit runLoaded(run);
    });
}

RunsJob::~RunsJob()
{
    m_watcher.disconnect(this);
    m_stop.request_stop();
    m_watcher.cancel();
    m_watcher.waitForFinished();
    m_pool.waitForDone();
}

void RunsJob::start(const QStringList& folders, const std::vector<MetricRequest>& requests,
                    const std::shared_ptr<const HardwareDatabase>& hardware)
{
    m_stop.request_stop();
    m_watcher.cancel();
    m_stop = std::stop_source();
    std::vector<std::string> names;
    for (const QString& folder : folders)
        names.push_back(QFile::encodeName(folder).toStdString());
    LoadOptions load;
    load.kernelRules = m_kernelRules;
    const auto loadAll = [names = std::move(names), load, requests, hardware,
                          stop = m_stop.get_token()](QPromise<RunPointer>& promise) {
        auto list = std::make_shared<LoadedRun>(listRuns(names, stop));
        promise.addResult(RunPointer(list));
        for (const ListedRun& listed : list->runs) {
            if (stop.stop_requested())
                return;
            auto run = std::make_shared<LoadedRun>(loadRun(listed, load, requests, hardware, stop));
            promise.addResult(RunPointer(std::move(run)));
        }
    };
    m_watcher.setFuture(QtConcurrent::run(&m_pool, loadAll));
}

} // namespace collscope
