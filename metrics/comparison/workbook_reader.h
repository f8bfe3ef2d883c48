// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Reads workbooks that were written earlier, by Collscope or by the tools it replaces.

#include "metrics/core/sheet.h"
#include "model/result.h"

#include <limits>

namespace collscope {

/// Every sheet of an .xlsx file with its first row as header; numbers, texts and truth values are kept as
/// they are, formulas are replaced by their last results. A sheet "Notes" that contains only texts becomes
/// Workbook::notes. Error: not a workbook, a damaged workbook, or one whose sheets inflate to more than one
/// of our workbooks can contain; TooLarge: reading it would need more than `mostMemory` bytes. `name`: name
/// of the file, for messages.
Result<Workbook> readWorkbook(std::string_view bytes, const std::string& name,
                              std::uint64_t mostMemory = std::numeric_limits<std::uint64_t>::max());

/// Whether every file in the .xlsx is there up to its last tag. Inflates all of them, piece by piece.
bool isWorkbookWhole(std::string_view bytes);

} // namespace collscope
