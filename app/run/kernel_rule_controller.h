// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/parts/controller.h"

class QMenu;

namespace collscope {

class MetricsController;
class RunController;

/// Lets the user classify the selected kernel as communication.
class KernelRuleController : public Controller
{
    Q_OBJECT

public:
    KernelRuleController(WindowContext& context, RunController& run, MetricsController& metrics);

    /// Adds the command to the menu of a slice if a kernel is selected.
    void extend(QMenu& menu);

private:
    bool isKernelSelected() const;
    void teach();

    RunController& m_run;
    MetricsController& m_metrics;
};

} // namespace collscope
