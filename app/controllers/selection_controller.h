// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobs/args_job.h"
#include "app/parts/controller.h"

namespace collscope {

class SelectionDetails;

/// Reads the args of the selected slice for the tab "Selection".
class SelectionController : public Controller
{
    Q_OBJECT

public:
    explicit SelectionController(WindowContext& context);

    SelectionDetails* view() const { return m_view; }

private:
    SelectionDetails* m_view;
    ArgsJob m_job;
};

} // namespace collscope
