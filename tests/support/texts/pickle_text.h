// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Python values as pickle opcodes, written by hand: what a test says is what is in the file.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace collscope::py {

inline std::string bytesOf(std::uint64_t value, int count)
{
    std::string bytes;
    for (int i = 0; i < count; ++i)
        bytes += static_cast<char>(value >> (8 * i) & 0xFFu);
    return bytes;
}

inline std::string text(std::string_view value)
{
    return "X" + bytesOf(value.size(), 4) + std::string(value);
}

inline std::string integer(std::int64_t value)
{
    if (value >= 0 && value < 256)
        return "K" + bytesOf(static_cast<std::uint64_t>(value), 1);
    if (value >= INT32_MIN && value <= INT32_MAX)
        return "J" + bytesOf(static_cast<std::uint64_t>(value), 4);
    return "\x8A\x08" + bytesOf(static_cast<std::uint64_t>(value), 8);
}

inline std::string boolean(bool value)
{
    return value ? "\x88" : "\x89";
}

inline std::string joined(const std::vector<std::string>& items)
{
    std::string all;
    for (const std::string& item : items)
        all += item;
    return all;
}

inline std::string list(const std::vector<std::string>& items)
{
    return "](" + joined(items) + "e";
}

inline std::string tuple(const std::vector<std::string>& items)
{
    return "(" + joined(items) + "t";
}

/// Keys are plain text.
inline std::string dict(const std::vector<std::pair<std::string_view, std::string>>& items)
{
    std::string all = "}(";
    for (const auto& [key, value] : items)
        all += text(key) + value;
    return all + "u";
}

/// A whole file of protocol 4.
inline std::string pickle(const std::string& value)
{
    return "\x80\x04" + value + ".";
}

} // namespace collscope::py
