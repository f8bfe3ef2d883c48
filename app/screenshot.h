// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// collscope --screenshot: the real window, painted after loading, into a PNG.

#include "views/theme.h"

#include <QSize>
#include <QStringList>

namespace collscope {

/// Needs a QApplication made with the scale factor set. Returns the exit code of the contract: 0, 2 (nothing
/// readable) or 4 (not written, or no font on the machine).
int takeScreenshot(const QStringList& paths, const QString& pngFile, QSize size, double scale,
                   ThemeChoice theme);

} // namespace collscope
