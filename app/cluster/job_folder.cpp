// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cluster/job_folder.h"

#include "app/files/batch_io.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace collscope {

namespace fs = std::filesystem;

namespace {

bool hasContent(const fs::path& path, const std::string& text)
{
    std::ifstream file(path, std::ios::binary);
    return file
        && std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()) == text;
}

/// What an entry of the folder is instead of one that would be written; "" if it is one.
std::string differenceOf(const fs::directory_entry& entry, const std::vector<JobFile>& files,
                         const std::vector<std::string>& emptyFolders)
{
    const std::string name = entry.path().filename().string();
    std::error_code error;
    if (name == submittedName)
        return name + " lists jobs that were submitted";
    if (std::find(emptyFolders.begin(), emptyFolders.end(), name) != emptyFolders.end())
        return entry.is_directory(error) && fs::is_empty(entry.path(), error) ? "" : name + " is not empty";
    const auto file
        = std::find_if(files.begin(), files.end(), [&](const JobFile& own) { return own.name == name; });
    if (file == files.end())
        return name + " does not belong to these jobs";
    return hasContent(entry.path(), file->text) ? "" : name + " is different";
}

} // namespace

bool writeJobFolder(const std::string& folder, const std::vector<JobFile>& files,
                    const std::vector<std::string>& emptyFolders)
{
    std::error_code error;
    std::vector<std::string> differences;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        if (std::string difference = differenceOf(entry, files, emptyFolders); !difference.empty())
            differences.push_back(std::move(difference));
    }
    if (!differences.empty()) {
        const std::string& first = *std::min_element(differences.begin(), differences.end());
        say(folder + " is not empty, and not what this command would write: " + first
            + ". Give a new folder for the jobs.");
        return false;
    }
    for (const std::string& name : emptyFolders) {
        if (!makeFolder(pathIn(folder, name)))
            return false;
    }
    return std::all_of(files.begin(), files.end(), [&](const JobFile& file) {
        return writeFile(pathIn(folder, file.name), file.text, file.isScript);
    });
}

} // namespace collscope
