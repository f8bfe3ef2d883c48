// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/page/sheet_parts.h"

#include "metrics/export/page/page_table.h"
#include "model/text/valid_text.h"

#include <algorithm>

namespace collscope {

namespace {

PageCell cellOf(const Value& value)
{
    if (const auto number = numberOf(value))
        return numberCellOf(shownNumber(*number), numberTextOf(value));
    constexpr std::size_t longest = 160; // bytes
    std::string text = keyText(value);
    if (text.size() > longest)
        text = std::string(textFront(text, longest)) + "\u2026";
    return {text, false, false, {}, text == "Better" ? "better" : text == "Worse" ? "worse" : ""};
}

} // namespace

void writePng(HtmlWriter& html, const PagePicture& picture)
{
    const auto figure = html.element("figure");
    html.lone("img", {{"alt", picture.title}, {"src", "data:image/png;base64," + picture.base64}});
}

void writeSheet(HtmlWriter& html, const Sheet& sheet, const std::string& caption,
                const std::vector<std::string>& headings, std::size_t most)
{
    if (sheet.isEmpty())
        return;
    std::vector<PageColumn> columns;
    for (const std::string& heading : headings)
        columns.push_back({heading});
    std::vector<std::vector<PageCell>> rows;
    sheet.forEachRow([&](const Value::Array& row) {
        std::vector<PageCell>& cells = rows.emplace_back();
        for (std::size_t i = 0; i < std::min(row.size(), columns.size()); ++i) {
            cells.push_back(cellOf(row[i]));
            columns[i].isNumber = columns[i].isNumber || cells.back().isNumber;
        }
        return true;
    });
    writeTable(html, caption, columns, rows, most);
}

std::vector<std::string> headingsOf(const Sheet& sheet)
{
    std::vector<std::string> headings;
    for (const std::string& title : sheet.columns)
        headings.push_back(withBlanks(title));
    return headings;
}

std::string withBlanks(std::string title)
{
    std::replace(title.begin(), title.end(), '_', ' ');
    return title;
}

} // namespace collscope
