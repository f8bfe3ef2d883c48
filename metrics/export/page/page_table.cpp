// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/page/page_table.h"

#include "metrics/core/duration_text.h"
#include "metrics/export/written_report.h"

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {

void writeCell(HtmlWriter& html, const PageCell& cell)
{
    std::string look = cell.isNumber ? "number" : "name";
    if (!cell.look.empty())
        look += " " + cell.look;
    if (!cell.isSentence && cell.more.empty()) {
        if (cell.exact.empty())
            html.leaf("td", cell.text, {{"class", look}});
        else
            html.leaf("td", cell.text, {{"class", look}, {"data-value", cell.exact}});
        return;
    }
    const auto box = html.element("td", {{"class", look}});
    html.sentence(cell.text);
    if (!cell.more.empty())
        html.leaf("small", cell.more);
}

/// Whether a column has a cell with content in the first rows.
bool isFilled(const std::vector<std::vector<PageCell>>& rows, std::size_t column, std::size_t shown)
{
    return std::any_of(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(shown),
                       [&](const auto& row) { return !row[column].text.empty(); });
}

/// "16" and "ms" of "16 ms".
ShownValue divided(const std::string& text)
{
    const std::size_t blank = text.rfind(' ');
    return blank == std::string::npos ? ShownValue{text, {}}
                                      : ShownValue{text.substr(0, blank), text.substr(blank + 1)};
}

bool fitsInt64(double ns)
{
    return std::abs(ns) < 9e18;
}

} // namespace

PageCell numberCellOf(std::string text, std::string exact)
{
    return {std::move(text), true, false, std::move(exact)};
}

PageCell timeCell(std::int64_t ns)
{
    return numberCellOf(timeText(ns), std::to_string(ns));
}

void writeTable(HtmlWriter& html, const std::string& caption, const std::vector<PageColumn>& columns,
                const std::vector<std::vector<PageCell>>& rows, std::size_t most)
{
    const auto frame = html.element("div", {{"class", "scroll"}});
    const auto table = html.element("table");
    const std::size_t shown = std::min(rows.size(), most);
    html.leaf("caption",
              caption
                  + (shown < rows.size()
                         ? " The first " + std::to_string(shown) + " of " + std::to_string(rows.size()) + "."
                         : std::string()));
    std::vector<bool> isShown;
    for (std::size_t column = 0; column < columns.size(); ++column)
        isShown.push_back(isFilled(rows, column, shown));
    {
        const auto head = html.element("thead");
        const auto row = html.element("tr");
        for (std::size_t i = 0; i < columns.size(); ++i) {
            if (isShown[i])
                html.leaf("th", columns[i].title,
                          {{"scope", "col"}, {"class", columns[i].isNumber ? "number" : ""}});
        }
    }
    const auto body = html.element("tbody");
    for (std::size_t i = 0; i < shown; ++i) {
        const auto row = html.element("tr");
        for (std::size_t column = 0; column < columns.size(); ++column) {
            if (isShown[column])
                writeCell(html, rows[i][column]);
        }
    }
}

std::string shownNumber(double number)
{
    constexpr double large = 1e9;
    if (number == 0 || !std::isfinite(number))
        return number == 0 ? "0" : numberText(number);
    if (number == std::floor(number) && std::abs(number) < large)
        return fixedText(number, 0);
    const int before = static_cast<int>(std::floor(std::log10(std::abs(number))));
    const std::string text = fixedText(number, std::clamp(3 - before, 0, 6));
    return std::stod(text) == 0 ? numberText(number) : text;
}

ShownValue shownValue(double value, std::string_view unit)
{
    const double perUnit = unit == "s"      ? 1e9
        : unit == "ms"                      ? 1e6
        : unit == "us" || unit == "\u00b5s" ? 1e3
        : unit == "ns"                      ? 1
                                            : 0;
    if (perUnit > 0 && fitsInt64(value * perUnit) && std::abs(value * perUnit) >= 1)
        return divided(timeText(std::llround(value * perUnit)));
    if (unit == "bytes")
        return divided(bytesText(value));
    if (unit == "ratio" && std::abs(value) < 1)
        return {shownNumber(100 * value), "%"};
    return {shownNumber(value), std::string(unit == "ratio" ? "\u00d7" : unit)};
}

} // namespace collscope
