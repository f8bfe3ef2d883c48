// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Adds up the NVLink counters of a run and finds its peaks off the GUI thread. A newer request makes older
// answers void.

#include "app/latest_answer.h"
#include "views/nvlink_chart.h"

#include <QObject>

#include <memory>

namespace collscope {

class NvlinkJob : public QObject
{
    Q_OBJECT

public:
    using Curves = std::shared_ptr<const NvlinkCurves>;

    explicit NvlinkJob(QObject* parent = nullptr)
        : QObject(parent)
    { }

    /// Answers with finished(), also for a run without counters.
    void start(TraceModelPtr model);
    void cancel() { m_answer.cancel(); }

signals:
    void finished(const collscope::NvlinkJob::Curves& curves);

private:
    LatestAnswer<Curves> m_answer{[this](const Curves& curves) { emit finished(curves); }};
};

} // namespace collscope
