// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The user's folders, by the XDG base directory specification
// (https://specifications.freedesktop.org/basedir-spec/latest/).

#include <string>

namespace collscope {

/// Returns the file of that name in the program's configuration folder, or else in that of the machine
/// (/etc/xdg); empty if it does not exist.
std::string configuredFile(const std::string& name);
/// Returns the program's configuration folder of the user; it may not exist yet. Empty if the user has no
/// home.
std::string userConfigFolder();
/// Returns the folder for data that can be made again; it may not exist yet. Empty if the user has no home.
std::string userCacheFolder();

} // namespace collscope
