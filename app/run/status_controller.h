// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/parts/controller.h"

namespace collscope {

class MatchController;
class ProblemsView;
class RunController;

/// Describes the run in the status line, between notices and while no run is loading.
class StatusController : public Controller
{
    Q_OBJECT

public:
    StatusController(WindowContext& context, const RunController& run, const MatchController& match,
                     const ProblemsView& problems);

    void update();

private:
    QString runText() const;

    const ProblemsView& m_problems;
};

} // namespace collscope
