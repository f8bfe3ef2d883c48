// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Where device peaks and model sizes come from: the program's tables, then the user's own.

#include "model/hardware_database.h"
#include "model/result.h"

#include <memory>
#include <string>

namespace collscope {

/// The tables of resources/knowledge, then devices.toml of the configuration folder if there is one, then
/// `ownFile` (--hardware; "" = none). What comes later stands over what came before.
Result<std::shared_ptr<const HardwareDatabase>> loadHardwareDatabase(const std::string& ownFile);

} // namespace collscope
