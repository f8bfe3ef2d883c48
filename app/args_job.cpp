// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/args_job.h"

#include <QPromise>
#include <QtConcurrent>

namespace collscope {

ArgsJob::ArgsJob(QObject* parent)
    : QObject(parent)
{
    m_pool.setMaxThreadCount(1);
    connect(&m_watcher, &QFutureWatcher<Answer>::finished, this, [this] {
        if (!m_watcher.isCanceled())
            emit finished(m_watcher.result());
    });
}

ArgsJob::~ArgsJob()
{
    m_watcher.disconnect(this);
    m_watcher.cancel();
    m_watcher.waitForFinished();
    m_pool.waitForDone();
}

void ArgsJob::start(const TraceModelPtr& model, SliceRef slice)
{
    m_watcher.cancel();
    if (!model || !slice)
        return;
    const Timeline& timeline = model->timelineOf(slice);
    const SourceInfo& source = model->sources[timeline.source.value];
    if (timeline.kind != SourceKind::Kineto || source.path.empty())
        return;
    const std::uint64_t offset = model->track(slice.track).slices.fileOffset[slice.row];
    m_watcher.setFuture(QtConcurrent::run(
        &m_pool,
        [path = source.path, offset, name = std::string(model->nameOf(slice))](QPromise<Answer>& promise) {
            promise.addResult(std::make_shared<const Result<EventArgs>>(
                readEventArgs(path, offset, name, [&] { return promise.isCanceled(); })));
        }));
}

} // namespace collscope
