// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/parts/controller.h"

namespace collscope {

class MetricsController;
class RunController;
class SessionController;

/// Shows, in the banner, what the user should know about the run that was opened.
class RunNotices : public Controller
{
    Q_OBJECT

public:
    /// `problems`: the tab with the details.
    RunNotices(WindowContext& context, RunController& run, SessionController& session,
               MetricsController& metrics, QWidget& problems);

private:
    void showUnrecognised();
    void showExclusions();
    void showFindings();
    void offerExport();

    RunController& m_run;
    QWidget& m_problems;
};

} // namespace collscope
