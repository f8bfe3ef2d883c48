// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace collscope {

/// Compares names in natural order, the numbers inside them by value: rank2 before rank10.
bool naturallyBefore(std::string_view a, std::string_view b);

} // namespace collscope
