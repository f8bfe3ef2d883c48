// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Locations of the files that are installed with the program.

#include <string>

namespace collscope {

/// Returns the folder `name` of the resources ("demo"), from ../share/collscope relative to the binary; empty
/// if it does not exist. COLLSCOPE_RESOURCES takes precedence.
std::string resourceFolder(const std::string& name);

/// Returns the command that starts this program again: the wrapper of the relocatable package, which sets
/// COLLSCOPE_PROGRAM, or else the binary.
std::string programFile();
/// Returns the path of collscope-window, next to that program. It may not exist.
std::string windowProgramFile();

} // namespace collscope
