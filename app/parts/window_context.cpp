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

void WindowContext::showTab(QWidget* content)
{
    window.findChild<QWidget*>(QStringLiteral("dockDetails"))->show();
    tabs->setCurrentWidget(content);
}

} // namespace collscope
