// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/controllers/edit_controller.h"

#include "app/parts/actions.h"
#include "app/parts/window_context.h"
#include "views/timeline/timeline_view.h"

#include <QMenu>
#include <QUndoStack>

namespace collscope {

EditController::EditController(WindowContext& context, TimelineView& timeline)
    : Controller(context)
{
    Actions& actions = *context.actions;
    QUndoStack* stack = state().run().edits()->undoStack();
    actions.bind(QStringLiteral("undo"), stack, [stack] { stack->undo(); });
    actions.bind(QStringLiteral("redo"), stack, [stack] { stack->redo(); });
    actions.bind(QStringLiteral("keepMark"), &timeline, [&timeline] { timeline.navigator().keepMark(); });
    actions.bind(QStringLiteral("editNote"), &timeline, [&timeline] { timeline.editNote(); });
    actions.bind(QStringLiteral("removeMark"), &timeline, [&timeline] { timeline.navigator().removeMark(); });
    actions.bind(QStringLiteral("nextMark"), &timeline, [&timeline] { timeline.navigator().walkMarks(1); });
    actions.bind(QStringLiteral("previousMark"), &timeline,
                 [&timeline] { timeline.navigator().walkMarks(-1); });
    connect(stack, &QUndoStack::indexChanged, this, &EditController::updateCommands);
    connect(state().run().edits(), &RunEdits::changed, this, &EditController::updateCommands);
    connect(&state().run(), &RunContext::modelChanged, this, &EditController::updateCommands);
    updateCommands();
}

void EditController::updateCommands()
{
    Actions& actions = *context().actions;
    const QUndoStack* stack = state().run().edits()->undoStack();
    const auto undo = QStringLiteral("undo");
    const auto redo = QStringLiteral("redo");
    actions.action(undo)->setText(stack->canUndo() ? tr("&Undo %1").arg(stack->undoText()) : tr("&Undo"));
    actions.action(redo)->setText(stack->canRedo() ? tr("&Redo %1").arg(stack->redoText()) : tr("&Redo"));
    actions.enable(undo, stack->canUndo(), stack->canUndo() ? QString() : tr("Nothing to undo"));
    actions.enable(redo, stack->canRedo(), stack->canRedo() ? QString() : tr("Nothing to redo"));
    const bool hasRun = state().run().model() != nullptr;
    const bool hasCurrent = state().run().edits()->currentMark().has_value();
    for (const auto& id : {QStringLiteral("keepMark"), QStringLiteral("copyLocation")})
        actions.enable(id, hasRun, hasRun ? QString() : tr("Open a run first"));
    for (const auto& id : {QStringLiteral("editNote"), QStringLiteral("removeMark")})
        actions.enable(id, hasCurrent, hasCurrent ? QString() : tr("Set a mark first, or go to one with N"));
}

} // namespace collscope
