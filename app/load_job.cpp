// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/load_job.h"

#include "app/parallel.h"

#include <QFile>
#include <QPromise>
#include <QStandardPaths>
#include <QtConcurrent>

#include <mutex>

namespace collscope {

namespace {

/// Bytes of all files read so far -> progress of the promise; Qt passes at most a few values a second on.
class ByteProgress
{
public:
    ByteProgress(const LoadPlan& plan, std::function<void(int, int, std::size_t)> report)
        : m_done(plan.files.size(), 0)
        , m_report(std::move(report))
    {
        for (const PlannedFile& planned : plan.files)
            m_total += planned.file.bytes;
    }

    void set(std::size_t file, std::uint64_t done)
    {
        const std::lock_guard lock(m_mutex);
        m_sum += done - m_done[file];
        m_done[file] = done;
        if (m_total > 0)
            m_report(static_cast<int>(100.0 * static_cast<double>(m_sum) / static_cast<double>(m_total)),
                     static_cast<int>(file), m_done.size());
    }

private:
    std::mutex m_mutex;
    std::vector<std::uint64_t> m_done;
    std::uint64_t m_sum = 0;
    std::uint64_t m_total = 0;
    std::function<void(int, int, std::size_t)> m_report;
};

template<typename Answer>
void load(QPromise<std::shared_ptr<Answer>>& promise, const std::vector<std::string>& paths,
          const LoadOptions& options)
{
    promise.setProgressRange(0, 100);
    const auto answer = [&](Result<TraceModelPtr> model, bool isPreview) {
        promise.addResult(std::make_shared<Answer>(Answer{std::move(model), isPreview}));
    };
    auto plan = planLoad(paths, options);
    if (!plan) {
        answer(plan.error(), false);
        return;
    }
    ByteProgress progress(*plan, [&](int percent, int file, std::size_t files) {
        promise.setProgressValueAndText(percent, LoadJob::tr("file %1 of %2").arg(file + 1).arg(files));
    });
    LoadContext context;
    context.parallel = threadPool(0);
    context.cancelled = [&] { return promise.isCanceled(); };
    context.progress = [&](std::size_t file, std::uint64_t done) { progress.set(file, done); };
    context.cacheFolder = QStandardPaths::writableLocation(QStandardPaths::CacheLocation).toStdString();
    context.preview = [&](TraceModelPtr model) { answer(std::move(model), true); };
    answer(loadTrace(*plan, context), false);
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
    m_watcher.cancel();
    m_watcher.waitForFinished();
    m_pool.waitForDone();
}

void LoadJob::start(const QStringList& paths, const LoadOptions& options)
{
    m_watcher.cancel();
    m_running = true;
    std::vector<std::string> names;
    for (const QString& path : paths)
        names.push_back(QFile::encodeName(path).toStdString());
    // The pool has one thread, so a cancelled load ends before this one begins.
    m_watcher.setFuture(QtConcurrent::run(
        &m_pool, [names, options](QPromise<Outcome>& promise) { load(promise, names, options); }));
}

void LoadJob::cancel()
{
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
    if (outcome->model)
        emit loaded(outcome->model.value());
    else
        emit failed(QString::fromStdString(outcome->model.error().message));
}

} // namespace collscope
