// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Reads the tables of resources/knowledge (and a user's own tables in the same format).

#include "model/hardware_database.h"
#include "model/result.h"

namespace collscope {

/// Reads [[device]] and [[model]] entries of a file and puts them before those of `knowledge`: the last file
/// read takes precedence. Error: file missing, not TOML, an entry without name or matches, or with an unknown
/// key or an invalid value (a misspelt key would silently leave a figure unknown).
Result<HardwareDatabase> readHardwareDatabase(const std::string& path, HardwareDatabase hardware);

} // namespace collscope
