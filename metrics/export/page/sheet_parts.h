// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Sheets of reports, and pictures that the window's painters drew, as parts of a page.

#include "metrics/core/sheet.h"
#include "metrics/export/page/html_writer.h"

#include <string>
#include <vector>

namespace collscope {

/// A picture of the plots of a report.
struct PagePicture
{
    std::string title;
    std::string base64; ///< the PNG file, in the letters of RFC 4648
};
/// Inside the page, so that it needs no other file.
void writePng(HtmlWriter& html, const PagePicture& picture);

/// A table with a column for each heading: at most `most` rows, with the front of long texts. Nothing for a
/// sheet without rows.
void writeSheet(HtmlWriter& html, const Sheet& sheet, const std::string& caption,
                const std::vector<std::string>& headings, std::size_t most);
/// The titles of the columns, with blanks for underscores.
std::vector<std::string> headingsOf(const Sheet& sheet);
std::string withBlanks(std::string title);

} // namespace collscope
