// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Tables of a page, and numbers as people read them. The exact number is beside the one that is shown.

#include "metrics/core/sheet.h"
#include "metrics/export/page/html_writer.h"

#include <string>
#include <vector>

namespace collscope {

struct PageCell
{
    std::string text;
    bool isNumber = false;
    bool isSentence = false; ///< names are between back-ticks
    std::string exact = {}; ///< the number as --json writes it; empty: the text is exact
    std::string look = {}; ///< a class of the style
    std::string more = {}; ///< a second line
};
PageCell numberCellOf(std::string text, std::string exact = {});
/// A duration in words, and in ns.
PageCell timeCell(std::int64_t ns);

struct PageColumn
{
    std::string title;
    bool isNumber = false;
};

/// At most `most` rows; the caption says how many are left out. Each row is as long as `columns`. Columns in
/// which all cells are empty are left out.
void writeTable(HtmlWriter& html, const std::string& caption, const std::vector<PageColumn>& columns,
                const std::vector<std::vector<PageCell>>& rows, std::size_t most = 1000);

/// Four digits, and zero without a sign: "12.35".
std::string shownNumber(double number);
/// A value with its unit as people read it: 0.016 s is "16 ms", a ratio of 0.62 is "62 %".
struct ShownValue
{
    std::string number, unit;
};
ShownValue shownValue(double value, std::string_view unit);

} // namespace collscope
