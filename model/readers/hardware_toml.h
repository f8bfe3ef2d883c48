// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Reads the tables of resources/knowledge (and a user's own in the same form).

#include "model/hardware_database.h"
#include "model/result.h"

namespace collscope {

/// Reads [[device]] and [[model]] entries of a file and puts them before those of `knowledge`: the last file
/// read stands over the others. Error: not there, not TOML, an entry without name or matches, or one with a
/// key or value that makes no sense (a misspelt key would silently be an unknown figure).
Result<HardwareDatabase> readHardwareDatabase(const std::string& path, HardwareDatabase hardware);

} // namespace collscope
