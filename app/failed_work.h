// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Work in the background that ended by an exception: memory that is not there, or a mistake of ours. What was
// asked for never comes then, and somebody has to say so.

#include <QString>

#include <exception>

namespace collscope {

/// A sentence for people. Any thread.
QString failureText(const std::exception& error);
/// Says it on stderr and, if a window is on a screen, in a message box that does not block. GUI thread.
void reportFailedWork(const QString& sentence);
/// True once an answer will never come: who waits for all of them gives up. GUI thread.
bool hasWorkFailed();

} // namespace collscope
