// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What codes of XID errors mean, as NVIDIA documents them (XID Errors,
// https://docs.nvidia.com/deploy/xid-errors/analyzing-xid-catalog.html).

#include <cstdint>
#include <string_view>

namespace collscope {

/// "GPU has fallen off the bus"; empty for a code that is not in the table.
std::string_view xidMeaning(std::int32_t code);
/// Whether most errors of this code are mistakes of the program that ran, not of the hardware.
bool isOfProgram(std::int32_t code);

} // namespace collscope
