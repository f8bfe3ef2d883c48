// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// All commands of the run window in one table. Its controllers say what they do (Actions::bind).

#include "app/parts/actions.h"

namespace collscope {

std::vector<Command> windowCommands();

} // namespace collscope
