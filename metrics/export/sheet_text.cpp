// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Sheets as CSV and JSON, and their names in files. The text is written directly: a tree of all cells of a
// large run would need many times its memory.

#include "metrics/export/workbook.h"
#include "metrics/export/written_report.h"
#include "model/text/lower_case.h"
#include "model/text/valid_text.h"

#include <utility>

namespace collscope {

namespace {

constexpr std::size_t longestSheetName = 31;

/// A number or Boolean, which CSV and JSON write alike; "" for anything else, including NaN and infinity.
std::string numberCellText(const Value& cell)
{
    if (const auto* truth = cell.as<bool>())
        return *truth ? "true" : "false";
    return numberTextOf(cell);
}

std::string jsonCell(const Value& cell)
{
    if (const auto* words = cell.as<std::string>())
        return jsonQuoted(*words);
    const std::string text = numberCellText(cell);
    return text.empty() ? "null" : text;
}

/// "[a, b, c]"
template<typename Items, typename Text>
void addList(const Items& items, Text text, std::string& json)
{
    json += '[';
    bool isFirst = true;
    for (const auto& item : items) {
        json += std::exchange(isFirst, false) ? "" : ", ";
        json += text(item);
    }
    json += ']';
}

} // namespace

std::string sheetName(std::string_view wanted)
{
    std::string name;
    for (const char c : textFront(wanted, longestSheetName)) {
        const bool isForbidden = std::string_view("[]:*?/\\").find(c) != std::string_view::npos
            || static_cast<unsigned char>(c) < 0x20;
        name += isForbidden ? '_' : c;
    }
    while (!name.empty() && name.back() == '\'')
        name.back() = '_';
    if (!name.empty() && name.front() == '\'')
        name.front() = '_';
    return name.empty() ? "Sheet" : name;
}

std::string SheetNames::freeName(std::string_view wanted)
{
    std::string name = sheetName(wanted);
    for (int copy = 2; !m_taken.insert(lowered(name)).second; ++copy) {
        const std::string ending = "_" + std::to_string(copy);
        name = sheetName(wanted).substr(0, longestSheetName - ending.size()) + ending;
    }
    return name;
}

std::string sheetCsv(const Sheet& sheet)
{
    std::string text;
    for (std::size_t i = 0; i < sheet.columns.size(); ++i)
        text += (i > 0 ? "," : "") + csvCell(sheet.columns[i]);
    text += '\n';
    for (const Value::Array& row : sheet.rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            text += i > 0 ? "," : "";
            const auto* words = row[i].as<std::string>();
            text += words ? csvCell(*words) : numberCellText(row[i]);
        }
        text += '\n';
    }
    return text;
}

bool forEachSheetCsv(const Workbook& book,
                     const std::function<bool(const std::string& name, const std::string& csv)>& f)
{
    SheetNames names;
    for (const Sheet& sheet : book.sheets) {
        if (!f(names.freeName(sheet.name) + ".csv", sheetCsv(sheet)))
            return false;
    }
    if (book.notes.empty())
        return true;
    Sheet notes{notesSheet, {"note"}, {}};
    for (const std::string& note : book.notes)
        notes.rows.push_back({note});
    return f(names.freeName(notesSheet) + ".csv", sheetCsv(notes));
}

std::string workbookJson(const Workbook& book)
{
    std::string json = "{\"schema\": \"collscope.workbook/1\",\n\"sheets\": [";
    bool isFirst = true;
    for (const Sheet& sheet : book.sheets) {
        json += std::exchange(isFirst, false) ? "\n" : ",\n";
        json += "{\"name\": " + jsonQuoted(sheet.name)
            + ", \"hidden\": " + (sheet.isHidden ? "true" : "false") + ", \"columns\": ";
        addList(sheet.columns, jsonQuoted, json);
        json += ",\n\"rows\": [";
        bool isFirstRow = true;
        for (const Value::Array& row : sheet.rows) {
            json += std::exchange(isFirstRow, false) ? "\n" : ",\n";
            addList(row, jsonCell, json);
        }
        json += "]}";
    }
    json += "],\n\"notes\": ";
    addList(book.notes, jsonQuoted, json);
    return json + "}\n";
}

} // namespace collscope
