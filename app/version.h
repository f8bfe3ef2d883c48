// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What this program is, for those who report a problem.

#include <string>

namespace collscope {

/// "collscope 1.0.0", then a line each of what it was built with and runs with.
std::string versionText();

} // namespace collscope
