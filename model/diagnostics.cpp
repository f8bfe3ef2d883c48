// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/diagnostics.h"

#include <algorithm>
#include <functional>

namespace collscope {

namespace {

/// Most files have few findings, but a folder can have one for each of a hundred thousand files.
constexpr std::size_t fewEntries = 16;

std::size_t hashOf(std::string_view code, std::string_view file)
{
    const std::hash<std::string_view> hash;
    return hash(code) * 31 + hash(file);
}

} // namespace

Diagnostic* Diagnostics::find(std::string_view code, std::string_view file)
{
    const auto isSame = [&](const Diagnostic& entry) { return entry.code == code && entry.file == file; };
    if (m_entries.size() <= fewEntries) {
        const auto same = std::find_if(m_entries.begin(), m_entries.end(), isSame);
        return same == m_entries.end() ? nullptr : &*same;
    }
    const auto [begin, end] = m_index.equal_range(hashOf(code, file));
    const auto same
        = std::find_if(begin, end, [&](const auto& known) { return isSame(m_entries[known.second]); });
    return same == end ? nullptr : &m_entries[same->second];
}

void Diagnostics::append(Diagnostic&& problem)
{
    m_entries.push_back(std::move(problem));
    if (m_entries.size() <= fewEntries)
        return;
    for (std::size_t i = m_index.size(); i < m_entries.size(); ++i)
        m_index.emplace(hashOf(m_entries[i].code, m_entries[i].file), i);
}

void Diagnostics::add(Severity severity, std::string_view code, std::string_view file, std::uint64_t offset,
                      std::string_view explanation, std::uint64_t excludedEvents)
{
    if (Diagnostic* const same = find(code, file)) {
        ++same->count;
        same->excludedEvents += excludedEvents;
        return;
    }
    append({severity, std::string(code), std::string(file), offset, 1, excludedEvents,
            std::string(explanation)});
}

void Diagnostics::merge(const Diagnostics& other)
{
    for (const Diagnostic& problem : other.m_entries)
        merge(problem);
}

void Diagnostics::merge(const Diagnostic& problem)
{
    Diagnostic* const same = find(problem.code, problem.file);
    if (!same)
        return append(Diagnostic(problem));
    same->count += problem.count;
    same->excludedEvents += problem.excludedEvents;
}

void Diagnostics::explainMore(std::string_view code, std::string_view file, std::string_view sentence)
{
    if (Diagnostic* const entry = find(code, file))
        entry->explanation += sentence;
}

std::uint64_t Diagnostics::excludedEvents() const
{
    std::uint64_t sum = 0;
    for (const Diagnostic& d : m_entries)
        sum += d.excludedEvents;
    return sum;
}

std::string_view severityName(Severity severity)
{
    switch (severity) {
    case Severity::Info:
        return "info";
    case Severity::Notice:
        return "notice";
    case Severity::DataLoss:
        return "data loss";
    case Severity::Error:
        return "error";
    }
    return "";
}

} // namespace collscope
