// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <vector>

namespace collscope {

/// Returns the absolute folders of a list such as PATH, which colons separate. Others are left out: "." would
/// be the folder of a trace.
inline std::vector<std::filesystem::path> absoluteFolders(std::string_view list)
{
    std::vector<std::filesystem::path> folders;
    while (!list.empty()) {
        const std::size_t colon = std::min(list.find(':'), list.size());
        if (std::filesystem::path folder(list.substr(0, colon)); folder.is_absolute())
            folders.push_back(std::move(folder));
        list.remove_prefix(std::min(colon + 1, list.size()));
    }
    return folders;
}

} // namespace collscope
