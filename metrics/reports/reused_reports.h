// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Notes in which reports describe themselves, so that reports written earlier can be compared with others.

#include "metrics/core/sheet.h"

#include <optional>
#include <string>
#include <string_view>

namespace collscope {

/// The note of a collective report on the unit of its bandwidths. `gib`: GiB/s under the heading "GB/s", as
/// TraceLens prints them; else decimal GB/s.
std::string bandwidthNote(bool gib);

/// The note of a report that names the run. `source`: its path in readable form.
std::string sourceNote(std::string_view source);
/// The source passed to sourceNote(); nullopt without such a note: older tools write none.
std::optional<std::string> sourceOf(const Workbook& report);
/// The note of a timing report for a run without recognised communication calls, which has no report of
/// collectives.
std::string noCallsNote();
/// Whether noCallsNote() is present, in which case the other report is not missing.
bool saysNoCalls(const Workbook& report);
/// Whether a sourceNote() contains no more than the label of the run: the end of its path.
bool saysItsLabel(std::string_view note, std::string_view label);

} // namespace collscope
