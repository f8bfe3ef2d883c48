// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The program version, for problem reports.

#include <string>

namespace collscope {

/// Returns "collscope 2.0.0", followed by one line per item of build and runtime information.
std::string versionText();

} // namespace collscope
