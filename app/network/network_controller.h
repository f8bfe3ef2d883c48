// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobs/analysis_job.h"
#include "app/parts/controller.h"
#include "metrics/network/network_case.h"

namespace collscope {

class MetricsController;
class NetworkView;

/// Examines the logs of NCCL and the output of nccl-tests, for the tab "Network".
class NetworkController : public Controller
{
    Q_OBJECT

public:
    NetworkController(WindowContext& context, const MetricsController& metrics);

    NetworkView* view() const { return m_view; }
    void cancel() override { m_job.cancel(); }
    bool isComputing() const override { return m_job.isPending(); }

private:
    void examine();
    void show(const NetworkCasePtr& own);

    const MetricsController& m_metrics;
    NetworkView* m_view;
    AnalysisJob<NetworkCasePtr> m_job{[this](const NetworkCasePtr& own) { show(own); }};
};

} // namespace collscope
