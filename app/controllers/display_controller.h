// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/parts/controller.h"
#include "views/common/theme.h"

namespace collscope {

class TimelineView;

/// How the run is displayed: clocks, time format, grid, wheel, theme.
class DisplayController : public Controller
{
    Q_OBJECT

public:
    DisplayController(WindowContext& context, TimelineView& timeline);

signals:
    void themeChosen();

private:
    void connectClocks();
    void updateClocks();
    void connectTimeFormats();
    void connectThemes();
    void connectGridAndWheel(TimelineView& timeline);
    void chooseTheme(ThemeChoice choice);
};

} // namespace collscope
