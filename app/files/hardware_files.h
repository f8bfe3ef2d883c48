// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Sources of device peaks and model sizes: the built-in tables, then the user's.

#include "model/hardware_database.h"
#include "model/result.h"

#include <memory>
#include <string>

namespace collscope {

/// Loads the tables of resources/knowledge, then devices.toml of the configuration folder if present, then
/// `ownFile` (--hardware; "" = none). Later tables override earlier ones.
Result<std::shared_ptr<const HardwareDatabase>> loadHardwareDatabase(const std::string& ownFile);

} // namespace collscope
