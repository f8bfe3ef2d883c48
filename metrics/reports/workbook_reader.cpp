// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/reports/workbook_reader.h"

#include "metrics/reports/keyed_rows.h"

#include <pugixml.hpp>
#include <zip.h>

#include <charconv>
#include <cmath>
#include <map>
#include <memory>

namespace collscope {

namespace {

/// One file of the archive, inflated; a sheet with a million rows of ours has less.
constexpr std::uint64_t mostPartBytes = std::uint64_t{1} << 30;
/// Excel's own limits: a cell beyond them is damage.
constexpr std::size_t mostColumns = 16'384;
constexpr double wholeNumbers = 9007199254740992.0; // 2^53: above, a double cannot tell whole numbers apart

struct Discard
{
    void operator()(zip_t* archive) const { zip_discard(archive); }
};
struct Close
{
    void operator()(zip_file_t* file) const { zip_fclose(file); }
};

Error damaged(const std::string& name, const std::string& what)
{
    return {Error::Kind::Format, name + " cannot be read as a workbook: " + what + ".", name};
}

class Archive
{
public:
    explicit Archive(std::string_view bytes)
    {
        zip_error_t error;
        zip_error_init(&error);
        zip_source_t* const source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
        if (source)
            m_archive.reset(zip_open_from_source(source, ZIP_RDONLY, &error));
        if (source && !m_archive)
            zip_source_free(source);
        zip_error_fini(&error);
    }
    bool isOpen() const { return m_archive != nullptr; }

    /// nullopt if the part is not there, damaged, or too large.
    std::optional<std::string> part(const std::string& path) const
    {
        zip_stat_t info;
        if (zip_stat(m_archive.get(), path.c_str(), 0, &info) != 0 || (info.valid & ZIP_STAT_SIZE) == 0
            || info.size > mostPartBytes)
            return std::nullopt;
        const std::unique_ptr<zip_file_t, Close> file(zip_fopen(m_archive.get(), path.c_str(), 0));
        if (!file)
            return std::nullopt;
        // Read piece by piece: what the directory says of the size may be a lie.
        std::string text;
        char piece[65536];
        while (true) {
            const zip_int64_t got = zip_fread(file.get(), piece, sizeof piece);
            if (got < 0 || text.size() > mostPartBytes)
                return std::nullopt;
            if (got == 0)
                return text;
            text.append(piece, static_cast<std::size_t>(got));
        }
    }

private:
    std::unique_ptr<zip_t, Discard> m_archive;
};

/// Text of a string item: its <t>, or those of its runs.
std::string itemText(const pugi::xml_node& item)
{
    std::string text;
    for (const pugi::xml_node child : item.children()) {
        const std::string_view name = child.name();
        if (name == "t")
            text += child.child_value();
        else if (name == "r")
            text += child.child("t").child_value();
    }
    return text;
}

/// "AB12" -> 27; nullopt if that is no cell.
std::optional<std::size_t> columnOf(std::string_view reference)
{
    std::size_t column = 0;
    for (const char c : reference) {
        if (c < 'A' || c > 'Z')
            break;
        column = column * 26 + static_cast<std::size_t>(c - 'A') + 1;
        if (column > mostColumns)
            return std::nullopt;
    }
    return column == 0 ? std::nullopt : std::optional(column - 1);
}

Value numberIn(std::string_view text)
{
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number))
        return {};
    if (number == std::floor(number) && std::abs(number) < wholeNumbers)
        return static_cast<std::int64_t>(number);
    return number;
}

Value cellIn(const pugi::xml_node& cell, const std::vector<std::string>& strings)
{
    const std::string_view type = cell.attribute("t").value();
    const std::string_view value = cell.child("v").child_value();
    if (type == "inlineStr")
        return itemText(cell.child("is"));
    if (type == "str")
        return value;
    if (type == "b")
        return value == "1";
    if (type == "e" || value.empty())
        return {};
    if (type != "s")
        return numberIn(value);
    const Value index = numberIn(value);
    const auto* at = index.as<std::int64_t>();
    return at && *at >= 0 && static_cast<std::size_t>(*at) < strings.size()
        ? Value(strings[static_cast<std::size_t>(*at)])
        : Value();
}

Value::Array rowIn(const pugi::xml_node& row, const std::vector<std::string>& strings)
{
    Value::Array cells;
    for (const pugi::xml_node cell : row.children("c")) {
        const auto column = columnOf(cell.attribute("r").value());
        const std::size_t at = column.value_or(cells.size());
        if (at >= mostColumns)
            continue;
        if (at >= cells.size())
            cells.resize(at + 1);
        cells[at] = cellIn(cell, strings);
    }
    return cells;
}

Sheet sheetIn(const pugi::xml_document& page, const std::vector<std::string>& strings)
{
    Sheet sheet;
    bool hasHeader = false;
    for (const pugi::xml_node row : page.child("worksheet").child("sheetData").children("row")) {
        Value::Array cells = rowIn(row, strings);
        if (!hasHeader) {
            for (const Value& cell : cells)
                sheet.columns.push_back(keyText(cell));
            hasHeader = true;
            continue;
        }
        cells.resize(sheet.columns.size());
        sheet.rows.push_back(std::move(cells));
    }
    return sheet;
}

bool parse(const std::optional<std::string>& text, pugi::xml_document& document)
{
    // Blanks are kept: they may be all of a text.
    return text
        && document.load_buffer(text->data(), text->size(), pugi::parse_default | pugi::parse_ws_pcdata);
}

} // namespace

Result<Workbook> readWorkbook(std::string_view bytes, const std::string& name)
{
    const Archive archive(bytes);
    if (!archive.isOpen())
        return damaged(name, "it is no ZIP archive");
    pugi::xml_document book;
    pugi::xml_document relations;
    if (!parse(archive.part("xl/workbook.xml"), book)
        || !parse(archive.part("xl/_rels/workbook.xml.rels"), relations))
        return damaged(name, "the list of its sheets is missing or damaged");
    std::map<std::string, std::string> targets;
    for (const pugi::xml_node relation : relations.child("Relationships").children())
        targets[relation.attribute("Id").value()] = relation.attribute("Target").value();
    std::vector<std::string> strings;
    pugi::xml_document shared;
    if (parse(archive.part("xl/sharedStrings.xml"), shared)) {
        for (const pugi::xml_node item : shared.child("sst").children("si"))
            strings.push_back(itemText(item));
    }
    Workbook workbook;
    for (const pugi::xml_node entry : book.child("workbook").child("sheets").children("sheet")) {
        std::string target = targets[entry.attribute("r:id").value()];
        target = target.starts_with('/') ? target.substr(1) : "xl/" + target;
        const std::string title = entry.attribute("name").value();
        pugi::xml_document page;
        if (!parse(archive.part(target), page))
            return damaged(name, "its sheet " + title + " is missing or damaged");
        Sheet sheet = sheetIn(page, strings);
        sheet.name = title;
        sheet.isHidden = std::string_view(entry.attribute("state").value()).ends_with("idden");
        workbook.sheets.push_back(std::move(sheet));
    }
    return workbook;
}

} // namespace collscope
