// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the programs collscope and collscope-window have in common.

namespace collscope {

class WindowProgram;

/// Does what the arguments ask for and returns an ExitCode. Without `window`, commands that need one are
/// passed on to the program collscope-window, which replaces this process.
int runCommandLine(int argc, char** argv, WindowProgram* window);

} // namespace collscope
