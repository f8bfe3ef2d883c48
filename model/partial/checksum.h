// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace collscope {

/// CRC-32 of the bytes. `before`: that of the bytes in front of them.
std::uint32_t checksumOf(std::string_view bytes, std::uint32_t before = 0);

/// Appends the lowest `size` bytes of a number, little-endian.
void appendFixed(std::string& bytes, std::uint64_t value, int size);
/// The number that appendFixed() wrote at `at`. The bytes must be there.
std::uint64_t fixedAt(std::string_view bytes, std::size_t at, int size);

} // namespace collscope
