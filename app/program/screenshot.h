// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// The command screenshot: renders the real window into a PNG after loading.

#include "app/commands/command_window.h"

namespace collscope {

/// Renders the window with default settings; user settings are not read. Returns the exit code: 0, 1 (tab or
/// location not found), 2 (no readable input) or 4 (not written, or no font installed).
int takeScreenshot(const ScreenshotCommand& command);

} // namespace collscope
