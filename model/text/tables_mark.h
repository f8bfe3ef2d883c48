// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How to tell an SQLite file that Collscope wrote (metrics/export/tables) from an Nsight Systems export,
// which is one, too: by the application id in its header (sqlite.org/fileformat.html).

#include <string_view>

namespace collscope {

inline constexpr std::string_view tablesMark = "CSCT";

/// `head`: the first bytes of an SQLite file.
inline bool hasTablesMark(std::string_view head)
{
    constexpr std::size_t offset = 68; // of the application id, 4 bytes, big-endian
    return head.size() >= offset + tablesMark.size() && head.substr(offset, tablesMark.size()) == tablesMark;
}

} // namespace collscope
