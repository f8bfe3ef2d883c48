// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobs/latest_only_job.h"
#include "app/parts/controller.h"
#include "metrics/history/speed_map.h"

namespace collscope {

class JobView;

/// Examines the logs and the NCCL Inspector's files of a job, for the tab "Job".
class HistoryController : public Controller
{
    Q_OBJECT

public:
    explicit HistoryController(WindowContext& context);

    JobView* view() const { return m_view; }
    void start() override;
    void cancel() override;
    bool isComputing() const override { return m_job.isPending(); }

private:
    void show(const JobCasePtr& own);

    JobView* m_view;
    LatestOnlyJob<JobCasePtr> m_job{[this](const JobCasePtr& own) { show(own); }};
};

} // namespace collscope
