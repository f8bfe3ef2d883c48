// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The folders of the user that have the program's name.

#include <string>

namespace collscope {

/// Returns the file of that name in the program's configuration folder, or else in that of the machine
/// (/etc/xdg); empty if it does not exist.
std::string configuredFile(const std::string& name);
/// Returns the configuration folder, which may not exist yet; empty without a home.
std::string userConfigFolder();
/// Returns the folder for data that can be made again; it may not exist yet. Empty without a home.
std::string userCacheFolder();

} // namespace collscope
