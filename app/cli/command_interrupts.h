// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// SIGINT and SIGTERM as a request to stop.

#include <stop_token>

namespace collscope {

/// Makes SIGINT and SIGTERM cancel from now on.
void watchInterrupts();
bool isInterrupted();
/// Returns the token for readers: a stop is requested by the same signals.
std::stop_token interruptToken();

} // namespace collscope
