// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// collscope --screenshot: the real window, painted after loading, into a PNG.

#include "model/readers/trace_directory.h"
#include "views/location.h"
#include "views/theme.h"

#include <QSize>
#include <QStringList>

namespace collscope {

struct ScreenshotRequest
{
    QStringList paths; ///< none: the welcome page
    LoadOptions load;
    QString pngFile;
    QSize size;
    double scale = 1.0; ///< also of the QApplication, which must be made with it
    ThemeChoice theme = ThemeChoice::System;
    std::optional<Location> location; ///< what to show; nullopt: the highest peak
    QString tab; ///< title of the tab in front; empty: as it comes
    QStringList comparedPaths; ///< runs to compare with: the picture is of the comparison
};

/// Paints the window as anybody would see it: no settings of the user are read. Returns the exit code:
/// 0, 1 (no such tab or location), 2 (nothing readable) or 4 (not written, or no font on the machine).
int takeScreenshot(const ScreenshotRequest& request);

} // namespace collscope
