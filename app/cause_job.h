// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Works out why a step was slow or a rank late, off the GUI thread. A newer question makes older answers
// void.

#include "app/latest_answer.h"
#include "metrics/cause_answer.h"

#include <QObject>

namespace collscope {

class CauseJob : public QObject
{
    Q_OBJECT

public:
    explicit CauseJob(QObject* parent = nullptr)
        : QObject(parent)
    { }

    void start(TraceModelPtr model, const MetricOptions& options, const CauseQuestion& question);
    void cancel() { m_answer.cancel(); }

signals:
    void finished(const collscope::CauseAnswerPtr& answer);

private:
    LatestAnswer<CauseAnswerPtr> m_answer{[this](const CauseAnswerPtr& answer) { emit finished(answer); }};
};

} // namespace collscope
