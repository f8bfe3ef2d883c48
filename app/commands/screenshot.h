// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// collscope --screenshot: renders the real window into a PNG after loading.

#include "model/readers/run/trace_directory.h"
#include "views/common/location.h"
#include "views/common/theme.h"

#include <QSize>
#include <QStringList>

namespace collscope {

struct ScreenshotRequest
{
    QStringList paths; ///< none: the welcome page
    LoadOptions load;
    QString pngFile;
    QSize size;
    double scale = 1.0; ///< must also be set for the QApplication
    ThemeChoice theme = ThemeChoice::System;
    std::optional<Location> location; ///< location to show; nullopt: the highest peak
    QString tab; ///< title of the tab to show; empty: the default tab
    QStringList comparedPaths; ///< runs to compare with: the picture shows the comparison
};

/// Renders the window with default settings; user settings are not read. Returns the exit code: 0, 1 (tab or
/// location not found), 2 (no readable input) or 4 (not written, or no font installed).
int takeScreenshot(const ScreenshotRequest& request);

} // namespace collscope
