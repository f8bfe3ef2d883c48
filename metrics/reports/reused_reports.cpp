// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/reports/reused_reports.h"

#include <algorithm>

namespace collscope {

namespace {

constexpr std::string_view sourceBegin = "Made from ";

} // namespace

std::string bandwidthNote(bool gib)
{
    return gib ? "Bandwidths are in GiB/s, under the heading GB/s as in older tools."
               : "Bandwidths are in decimal GB/s; older tools print GiB/s (smaller by a factor of "
                 "1.073741824) under the same heading. Sizes (MB) are in MiB.";
}

std::string sourceNote(std::string_view source)
{
    return std::string(sourceBegin) + std::string(source) + ".";
}

std::optional<std::string> sourceOf(const Workbook& report)
{
    for (const std::string& note : report.notes) {
        if (note.starts_with(sourceBegin) && note.ends_with('.'))
            return note.substr(sourceBegin.size(), note.size() - sourceBegin.size() - 1);
    }
    return std::nullopt;
}

std::string noCallsNote()
{
    return "No communication call was recognised in this run, so it has no report of collectives.";
}

bool saysNoCalls(const Workbook& report)
{
    return std::find(report.notes.begin(), report.notes.end(), noCallsNote()) != report.notes.end();
}

bool saysItsLabel(std::string_view note, std::string_view label)
{
    if (!note.starts_with(sourceBegin) || !note.ends_with('.'))
        return false;
    note.remove_suffix(1);
    std::string path(note);
    std::replace(path.begin(), path.end(), '/', '_');
    return path.ends_with("_" + std::string(label));
}

} // namespace collscope
