// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobs/range_job.h"
#include "app/parts/controller.h"

namespace collscope {

class RangePanel;
class SearchController;

/// Summarizes the selected range, or else the visible range, for the tab "Range".
class RangeController : public Controller
{
    Q_OBJECT

public:
    RangeController(WindowContext& context, SearchController& search);

    RangePanel* view() const { return m_view; }
    bool isComputing() const override { return m_job.isRunning(); }

signals:
    void ready();

private:
    RangeJob m_job;
    RangePanel* m_view;
};

} // namespace collscope
