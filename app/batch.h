// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// collscope --batch: load, evaluate, print. Uses no widgets and no display; makes the same calls as the
// window.

#include "app/command_line.h"

namespace collscope {

/// Runs the request and returns an ExitCode. stdout contains only the result.
int runBatch(const CommandLine& command);

} // namespace collscope
