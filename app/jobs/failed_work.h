// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Background work that ended with an exception: out of memory or a bug. Its answer never arrives, so the
// failure must be reported.

#include <QString>

#include <exception>

namespace collscope {

/// Returns a sentence for the user. Any thread.
QString failureText(const std::exception& error);
/// Reports the sentence on stderr and, if a window is visible, in a non-modal message box. GUI thread.
void reportFailedWork(const QString& sentence);
/// True once an answer will never arrive; code that waits for all answers must stop. GUI thread.
bool hasWorkFailed();

} // namespace collscope
