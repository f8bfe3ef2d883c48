// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Process groups that do the same for other ranks: the tensor-parallel groups of all replicas.

#include "metrics/calls/process_groups.h"

#include <span>
#include <string>
#include <vector>

namespace collscope {

/// What groups that do the same have in common: the description without digits ("replica_" for "replica_1").
/// Without a description the name without digits and the distances between the ranks ("pg 2 x 8": two ranks,
/// eight apart), because programs number groups of all kinds alike. The text of the group alone if it lists
/// no ranks.
std::string likenessOf(const ProcessGroup& group);

/// One name for all groups that do the same, by group: the description, else "groups like [0, 8]" for
/// several groups of one likeness. O(groups x log(groups)).
std::vector<std::string> sharedNamesOf(std::span<const ProcessGroup> groups);

} // namespace collscope
