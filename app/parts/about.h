// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The message "About Collscope".

class QWidget;

namespace collscope {

/// Shows the version, what the build consists of, and the licence. Returns at once.
void showAbout(QWidget* window);

} // namespace collscope
