// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What runs are called in tables and folders.

#include "metrics/reports/comparison.h"
#include "model/valid_text.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace collscope {

namespace {

/// Bytes. Labels are folders with names of files below them, and stand in every header.
constexpr std::size_t longestLabel = 64;

/// Columns of comparisons are told by what their names begin with: no run may be called so.
bool isTakenForAColumn(std::string_view label)
{
    return label.starts_with("diff_") || label.starts_with("ratio_") || label.starts_with("percent_change")
        || label.starts_with("change_percent") || label == "diff" || label == "ratio";
}

/// Folders of a path, the last one at the end, as text that folders, headers and XML can hold.
std::vector<std::string> foldersOf(const std::string& path)
{
    std::vector<std::string> folders;
    for (const std::filesystem::path& part : std::filesystem::path(path).lexically_normal()) {
        // No label leads out of the folder that it is put into.
        if (!part.empty() && part != "/" && part != "." && part != "..")
            folders.push_back(plainText(part.string()));
    }
    return folders;
}

/// The last folders, joined; "run" if there are none.
std::string labelOf(const std::vector<std::string>& folders, std::size_t count)
{
    std::string label;
    for (std::size_t i = folders.size() - std::min(count, folders.size()); i < folders.size(); ++i)
        label += (label.empty() ? "" : "_") + folders[i];
    if (label.empty())
        return "run";
    return isTakenForAColumn(label) ? "run_" + label : label;
}

} // namespace

std::string mistakeInLabel(const std::string& name)
{
    if (name.size() > longestLabel)
        return "has more than " + std::to_string(longestLabel) + " bytes.";
    if (name.find('/') != std::string::npos || name == "." || name == ".." || plainText(name) != name)
        return "cannot be the name of a folder.";
    return isTakenForAColumn(name) ? "begins like a column of differences." : "";
}

std::vector<std::string> runLabels(const std::vector<std::string>& paths)
{
    std::vector<std::vector<std::string>> folders;
    std::size_t most = 1;
    for (const std::string& path : paths) {
        folders.push_back(foldersOf(path));
        most = std::max(most, folders.back().size());
    }
    for (std::size_t count = 1; count <= most; ++count) {
        std::vector<std::string> labels;
        bool isCut = false;
        for (const std::vector<std::string>& own : folders) {
            const std::string label = labelOf(own, count);
            labels.emplace_back(textFront(label, longestLabel));
            isCut |= labels.back().size() < label.size();
        }
        // Of several folders the cut would take the last, the one that people know.
        if (count > 1 && isCut)
            break;
        if (std::set(labels.begin(), labels.end()).size() == labels.size())
            return labels;
    }
    std::vector<std::string> labels;
    for (std::size_t i = 0; i < paths.size(); ++i)
        labels.push_back(i == 0 ? "base" : i == 1 ? "test" : "test_" + std::to_string(i));
    return labels;
}

} // namespace collscope
