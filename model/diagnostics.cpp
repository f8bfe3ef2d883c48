// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/diagnostics.h"

#include <algorithm>

namespace collscope {

void Diagnostics::add(Severity severity, std::string_view code, std::string_view file, std::uint64_t offset,
                      std::string_view explanation, std::uint64_t excludedEvents)
{
    const auto same = std::find_if(m_entries.begin(), m_entries.end(),
                                   [&](const Diagnostic& d) { return d.code == code && d.file == file; });
    if (same != m_entries.end()) {
        ++same->count;
        same->excludedEvents += excludedEvents;
        return;
    }
    m_entries.push_back({severity, std::string(code), std::string(file), offset, 1, excludedEvents,
                         std::string(explanation)});
}

void Diagnostics::merge(const Diagnostics& other)
{
    for (const Diagnostic& problem : other.m_entries)
        merge(problem);
}

void Diagnostics::merge(const Diagnostic& problem)
{
    const auto same = std::find_if(m_entries.begin(), m_entries.end(), [&](const Diagnostic& mine) {
        return mine.code == problem.code && mine.file == problem.file;
    });
    if (same == m_entries.end()) {
        m_entries.push_back(problem);
    } else {
        same->count += problem.count;
        same->excludedEvents += problem.excludedEvents;
    }
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
