// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Reads the args of the selected slice from its file, off the GUI thread: a gzip file is inflated up to it.

#include "model/readers/kineto_event_args.h"
#include "model/trace_model.h"

#include <QFutureWatcher>
#include <QObject>
#include <QThreadPool>

#include <memory>

namespace collscope {

class ArgsJob : public QObject
{
    Q_OBJECT

public:
    using Answer = std::shared_ptr<const Result<EventArgs>>;

    explicit ArgsJob(QObject* parent = nullptr);
    ~ArgsJob() override; ///< cancels and waits

    /// Answers with finished() if the slice is one of a Kineto file, unless another slice comes first.
    void start(const TraceModelPtr& model, SliceRef slice);
    void cancel() { m_watcher.cancel(); }

signals:
    void finished(const collscope::ArgsJob::Answer& answer);

private:
    QFutureWatcher<Answer> m_watcher;
    QThreadPool m_pool;
};

} // namespace collscope
