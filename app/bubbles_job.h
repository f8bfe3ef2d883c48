// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Adds up the bubbles of a pipeline, step by step, off the GUI thread. A newer request makes older answers
// void.

#include "app/latest_answer.h"
#include "metrics/pipeline_bubbles.h"

#include <QObject>

namespace collscope {

class BubblesJob : public QObject
{
    Q_OBJECT

public:
    using Table = std::shared_ptr<const BubbleTable>;

    explicit BubblesJob(QObject* parent = nullptr)
        : QObject(parent)
    { }

    /// Answers with finished().
    void start(TraceModelPtr model, const MetricOptions& options);
    void cancel() { m_answer.cancel(); }

signals:
    void finished(const std::shared_ptr<const collscope::BubbleTable>& bubbles);

private:
    LatestAnswer<Table> m_answer{[this](const Table& bubbles) { emit finished(bubbles); }};
};

} // namespace collscope
