// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/parts/controller.h"

class QMenu;

namespace collscope {

class RunController;
class WelcomePage;

/// The runs opened before, in the menu "File" and on the welcome page.
class RecentRuns : public Controller
{
    Q_OBJECT

public:
    RecentRuns(WindowContext& context, RunController& run, WelcomePage& welcome);

private:
    void remember(const QString& path);
    QStringList recent() const;
    void show();

    RunController& m_run;
    WelcomePage& m_welcome;
    QMenu* m_menu;
};

} // namespace collscope
