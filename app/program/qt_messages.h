// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Message handlers for Qt, for commands that draw with or without a display.

#include <QtGlobal>

class QString;

namespace collscope {

/// Drops warnings of the offscreen platform about features that pictures do not need; prints all others.
void dropOffscreenChatter(QtMsgType type, const QMessageLogContext& context, const QString& message);
/// Ends the process with a sentence if no display is available: Qt aborts with a core dump and without
/// advice.
void sayWithoutDisplay(QtMsgType type, const QMessageLogContext& context, const QString& message);

} // namespace collscope
