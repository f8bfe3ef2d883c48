// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/parts/window_context.h"

#include "app/parts/actions.h"

#include <QMainWindow>

namespace collscope {

WindowContext::WindowContext(QMainWindow& parent, UserSettings settingsUsed)
    : window(parent)
    , settings(settingsUsed)
{ }

WindowContext::~WindowContext() = default;

bool WindowContext::chooseTab(QWidget* content) const
{
    const bool isShown = tabs->isTabVisible(tabs->indexOf(content));
    if (isShown)
        tabs->setCurrentWidget(content);
    return isShown;
}

void WindowContext::showTab(QWidget* content) const
{
    if (chooseTab(content))
        window.findChild<QWidget*>(QStringLiteral("dockDetails"))->show();
}

} // namespace collscope
