// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Answers one question at a time off the GUI thread: the common part of all jobs.

#include "app/jobs/failed_work.h"

#include <QFutureWatcher>
#include <QObject>
#include <QPromise>
#include <QThreadPool>
#include <QtConcurrent>

#include <functional>
#include <memory>
#include <stop_token>
#include <utility>

namespace collscope {

/// Works on the latest question. A newer question, or cancel(), guarantees that the older answer is never
/// delivered. Lives in the GUI thread and delivers there.
template<typename Answer>
class LatestOnlyJob
{
public:
    /// `progress` receives the progress value that the work sets on its promise, a few times per second.
    explicit LatestOnlyJob(std::function<void(const Answer&)> deliver,
                           std::function<void(int)> progress = nullptr)
    {
        m_pool.setMaxThreadCount(1);
        if (progress)
            QObject::connect(&m_watcher, &QFutureWatcher<Answer>::progressValueChanged, &m_watcher,
                             [this, progress = std::move(progress)](int value) {
                                 if (!m_watcher.isCanceled())
                                     progress(value);
                             });
        QObject::connect(&m_watcher, &QFutureWatcher<Answer>::finished, &m_watcher,
                         [this, deliver = std::move(deliver)] {
                             m_isPending = false;
                             if (!m_failure->isEmpty())
                                 reportFailedWork(*m_failure);
                             else if (!m_watcher.isCanceled())
                                 deliver(m_watcher.result());
                         });
    }
    LatestOnlyJob(const LatestOnlyJob&) = delete;
    LatestOnlyJob& operator=(const LatestOnlyJob&) = delete;
    ~LatestOnlyJob()
    {
        m_watcher.disconnect();
        cancel();
        m_watcher.waitForFinished();
        m_pool.waitForDone();
    }

    using Work = std::function<void(QPromise<Answer>&, const std::stop_token&)>;

    /// `work` adds one result to its promise, unless a stop is requested: then the answer is not wanted.
    void ask(Work work)
    {
        cancel();
        m_stop = std::stop_source();
        m_failure = std::make_shared<QString>();
        // Setting a new future disconnects the old one: its answer is never delivered.
        const auto answer = [work = std::move(work), stop = m_stop.get_token(),
                             failure = m_failure](QPromise<Answer>& promise) {
            try {
                work(promise, stop);
            } catch (const std::exception& error) {
                *failure = failureText(error);
            }
        };
        m_isPending = true;
        m_watcher.setFuture(QtConcurrent::run(&m_pool, answer));
    }
    void cancel()
    {
        m_isPending = false;
        m_stop.request_stop();
        m_watcher.cancel();
    }
    /// Whether an answer is still to be delivered: neither delivered, nor cancelled, nor failed.
    bool isPending() const { return m_isPending; }

private:
    QFutureWatcher<Answer> m_watcher;
    QThreadPool m_pool;
    bool m_isPending = false;
    std::stop_source m_stop; ///< of the last question
    /// Why the last question has no answer; read when its work has ended.
    std::shared_ptr<QString> m_failure = std::make_shared<QString>();
};

} // namespace collscope
