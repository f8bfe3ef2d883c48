// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/reports/reused_reports.h"

#include "metrics/reports/keyed_rows.h"

#include <algorithm>

namespace collscope {

namespace {

constexpr double gibibyte = 1.073741824; ///< 2^30 bytes in units of 10^9 bytes
constexpr std::string_view unitNote = "Bandwidths are in ";
constexpr std::string_view gibNote = "Bandwidths are in GiB/s";
constexpr std::string_view sourceBegin = "Made from ";

bool isBandwidth(std::string_view column)
{
    return column.find("bw (GB/s)") != std::string_view::npos
        || column.find("throughput (GB/s)") != std::string_view::npos;
}

void multiply(Sheet& sheet, std::size_t column, double factor)
{
    for (Value::Array& row : sheet.rows) {
        if (const auto number = numberOf(row[column]))
            row[column] = *number * factor;
    }
}

} // namespace

std::string bandwidthNote(bool gib)
{
    return gib ? "Bandwidths are in GiB/s, under the heading GB/s as in older tools."
               : "Bandwidths are in decimal GB/s; older tools print GiB/s (smaller by a factor of "
                 "1.073741824) under the same heading. Sizes (MB) are in MiB.";
}

void bringBandwidthsTo(bool wantsGib, Workbook& collective)
{
    std::vector<std::string>& notes = collective.notes;
    const auto known = std::find_if(notes.begin(), notes.end(),
                                    [](const std::string& note) { return note.starts_with(unitNote); });
    const bool isGib = known == notes.end() || known->starts_with(gibNote);
    bool hasAny = false;
    for (Sheet& sheet : collective.sheets) {
        for (std::size_t c = 0; c < sheet.columns.size(); ++c) {
            if (!isBandwidth(sheet.columns[c]))
                continue;
            hasAny = true;
            if (isGib != wantsGib)
                multiply(sheet, c, isGib ? gibibyte : 1 / gibibyte);
        }
    }
    if (!hasAny || (known != notes.end() && isGib == wantsGib))
        return;
    std::string note = bandwidthNote(wantsGib);
    if (isGib && !wantsGib)
        note += " The bandwidths of this run were read in GiB/s and multiplied by 1.073741824.";
    else if (!isGib)
        note += " The bandwidths of this run were read in decimal GB/s and divided by 1.073741824.";
    if (known == notes.end())
        notes.push_back(std::move(note));
    else
        *known = std::move(note);
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
