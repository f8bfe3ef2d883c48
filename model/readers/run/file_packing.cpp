// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/run/file_packing.h"

namespace collscope {

std::string_view packingOf(std::string_view head)
{
    constexpr std::size_t tarMagic = 257;
    if (head.size() > tarMagic + 5 && head.substr(tarMagic, 5) == "ustar")
        return "a tar archive";
    if (head.starts_with("PK\x03\x04"))
        return "a zip archive";
    if (head.starts_with("BZh"))
        return "compressed with bzip2";
    if (head.starts_with("\x28\xB5\x2F\xFD"))
        return "compressed with zstd";
    return head.starts_with(std::string_view("\xFD"
                                             "7zXZ\0",
                                             6))
        ? "compressed with xz"
        : std::string_view();
}

bool isUtf16(std::string_view head)
{
    constexpr std::string_view brackets = "{[";
    const bool isMarked = head.starts_with("\xFF\xFE") || head.starts_with("\xFE\xFF");
    return isMarked
        || (head.size() >= 4
            && ((brackets.find(head[0]) != std::string_view::npos && head[1] == '\0' && head[3] == '\0')
                || (head[0] == '\0' && brackets.find(head[1]) != std::string_view::npos && head[2] == '\0')));
}

} // namespace collscope
