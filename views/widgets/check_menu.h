// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A menu of check boxes that stays open so that several can be set.

#include <QMenu>

namespace collscope {

/// A click or Space toggles a checkable action and keeps the menu open; Esc, Enter and a click elsewhere
/// close it.
class CheckMenu : public QMenu
{
    Q_OBJECT

public:
    using QMenu::QMenu;

protected:
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    bool changeActive();
};

} // namespace collscope
