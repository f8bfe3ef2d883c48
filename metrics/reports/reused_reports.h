// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What reports say of themselves in their notes, so that those written earlier can be compared with others.

#include "metrics/reports/sheet.h"

#include <optional>
#include <string>
#include <string_view>

namespace collscope {

/// The note of a collective report on the unit of its bandwidths. `gib`: GiB/s under the heading "GB/s", as
/// TraceLens prints them; else decimal GB/s.
std::string bandwidthNote(bool gib);
/// Brings the bandwidths of a collective report to that unit. Its note says which one it has; reports of
/// older tools have no notes, and GiB/s. Afterwards a note says which unit it is, and whether that was worked
/// out. Workbooks without bandwidths stay as they are. O(cells of such columns).
void bringBandwidthsTo(bool gib, Workbook& collective);

/// The note of a report on the run that it is about. `source`: its path, as people can read it.
std::string sourceNote(std::string_view source);
/// What sourceNote() was made with; nullopt if no note of that kind is there: older tools write none.
std::optional<std::string> sourceOf(const Workbook& report);
/// The note of a report of times on a run in which no call was recognised: no report of collectives lies
/// beside it.
std::string noCallsNote();
/// Whether noCallsNote() is there, so that the other report is not missed.
bool saysNoCalls(const Workbook& report);
/// True for a sourceNote() that says no more than the label of the run: the end of its path.
bool saysItsLabel(std::string_view note, std::string_view label);

} // namespace collscope
