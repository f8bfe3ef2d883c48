// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Deflated bytes in parts.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace collscope {

/// The bytes, deflated.
std::string deflated(std::string_view bytes);

enum class Inflation
{
    Done,
    Damaged, ///< not deflated bytes, or not as many as stated
    TooLarge ///< more than allowed
};
/// Inflates to `bytes`, `size` of them. The size is not trusted: memory grows with what there is.
/// `mostBytes`: limit of the memory. `used`: gets how many of `packed` it took; without it, these must be
/// all.
Inflation inflate(std::string_view packed, std::uint64_t size, std::uint64_t mostBytes, std::string& bytes,
                  std::size_t* used = nullptr);

/// Whether inflating `packedBytes` bytes can give `bytes` bytes: no data compresses better than 1040 to 1.
bool isPossibleSize(std::uint64_t packedBytes, std::uint64_t bytes);

/// The bytes, deflated, and behind them `plain` as they are, with the size of `bytes` and a checksum in
/// front: 8 bytes more. Bytes that look random belong into `plain`: deflating them takes time and makes them
/// no smaller.
std::string sealed(std::string_view bytes, std::string_view plain = {});
/// The bytes that sealed() was given; nullopt if these are damaged, or would be more than `mostBytes`.
/// `plain`: gets the plain ones; without it, there must be none.
std::optional<std::string> unsealed(std::string_view bytes, std::uint64_t mostBytes,
                                    std::string* plain = nullptr);

} // namespace collscope
