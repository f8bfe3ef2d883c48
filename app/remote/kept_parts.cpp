// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/remote/kept_parts.h"

#include "app/files/batch_io.h"
#include "model/partial/part_file.h"
#include "model/partial/reduce_plan.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>

namespace collscope {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t mostKeptRuns = 16; ///< runs

std::string hexText(std::uint64_t number)
{
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(number));
    return text;
}

std::optional<std::uint64_t> hexNumber(std::string_view text)
{
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, 16);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

fs::path allFolders(const std::string& cacheFolder)
{
    return fs::path(cacheFolder) / "remote";
}

/// What the name of a folder begins with: which run of which machine it is.
std::string beginOfName(const RemoteAddress& address)
{
    return hexText(planHash(address.prefix() + "\n" + address.path)) + "-";
}

/// Folders, the one that was used last first.
std::vector<fs::path> foldersByUse(const fs::path& parent, const std::string& begin)
{
    std::vector<std::pair<fs::file_time_type, fs::path>> found;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(parent, error)) {
        std::error_code ignored;
        if (entry.path().filename().string().starts_with(begin) && entry.is_directory(ignored))
            found.emplace_back(entry.last_write_time(ignored), entry.path());
    }
    std::sort(found.rbegin(), found.rend());
    std::vector<fs::path> folders;
    for (auto& [time, path] : found)
        folders.push_back(std::move(path));
    return folders;
}

/// The tasks of whole parts in a folder.
std::set<std::uint32_t> tasksIn(const fs::path& folder, std::uint64_t plan)
{
    std::set<std::uint32_t> tasks;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        if (entry.path().extension() != partEnding)
            continue;
        const auto index = readPartIndex(entry.path().string());
        const bool isWhole = index && index->isOf(plan, index->tasks.front())
            && entry.path().filename() == partName(index->tasks.front(), plan)
            && std::all_of(index->sections.begin(), index->sections.end(), [](const auto& section) {
                                 return section.second.failure.empty() && isSectionSound(section.second);
                             });
        if (isWhole)
            tasks.insert(index->tasks.front());
    }
    return tasks;
}

} // namespace

std::vector<std::string> keptPartsOf(const std::string& cacheFolder, const RemoteAddress& address)
{
    std::vector<std::string> all;
    const std::string begin = beginOfName(address);
    for (const fs::path& folder : foldersByUse(allFolders(cacheFolder), begin)) {
        const std::string hash = folder.filename().string().substr(begin.size());
        const auto plan = hexNumber(hash);
        const std::set<std::uint32_t> tasks = plan ? tasksIn(folder, *plan) : std::set<std::uint32_t>();
        if (tasks.empty())
            continue;
        std::string text = hash + ":";
        for (const std::uint32_t task : tasks)
            text += (text.back() == ':' ? "" : ",") + std::to_string(task);
        all.push_back(std::move(text));
    }
    return all;
}

Result<std::string> folderForParts(const std::string& cacheFolder, const RemoteAddress& address,
                                   std::uint64_t planHash, std::set<std::uint32_t>& kept)
{
    const fs::path parent = allFolders(cacheFolder);
    const fs::path folder = parent / (beginOfName(address) + hexText(planHash));
    if (const Status made = tryMakeFolder(folder.string()); !made)
        return made.error();
    std::error_code ignored;
    fs::permissions(parent, fs::perms::owner_all, ignored); // traces may be private
    fs::last_write_time(folder, fs::file_time_type::clock::now(), ignored);
    kept = tasksIn(folder, planHash);
    const std::vector<fs::path> folders = foldersByUse(parent, "");
    for (std::size_t i = mostKeptRuns; i < folders.size(); ++i)
        fs::remove_all(folders[i], ignored);
    return folder.string();
}

Result<KeptParts> parseKeptParts(std::string_view text)
{
    const auto mistake = [&] {
        return Error{Error::Kind::Usage,
                     "--have takes the hash of a plan and tasks, not '" + std::string(text) + "'."};
    };
    const std::size_t colon = text.find(':');
    const auto plan = hexNumber(text.substr(0, colon));
    if (!plan || colon == std::string_view::npos)
        return mistake();
    KeptParts kept{*plan, {}};
    std::string_view rest = text.substr(colon + 1);
    while (!rest.empty()) {
        std::uint32_t task = 0;
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), task);
        rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
        if (error != std::errc() || (!rest.empty() && rest.front() != ','))
            return mistake();
        rest.remove_prefix(rest.empty() ? 0 : 1);
        kept.tasks.insert(task);
    }
    return kept;
}

} // namespace collscope
