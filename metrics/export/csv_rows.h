// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The CSV of resultsCsv() piece by piece, so that results can be written and forgotten one after the other:
// of ten thousand ranks, the values of all metrics in all steps do not fit into memory.

#include "metrics/export/written_report.h"

#include <functional>

namespace collscope {

/// The first line.
std::string resultsCsvHeader();
/// The lines of one result, passed on in pieces until `take` returns false.
void writeCsvRows(const NamedResult& named, const std::function<bool(std::string_view piece)>& take);

} // namespace collscope
