// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Names of runs in tables and folders.

#include "metrics/comparison/comparison.h"
#include "model/text/valid_text.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace collscope {

namespace {

/// Bytes. Labels are names of folders that contain further files, and appear in every header.
constexpr std::size_t longestLabel = 64;

/// Comparison columns are identified by the start of their names, so a run must not have such a name.
bool isTakenForAColumn(std::string_view label)
{
    return label.starts_with("diff_") || label.starts_with("ratio_") || label.starts_with("percent_change")
        || label.starts_with("change_percent") || label == "diff" || label == "ratio";
}

/// The folders of a path, the last one at the end, as text that is valid in folder names, headers and XML.
std::vector<std::string> foldersOf(const std::string& path)
{
    std::vector<std::string> folders;
    for (const std::filesystem::path& part : std::filesystem::path(path).lexically_normal()) {
        // A label must not lead out of the folder that contains it.
        if (!part.empty() && part != "/" && part != "." && part != "..")
            folders.push_back(plainText(part.string()));
    }
    return folders;
}

/// The last `count` folders, joined; "run" if there are none.
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

Status checkLabel(const std::string& name)
{
    const auto mistake = [&name](const std::string& why) {
        return Error{Error::Kind::Usage, "The run name '" + name + "' " + why};
    };
    if (name.size() > longestLabel)
        return mistake("is longer than " + std::to_string(longestLabel) + " bytes.");
    if (name.find('/') != std::string::npos || name == "." || name == ".." || plainText(name) != name)
        return mistake("cannot be used as a folder name.");
    if (isTakenForAColumn(name))
        return mistake("starts like the title of a difference column.");
    return {};
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
        // With several folders, truncation would cut the last one, which is the most recognisable.
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
