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

namespace {

/// Collects text and passes it on in large pieces.
class PieceWriter
{
public:
    explicit PieceWriter(const TakePiece& take)
        : m_take(take)
    { }
    ~PieceWriter() { flush(); }
    PieceWriter(const PieceWriter&) = delete;
    PieceWriter& operator=(const PieceWriter&) = delete;

    std::string& text() { return m_text; }
    /// Returns false if nothing more is wanted.
    bool goOn()
    {
        constexpr std::size_t pieceSize = 1 << 18;
        if (m_text.size() >= pieceSize)
            flush();
        return m_isWanted;
    }

private:
    void flush()
    {
        m_isWanted = m_isWanted && m_take(m_text);
        m_text.clear();
    }

    const TakePiece& m_take;
    std::string m_text;
    bool m_isWanted = true;
};

std::string wholeText(const TextPieces& pieces)
{
    std::string text;
    pieces([&](std::string_view piece) {
        text += piece;
        return true;
    });
    return text;
}

void writeSheetCsv(const Sheet& sheet, PieceWriter& out)
{
    for (std::size_t i = 0; i < sheet.columns.size(); ++i)
        out.text() += (i > 0 ? "," : "") + csvCell(sheet.columns[i]);
    out.text() += '\n';
    sheet.forEachRow([&](const Value::Array& row) {
        std::string& text = out.text();
        for (std::size_t i = 0; i < row.size(); ++i) {
            text += i > 0 ? "," : "";
            const auto* words = row[i].as<std::string>();
            text += words ? csvCell(*words) : numberCellText(row[i]);
        }
        text += '\n';
        return out.goOn();
    });
}

void writeWorkbookJson(const Workbook& book, PieceWriter& out)
{
    out.text() = "{\"schema\": \"collscope.workbook/1\",\n\"sheets\": [";
    bool isFirst = true;
    for (const Sheet& sheet : book.sheets) {
        std::string& json = out.text();
        json += std::exchange(isFirst, false) ? "\n" : ",\n";
        json += "{\"name\": " + jsonQuoted(sheet.name)
            + ", \"hidden\": " + (sheet.isHidden ? "true" : "false") + ", \"columns\": ";
        addList(sheet.columns, jsonQuoted, json);
        json += ",\n\"rows\": [";
        bool isFirstRow = true;
        sheet.forEachRow([&](const Value::Array& row) {
            json += std::exchange(isFirstRow, false) ? "\n" : ",\n";
            addList(row, jsonCell, json);
            return out.goOn();
        });
        json += "]}";
    }
    out.text() += "],\n\"notes\": ";
    addList(book.notes, jsonQuoted, out.text());
    out.text() += "}\n";
}

} // namespace

TextPieces sheetCsvPieces(const Sheet& sheet)
{
    return [&sheet](const TakePiece& take) {
        PieceWriter out(take);
        writeSheetCsv(sheet, out);
    };
}

std::string sheetCsv(const Sheet& sheet)
{
    return wholeText(sheetCsvPieces(sheet));
}

bool forEachSheetCsv(const Workbook& book,
                     const std::function<bool(const std::string& name, const TextPieces& csv)>& f)
{
    SheetNames names;
    for (const Sheet& sheet : book.sheets) {
        if (!f(names.freeName(sheet.name) + ".csv", sheetCsvPieces(sheet)))
            return false;
    }
    if (book.notes.empty())
        return true;
    Sheet notes{notesSheet, {"note"}, {}};
    for (const std::string& note : book.notes)
        notes.rows.push_back({note});
    return f(names.freeName(notesSheet) + ".csv", sheetCsvPieces(notes));
}

TextPieces workbookJsonPieces(const Workbook& book)
{
    return [&book](const TakePiece& take) {
        PieceWriter out(take);
        writeWorkbookJson(book, out);
    };
}

std::string workbookJson(const Workbook& book)
{
    return wholeText(workbookJsonPieces(book));
}

} // namespace collscope
