// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/widgets/check_menu.h"

#include <QKeyEvent>
#include <QMouseEvent>

namespace collscope {

void CheckMenu::mouseReleaseEvent(QMouseEvent* event)
{
    if (!rect().contains(event->position().toPoint()) || !changeActive())
        QMenu::mouseReleaseEvent(event);
}

void CheckMenu::keyPressEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_Space || !changeActive())
        QMenu::keyPressEvent(event);
}

/// Toggles the active check box. Returns false if no check box is under the mouse or selected by key.
bool CheckMenu::changeActive()
{
    QAction* const active = activeAction();
    if (!active || !active->isCheckable())
        return false;
    if (active->isEnabled())
        active->trigger();
    return true;
}

} // namespace collscope
