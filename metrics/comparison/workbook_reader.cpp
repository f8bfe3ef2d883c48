// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/comparison/workbook_reader.h"

#include "model/text/cell_text.h"

#include <pugixml.hpp>
#include <zip.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <utility>

namespace collscope {

namespace {

/// Limit for the inflated archive contents that are read, and for the texts of all cells; a sheet of ours
/// with a million rows has less.
constexpr std::uint64_t mostBytes = std::uint64_t{1} << 30;
/// Excel's limits: a cell beyond them is damage.
constexpr std::size_t mostColumns = 16'384;
constexpr std::size_t mostRows = 1'048'576;
/// Limit for the cells of a workbook, including empty cells. Cells that the file does not contain cost it
/// nothing, so a few kilobytes could request any number of them: the limit is an initial allowance plus a
/// number per cell that the file contains.
constexpr std::size_t mostCells = std::size_t{1} << 26;
constexpr std::size_t emptyAtFirst = std::size_t{1} << 23;
constexpr std::size_t emptyPerCell = 16;
/// Size of a pugixml node and of an attribute.
constexpr std::uint64_t nodeBytes = 64, attributeBytes = 40;
constexpr double wholeNumbers = 9007199254740992.0; // 2^53: not every whole number above is a double

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

Error tooLarge(const std::string& name)
{
    return {Error::Kind::TooLarge,
            name
                + " cannot be read as a workbook: it requires more memory than allowed. Raise the limit "
                  "(--max-memory), or generate the reports again (without --skip-tracelens).",
            name};
}

/// Tracks how much of the allowed memory reading uses.
class Memory
{
public:
    explicit Memory(std::uint64_t most)
        : m_most(most)
    { }
    /// Returns false if that exceeds the available memory.
    bool take(std::uint64_t bytes)
    {
        m_taken += bytes;
        m_isExceeded = m_isExceeded || m_taken > m_most;
        return !m_isExceeded;
    }
    void giveBack(std::uint64_t bytes) { m_taken -= bytes; }
    bool isExceeded() const { return m_isExceeded; }

private:
    std::uint64_t m_most, m_taken = 0;
    bool m_isExceeded = false;
};

/// A file of the archive as a tree that points into its text.
struct Page
{
    std::string text;
    pugi::xml_document tree;
    std::uint64_t bytes = 0; ///< memory of both
};

/// Estimates the size of a text's tree, fed piece by piece: a node for each opening tag and for each text
/// between tags.
class TreeSize
{
public:
    /// Returns the bytes that the piece adds.
    std::uint64_t add(std::string_view piece)
    {
        std::uint64_t nodes = 0;
        std::uint64_t attributes = 0;
        for (const char c : piece) {
            nodes += (m_before == '<' && c != '/') || (m_before == '>' && c != '<') ? 1u : 0u;
            attributes += c == '=' ? 1u : 0u;
            m_before = c;
        }
        return piece.size() + nodes * nodeBytes + attributes * attributeBytes;
    }

private:
    char m_before = '\0';
};

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

    /// Whether every file can be inflated and ends with a tag that closes the first one.
    bool isWhole() const
    {
        const zip_int64_t count = zip_get_num_entries(m_archive.get(), 0);
        for (zip_int64_t i = 0; i < count; ++i) {
            if (!endsWithRoot(static_cast<zip_uint64_t>(i)))
                return false;
        }
        return count > 0;
    }

    /// Returns false if the file is missing, damaged, or too large.
    bool read(const std::string& path, Page& page, Memory& memory) const
    {
        // Blanks are kept: a text may consist only of blanks.
        return inflate(path, page, memory)
            && page.tree.load_buffer_inplace(page.text.data(), page.text.size(),
                                             pugi::parse_default | pugi::parse_ws_pcdata);
    }

private:
    bool endsWithRoot(zip_uint64_t index) const
    {
        constexpr std::size_t longestTag = 64;
        std::string begin, end;
        const bool isInflated
            = forEachPiece(zip_fopen_index(m_archive.get(), index, 0), [&](std::string_view text) {
                  if (begin.empty())
                      begin = text.substr(0, 1024);
                  end.append(text.substr(text.size() - std::min(text.size(), longestTag)));
                  end.erase(0, end.size() - std::min(end.size(), longestTag));
                  return true;
              });
        if (!isInflated)
            return false;
        end.erase(end.find_last_not_of('\n') + 1);
        const std::size_t declaration = std::min(begin.find("?>"), begin.size());
        const std::size_t root = begin.find('<', declaration);
        if (root == std::string::npos)
            return false;
        const std::string name = begin.substr(root + 1, begin.find_first_of(" />", root) - root - 1);
        const bool isOneTag = begin.find('<', root + 1) == std::string::npos && begin.ends_with("/>");
        return isOneTag || end.ends_with("</" + name + ">");
    }

    bool inflate(const std::string& path, Page& page, Memory& memory) const
    {
        zip_stat_t info;
        if (zip_stat(m_archive.get(), path.c_str(), 0, &info) != 0 || (info.valid & ZIP_STAT_SIZE) == 0
            || info.size > mostBytes)
            return false;
        // The size in the directory may be wrong. Reserving does not use memory yet.
        page.text.reserve(static_cast<std::size_t>(info.size));
        TreeSize tree;
        return forEachPiece(zip_fopen(m_archive.get(), path.c_str(), 0), [&](std::string_view text) {
            m_bytes += text.size();
            const std::uint64_t bytes = tree.add(text);
            page.bytes += bytes;
            if (m_bytes > mostBytes || !memory.take(bytes))
                return false;
            page.text.append(text);
            return true;
        });
    }

    /// Inflates a file piece by piece. Returns false if it is missing or damaged, or if `take` does.
    template<typename Take>
    static bool forEachPiece(zip_file_t* opened, const Take& take)
    {
        const std::unique_ptr<zip_file_t, Close> file(opened);
        if (!file)
            return false;
        char piece[65536];
        zip_int64_t got = 0;
        while ((got = zip_fread(file.get(), piece, sizeof piece)) > 0) {
            if (!take(std::string_view(piece, static_cast<std::size_t>(got))))
                return false;
        }
        return got == 0;
    }

    std::unique_ptr<zip_t, Discard> m_archive;
    mutable std::uint64_t m_bytes = 0; ///< inflated so far
};

/// Counts the size of the cells of a workbook.
class CellBudget
{
public:
    /// Adds a cell of the file with its contents. Returns false if the texts exceed the limit; many cells can
    /// share one text.
    bool add(const Value& cell)
    {
        ++m_held;
        if (const auto* text = cell.as<std::string>())
            m_text += text->size();
        return m_text <= mostBytes;
    }
    /// Adds cells of a row, including empty cells. Returns false if that exceeds the limit of a workbook.
    bool take(std::size_t cells)
    {
        m_all += cells;
        return m_text <= mostBytes && m_all <= mostCells
            && m_all <= emptyAtFirst + m_held * (1 + emptyPerCell);
    }

    /// Bytes of text since the last call.
    std::uint64_t takeText() { return m_text - std::exchange(m_told, m_text); }

private:
    std::size_t m_held = 0, m_all = 0;
    std::uint64_t m_text = 0, m_told = 0;
};

/// Text of a string item: its <t>, or the <t> of its runs.
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
    return unescapedCell(text);
}

/// "AB12" -> 27; nullopt if the text is not a cell reference.
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
        return unescapedCell(value);
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

/// `columns`: cells beyond them are skipped. Ends early if budget or memory is exhausted; these then report
/// it.
Value::Array rowIn(const pugi::xml_node& row, const std::vector<std::string>& strings, std::size_t columns,
                   CellBudget& budget, Memory& memory)
{
    Value::Array cells;
    for (const pugi::xml_node cell : row.children("c")) {
        const auto column = columnOf(cell.attribute("r").value());
        const std::size_t at = column.value_or(cells.size());
        if (at >= columns)
            continue;
        if (at >= cells.size())
            cells.resize(at + 1);
        cells[at] = cellIn(cell, strings);
        // Checked for each cell, because every cell of the row may be the same long text.
        if (!budget.add(cells[at]) || !memory.take(budget.takeText()))
            break;
    }
    return cells;
}

/// nullopt if it has more rows or cells than a sheet may have.
std::optional<Sheet> sheetIn(const pugi::xml_document& page, const std::vector<std::string>& strings,
                             CellBudget& budget, Memory& memory)
{
    Sheet sheet;
    bool hasHeader = false;
    for (const pugi::xml_node row : page.child("worksheet").child("sheetData").children("row")) {
        const std::size_t columns = hasHeader ? sheet.columns.size() : mostColumns;
        Value::Array cells = rowIn(row, strings, columns, budget, memory);
        const std::uint64_t kept = std::max(hasHeader ? columns : 0, cells.capacity()) * sizeof(Value);
        if (!budget.take(hasHeader ? columns : cells.size()) || sheet.rows.size() + 1 >= mostRows
            || !memory.take(kept))
            return std::nullopt;
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

/// Whether the sheet is a notes sheet as we write it: one column without a header, and no table, which every
/// sheet with rows has.
bool isNotes(const Sheet& sheet, const pugi::xml_document& page)
{
    return sheet.name == notesSheet && !sheet.isHidden && sheet.columns.size() == 1
        && !page.child("worksheet").child("tableParts");
}

void addNotes(const Sheet& sheet, std::vector<std::string>& notes)
{
    notes.push_back(sheet.columns.front());
    for (const Value::Array& row : sheet.rows)
        notes.push_back(keyText(row.front()));
}

/// The texts shared by cells; empty if the workbook has no such list.
std::vector<std::string> stringsIn(const Archive& archive, Memory& memory)
{
    std::vector<std::string> strings;
    Page page;
    if (archive.read("xl/sharedStrings.xml", page, memory)) {
        for (const pugi::xml_node item : page.tree.child("sst").children("si")) {
            strings.push_back(itemText(item));
            if (!memory.take(sizeof(std::string) + strings.back().size()))
                break;
        }
    }
    memory.giveBack(page.bytes);
    return strings;
}

} // namespace

Result<Workbook> readWorkbook(std::string_view bytes, const std::string& name, std::uint64_t mostMemory)
{
    const Archive archive(bytes);
    if (!archive.isOpen())
        return damaged(name, "it is not a ZIP archive");
    Memory memory(mostMemory);
    const auto failed
        = [&](const std::string& what) { return memory.isExceeded() ? tooLarge(name) : damaged(name, what); };
    Page book;
    Page relations;
    if (!archive.read("xl/workbook.xml", book, memory)
        || !archive.read("xl/_rels/workbook.xml.rels", relations, memory))
        return failed("the list of its sheets is missing or damaged");
    std::map<std::string, std::string> targets;
    for (const pugi::xml_node relation : relations.tree.child("Relationships").children())
        targets[relation.attribute("Id").value()] = relation.attribute("Target").value();
    const std::vector<std::string> strings = stringsIn(archive, memory);
    Workbook workbook;
    CellBudget budget;
    std::set<std::string> read;
    for (const pugi::xml_node entry : book.tree.child("workbook").child("sheets").children("sheet")) {
        std::string target = targets[entry.attribute("r:id").value()];
        target = target.starts_with('/') ? target.substr(1) : "xl/" + target;
        if (!read.insert(target).second)
            return damaged(name, "two of its sheets are the same file");
        const std::string title = entry.attribute("name").value();
        Page page;
        if (!archive.read(target, page, memory))
            return failed("its sheet " + title + " is missing or damaged");
        auto sheet = sheetIn(page.tree, strings, budget, memory);
        if (!sheet)
            return failed("its sheet " + title + " has more rows or cells than a workbook can hold");
        memory.giveBack(page.bytes);
        sheet->name = title;
        sheet->isHidden = std::string_view(entry.attribute("state").value()).ends_with("idden");
        if (isNotes(*sheet, page.tree))
            addNotes(*sheet, workbook.notes);
        else
            workbook.sheets.push_back(std::move(*sheet));
    }
    return workbook;
}

bool isWorkbookWhole(std::string_view bytes)
{
    const Archive archive(bytes);
    return archive.isOpen() && archive.isWhole();
}

} // namespace collscope
