// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Computes metrics off the GUI thread. A newer request discards older answers.

#include "app/jobs/latest_only_job.h"
#include "app/jobs/shared_straggler.h"

#include <QObject>

#include <memory>

namespace collscope {

class MetricJob : public QObject
{
    Q_OBJECT

public:
    using Results = std::vector<std::pair<MetricRequest, MetricResult>>;

    explicit MetricJob(QObject* parent = nullptr);

    /// Results over whole files are reused from the last answer for the same model and rank: they do not
    /// depend on steps and range, and take the longest.
    /// `straggler`: shared with others who ask about the model; nullptr: nobody.
    void start(TraceModelPtr model, const MetricOptions& options, std::vector<MetricRequest> requests,
               SharedStragglerPtr straggler = nullptr);
    void cancel() { m_answer.cancel(); }
    bool isPending() const { return m_answer.isPending(); }

signals:
    void finished(const std::shared_ptr<collscope::MetricJob::Results>& results);

private:
    /// A question, and its answer if available.
    struct Question
    {
        TraceModelPtr model;
        std::optional<std::int32_t> rank;
        std::shared_ptr<const Results> results;

        /// Returns the result of a metric over whole files; nullptr = to be computed.
        const MetricResult* wholeFile(const std::string& name) const;
    };

    Question m_last;
    LatestOnlyJob<std::shared_ptr<Results>> m_answer;
};

} // namespace collscope
