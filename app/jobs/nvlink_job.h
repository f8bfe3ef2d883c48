// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Computes the curves of the charts below the timeline off the GUI thread: sums the NVLink counters of a run,
// finds its peaks, and processes the samples of its GPUs. A newer request discards older answers.

#include "app/jobs/latest_only_job.h"
#include "metrics/counters/gpu_counters.h"
#include "metrics/counters/nvlink_curves.h"

#include <QObject>

#include <memory>

namespace collscope {

class NvlinkJob : public QObject
{
    Q_OBJECT

public:
    struct Curves
    {
        std::shared_ptr<const NvlinkCurves> nvlink;
        std::shared_ptr<const SampledGpus> gpus;
    };

    explicit NvlinkJob(QObject* parent = nullptr)
        : QObject(parent)
    { }

    /// Answers with finished(), even for a run without counters.
    void start(TraceModelPtr model);
    void cancel() { m_answer.cancel(); }

signals:
    void finished(const collscope::NvlinkJob::Curves& curves);

private:
    LatestOnlyJob<Curves> m_answer{[this](const Curves& curves) { emit finished(curves); }};
};

} // namespace collscope
