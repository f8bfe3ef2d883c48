// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/parts/controller.h"

class QMenu;
class QWidget;

namespace collscope {

class KernelRuleController;
class QuickPick;
class TimelineView;

/// The commands and the context menu of the timeline.
class TimelineController : public Controller
{
    Q_OBJECT

public:
    /// `standIn`: what a run without events shows in place of the timeline.
    TimelineController(WindowContext& context, TimelineView& timeline, QWidget& standIn, QuickPick& quickPick,
                       KernelRuleController& kernelRules);

    /// Focuses the timeline, but not while the user is typing: the rest of the word would trigger commands.
    void focus();

private:
    void bindCommands();
    void extendMenu(QMenu& menu, KernelRuleController& kernelRules);
    void goToTrack();

    TimelineView& m_timeline;
    QWidget& m_standIn;
    QuickPick& m_quickPick;
};

} // namespace collscope
