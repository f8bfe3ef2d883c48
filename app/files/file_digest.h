// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// SHA-256 of files, so that a page can say which files its numbers come from. sha256sum prints the same.

#include "model/result.h"

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace collscope {

/// FIPS 180-4.
class Sha256
{
public:
    void add(std::string_view bytes);
    std::uint64_t size() const { return m_size; } ///< bytes so far
    /// In hexadecimal. Call once.
    std::string digest();

private:
    void compress(const unsigned char* block);

    std::array<std::uint32_t, 8> m_state{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<unsigned char, 64> m_block{};
    std::size_t m_filled = 0; ///< bytes of m_block
    std::uint64_t m_size = 0;
};

/// Of the bytes of a file as they are stored. Error Io if they are not `size` bytes. Asks `cancelled` about
/// every megabyte; error Cancelled.
Result<std::string> sha256Of(const std::string& path, std::uint64_t size,
                             const std::function<bool()>& cancelled);

} // namespace collscope
