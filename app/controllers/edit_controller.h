// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/parts/controller.h"

namespace collscope {

class TimelineView;

/// The commands that change the user's additions to the run: undo, redo and marks.
class EditController : public Controller
{
    Q_OBJECT

public:
    EditController(WindowContext& context, TimelineView& timeline);

private:
    void updateCommands();
};

} // namespace collscope
