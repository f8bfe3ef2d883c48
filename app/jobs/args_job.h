// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Reads the args of the selected slice from its file, off the GUI thread: a gzip file is inflated up to the
// slice.

#include "app/jobs/latest_only_job.h"
#include "model/trace_model.h"
#include "views/selection_details.h"

namespace collscope {

class ArgsJob : public QObject
{
    Q_OBJECT

public:
    explicit ArgsJob(QObject* parent = nullptr)
        : QObject(parent)
    { }

    /// Answers with finished() if the slice comes from a Kineto file, unless another slice is requested
    /// first.
    void start(const TraceModelPtr& model, SliceRef slice);
    void cancel() { m_answer.cancel(); }

signals:
    void finished(const collscope::SliceArgs& args);

private:
    LatestOnlyJob<SliceArgs> m_answer{[this](const SliceArgs& args) { emit finished(args); }};
};

} // namespace collscope
