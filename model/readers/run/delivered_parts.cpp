// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/run/delivered_parts.h"

#include <algorithm>
#include <filesystem>

namespace collscope {

namespace fs = std::filesystem;

namespace {

/// "14 files, ranks 3, 7 and 12 more", as far as the ranks are known.
std::string ranksText(const std::vector<const ReducePlan::File*>& files)
{
    constexpr std::size_t most = 32;
    std::vector<std::int32_t> ranks;
    for (const ReducePlan::File* file : files) {
        if (const auto rank = file->rank())
            ranks.push_back(*rank);
    }
    std::sort(ranks.begin(), ranks.end());
    std::string text = std::to_string(files.size()) + (files.size() == 1 ? " file" : " files");
    for (std::size_t i = 0; i < std::min(ranks.size(), most); ++i)
        text.append(i == 0 ? ", ranks " : ", ").append(std::to_string(ranks[i]));
    if (ranks.size() > most)
        text += " and " + std::to_string(ranks.size() - most) + " more";
    return text;
}

/// Whether the sections are the same, by their checksums.
bool areSame(const PartLocation& a, const PartLocation& b)
{
    const auto keyOf = [](const PartLocation& place) {
        return std::tie(place.packedBytes, place.bytes, place.checksum, place.storedBytes,
                        place.storedChecksum);
    };
    return keyOf(a) == keyOf(b);
}

} // namespace

std::vector<std::string> partsIn(const std::vector<std::string>& folders)
{
    std::vector<fs::path> parts;
    std::error_code error;
    for (const std::string& folder : folders) {
        for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
            if (entry.path().extension() == partEnding)
                parts.push_back(entry.path());
        }
    }
    std::sort(parts.begin(), parts.end());
    return {parts.begin(), parts.end()};
}

DeliveredParts::DeliveredParts(const std::vector<std::string>& folders, const ReducePlan& plan,
                               std::uint64_t hash, Diagnostics& problems, TaskRange tasks)
    : m_plan(plan)
    , m_hash(hash)
    , m_range(tasks)
    , m_tasks(plan.tasks)
{
    for (const std::string& path : partsIn(folders))
        read(path, problems);
    for (const std::uint32_t file : m_differing)
        m_sections.erase(file);
}

void DeliveredParts::read(const std::string& path, Diagnostics& problems)
{
    auto index = readPartIndex(path);
    const std::string name = fs::path(path).filename().string();
    if (!index && index.error().kind == Error::Kind::Io) {
        problems.add(Severity::Notice, "unreadable_part", path, 0, index.error().message);
        m_unusable.emplace(name, "a part that cannot be opened");
        return;
    }
    if (!index || index->plan != m_hash || index->tasks.back() >= m_plan.tasks) {
        problems.add(Severity::Notice, "foreign_part", path, 0,
                     !index ? index.error().message
                            : "The part belongs to another plan or another version of the program, and "
                              "is not loaded.");
        m_unusable.emplace(
            name,
            !index && index.error().kind == Error::Kind::Unsupported
                ? "a part in the format of another version of the program (reduce the run again)"
                : "a part that cannot be used");
        return;
    }
    for (const std::uint32_t task : index->tasks)
        m_tasks[task] = true;
    for (auto& [file, place] : index->sections) {
        if (file >= m_plan.files.size())
            continue;
        const std::uint32_t task = m_plan.files[file].task;
        if (m_range.contains(task) && std::binary_search(index->tasks.begin(), index->tasks.end(), task))
            add(file, std::move(place), problems);
    }
}

std::vector<std::uint32_t> DeliveredParts::tasks() const
{
    std::vector<std::uint32_t> tasks;
    for (std::uint32_t task = 0; task < m_tasks.size(); ++task) {
        if (m_tasks[task] && m_range.contains(task))
            tasks.push_back(task);
    }
    return tasks;
}

void DeliveredParts::add(std::uint32_t file, PartLocation place, Diagnostics& problems)
{
    const auto [known, isNew] = m_sections.try_emplace(file, place);
    PartLocation& before = known->second;
    if (isNew || !place.failure.empty())
        return;
    // A task that was started again may have read what it could not read before.
    if (!before.failure.empty())
        before = std::move(place);
    else if (!areSame(before, place) && m_differing.insert(file).second)
        problems.add(Severity::Notice, "differing_parts", place.file->path(), 0,
                     "What it contains of " + m_plan.files[file].path + " is stored in other bytes than in "
                         + before.file->path() + ". Neither is loaded: remove the wrong part.");
}

std::string_view DeliveredParts::partOf(std::uint32_t task) const
{
    const auto isOfTask = [&](std::uint32_t file) { return m_plan.files[file].task == task; };
    if (std::any_of(m_differing.begin(), m_differing.end(), isOfTask))
        return "parts that differ";
    if (m_tasks[task])
        return "an incomplete part";
    const auto unusable = m_unusable.find(partName(task, m_hash));
    if (unusable != m_unusable.end())
        return unusable->second;
    // Its part may be in one of these.
    const bool mayBeJoined = std::any_of(m_unusable.begin(), m_unusable.end(),
                                         [](const auto& part) { return !isPartName(part.first); });
    return mayBeJoined ? "no part that can be used" : "no part";
}

bool DeliveredParts::reportMissing(Diagnostics& problems) const
{
    std::map<std::uint32_t, std::vector<const ReducePlan::File*>> missing;
    for (std::uint32_t file = 0; file < m_plan.files.size(); ++file) {
        const ReducePlan::File& planned = m_plan.files[file];
        if (m_range.contains(planned.task) && !m_sections.contains(file))
            missing[planned.task].push_back(&planned);
    }
    for (const auto& [task, files] : missing)
        problems.add(Severity::DataLoss, missingPart, partName(task, m_hash), 0,
                     "Task " + std::to_string(task) + " of " + std::to_string(m_plan.tasks) + " produced "
                         + std::string(partOf(task)) + ": " + ranksText(files) + " are missing.");
    return !missing.empty();
}

} // namespace collscope
