// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobs/latest_only_job.h"
#include "app/parts/controller.h"
#include "metrics/hang/hang_case.h"

namespace collscope {

class HangView;

/// Examines what a job that hung left, for the tab "Hang".
class HangController : public Controller
{
    Q_OBJECT

public:
    explicit HangController(WindowContext& context);

    HangView* view() const { return m_view; }
    void start() override;
    void cancel() override;
    bool isComputing() const override { return m_job.isPending(); }

private:
    void show(const HangCasePtr& own);

    HangView* m_view;
    LatestOnlyJob<HangCasePtr> m_job{[this](const HangCasePtr& own) { show(own); }};
};

} // namespace collscope
