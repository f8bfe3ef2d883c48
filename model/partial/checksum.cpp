// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/partial/checksum.h"

#include <libdeflate.h>

namespace collscope {

std::uint32_t checksumOf(std::string_view bytes, std::uint32_t before)
{
    return libdeflate_crc32(before, bytes.data(), bytes.size());
}

void appendFixed(std::string& bytes, std::uint64_t value, int size)
{
    for (int i = 0; i < size; ++i, value >>= 8)
        bytes += static_cast<char>(value);
}

std::uint64_t fixedAt(std::string_view bytes, std::size_t at, int size)
{
    std::uint64_t value = 0;
    for (int i = size - 1; i >= 0; --i)
        value = value << 8 | static_cast<unsigned char>(bytes[at + static_cast<std::size_t>(i)]);
    return value;
}

} // namespace collscope
