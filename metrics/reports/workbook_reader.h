// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Workbooks that were written earlier, by Collscope or by the tools it replaces.

#include "metrics/reports/sheet.h"
#include "model/result.h"

#include <limits>

namespace collscope {

/// Every sheet of an .xlsx file with its first row as header; numbers, texts and truth values as they are,
/// what formulas gave last instead of formulas. A sheet "Notes" of texts alone is Workbook::notes. Error: no
/// workbook, a damaged one, or one whose sheets inflate to more than a workbook of ours can hold; TooLarge:
/// reading it would take more than `mostMemory` bytes. `name`: of the file, for messages.
Result<Workbook> readWorkbook(std::string_view bytes, const std::string& name,
                              std::uint64_t mostMemory = std::numeric_limits<std::uint64_t>::max());

} // namespace collscope
