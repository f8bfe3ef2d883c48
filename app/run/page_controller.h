// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobs/analysis_job.h"
#include "app/parts/controller.h"

namespace collscope {

class MetricsController;

/// Writes the run as one HTML file to send, as collscope --batch page does.
class PageController : public Controller
{
    Q_OBJECT

public:
    PageController(WindowContext& context, MetricsController& metrics);

    void cancel() override { m_job.cancel(); }
    bool isComputing() const override { return m_job.isPending(); }

private:
    /// A page, or why there is none, for a file.
    struct Written
    {
        QString path;
        Result<std::string> page;
    };
    using WrittenPtr = std::shared_ptr<const Written>;

    void ask();
    void make(const QString& path);

    MetricsController& m_metrics;
    AnalysisJob<WrittenPtr> m_job;
};

} // namespace collscope
