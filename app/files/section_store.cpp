// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/files/section_store.h"

#include "app/files/whole_file.h"
#include "model/partial/reduce_plan.h"
#include "model/partial/section_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace collscope {

namespace fs = std::filesystem;

SectionStore::SectionStore(const std::string& folder, std::uint64_t plan, std::uint32_t task,
                           const std::set<std::uint32_t>& files)
    : m_plan(plan)
    , m_task(task)
    , m_prefix((fs::path(folder) / sectionsPrefix(task, plan)).string())
    , m_partPath((fs::path(folder) / partName(task, plan)).string())
    , m_missing(files)
{
    takeOver(folder, files);
}

SectionStore::~SectionStore()
{
    if (m_file >= 0)
        ::close(m_file);
}

void SectionStore::takeOver(const std::string& folder, const std::set<std::uint32_t>& files)
{
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        const std::string path = entry.path().string();
        if (path.starts_with(m_prefix) && path.ends_with(sectionsEnding) && entry.is_regular_file(error))
            m_found.push_back(path);
    }
    std::sort(m_found.begin(), m_found.end());
    for (const std::string& path : m_found) {
        for (auto& [file, place] : readSections(path, m_plan, m_task, files))
            takeOver(file, std::move(place));
    }
    auto part = readPartIndex(m_partPath);
    if (!part || !part->isOf(m_plan, m_task))
        return;
    for (auto& [file, place] : part->sections) {
        if (place.failure.empty() && m_missing.contains(file) && isSectionSound(place))
            takeOver(file, std::move(place));
    }
}

void SectionStore::takeOver(std::uint32_t file, PartLocation place)
{
    if (m_missing.erase(file) > 0)
        m_sections.emplace(file, PackedSection{file, {}, std::move(place)});
}

Status SectionStore::open()
{
    m_path = m_prefix + "XXXXXX" + std::string(sectionsEnding);
    m_file = ::mkostemps(m_path.data(), static_cast<int>(sectionsEnding.size()), O_CLOEXEC);
    if (m_file < 0)
        return Error{Error::Kind::Io,
                     "cannot write " + m_path + ": " + std::generic_category().message(errno) + ".", m_path};
    auto saved = OpenedFile::open(m_path);
    if (!saved)
        return saved.error();
    m_saved = std::move(*saved);
    return append(sectionsHeader(m_plan, m_task));
}

Status SectionStore::append(std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = ::write(m_file, bytes.data(), bytes.size());
        if (written < 0 && errno != EINTR)
            return Error{Error::Kind::Io,
                         "cannot write " + m_path + ": " + std::generic_category().message(errno) + ".",
                         m_path};
        if (written > 0) {
            bytes.remove_prefix(static_cast<std::size_t>(written));
            m_size += static_cast<std::uint64_t>(written);
        }
    }
    return {};
}

Status SectionStore::add(PackedSection section)
{
    const std::lock_guard lock(m_mutex);
    if (section.place.failure.empty()) {
        if (const Status opened = m_file < 0 ? open() : Status(); !opened)
            return opened;
        if (const Status written = append(sectionHeader(section)); !written)
            return written;
        section.place.file = m_saved;
        section.place.offset = m_size;
        if (const Status written = append(section.packed); !written)
            return written;
        section.packed = {};
    }
    m_sections.insert_or_assign(section.file, std::move(section));
    return {};
}

Status SectionStore::finish()
{
    std::vector<PackedSection> sections;
    for (const auto& [file, section] : m_sections)
        sections.push_back(section);
    WholeFile part(m_partPath);
    const Status written
        = writePart(m_plan, {m_task}, std::move(sections), [&](std::string_view piece) -> Status {
              return part.write(piece) ? Status() : part.status();
          });
    if (!written)
        return written;
    if (const Status committed = part.commit(); !committed)
        return committed;
    removeSaved();
    return {};
}

void SectionStore::removeSaved()
{
    if (!m_path.empty())
        ::unlink(m_path.c_str());
    for (const std::string& path : m_found)
        ::unlink(path.c_str());
}

std::vector<std::pair<std::uint32_t, std::string>> SectionStore::failures() const
{
    std::vector<std::pair<std::uint32_t, std::string>> failures;
    for (const auto& [file, section] : m_sections) {
        if (!section.place.failure.empty())
            failures.emplace_back(file, section.place.failure);
    }
    return failures;
}

} // namespace collscope
