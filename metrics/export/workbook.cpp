// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/workbook.h"

#include "metrics/comparison/workbook_reader.h"
#include "model/text/cell_text.h"
#include "model/text/lower_case.h"
#include "model/text/valid_text.h"

#include <unistd.h>
#include <xlsxwriter.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <span>

namespace collscope {

namespace {

constexpr std::size_t longestHeader = 255;
/// Number of rows used to determine a column's width.
constexpr std::size_t measuredRows = 200;
/// Rows are passed on in pieces of about this size.
constexpr std::size_t pieceBytes = std::size_t{64} << 10;
constexpr std::size_t widestColumn = 48;

constexpr lxw_color_t scaleWorse = 0xF8696B;
constexpr lxw_color_t scaleSame = 0xFFFFFF;
constexpr lxw_color_t scaleBetter = 0x63BE7B;
constexpr lxw_color_t headerFill = 0x4472C4;
constexpr lxw_color_t textWorse = 0x9C0006;
constexpr lxw_color_t textBetter = 0x006100;

/// A file that the library writes and that is read back here; removed with the object.
class ScratchFile
{
public:
    ScratchFile()
    {
        std::error_code error;
        std::string path = (std::filesystem::temp_directory_path(error) / "collscope-XXXXXX").string();
        const int file = error ? -1 : ::mkstemp(path.data());
        if (file >= 0) {
            ::close(file);
            m_path = path;
        }
    }
    ~ScratchFile()
    {
        if (!m_path.empty())
            ::unlink(m_path.c_str());
    }
    ScratchFile(const ScratchFile&) = delete;
    ScratchFile& operator=(const ScratchFile&) = delete;
    const std::string& path() const { return m_path; }

private:
    std::string m_path;
};

bool contains(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

/// Number of digits to display; the cell keeps all of them. The label of a run, which may be any word, comes
/// before the figure if two runs are compared and after it if several are.
const char* numberFormat(std::string_view column)
{
    constexpr const char* ofTimes = "0.000";
    constexpr const char* ofPercents = "0.00";
    constexpr const char* ofRatios = "0.0000";
    const auto beginsOrEnds = [&](auto begins, auto ends) {
        return std::any_of(begins.begin(), begins.end(),
                           [&](std::string_view begin) { return column.starts_with(begin); })
            || std::any_of(ends.begin(), ends.end(),
                           [&](std::string_view end) { return column.ends_with(end); });
    };
    using Words = std::initializer_list<std::string_view>;
    // Labels never start like the first two: runLabels().
    if (column.starts_with("percent_change") || column.starts_with("change_percent"))
        return ofPercents;
    if (beginsOrEnds(Words{"ratio_"}, Words{"_ratio"}) || column == "ratio" || contains(column, "bw (GB/s)")
        || contains(column, "throughput (GB/s)"))
        return ofRatios;
    if (beginsOrEnds(Words{"time ms"},
                     Words{"_ms", "_us", "(ms)", "_per_step", "_per_unit", "_per_call", "_per_capture",
                           "_mean", "_sum", "_max"}))
        return ofTimes;
    return beginsOrEnds(Words{"percent", "pct_"}, Words{"_percent", "_pct", "(%)"}) ? ofPercents : ofTimes;
}

/// Shortens a header so that it has at most `bytes` bytes after escapedCell().
std::string_view headerFront(std::string_view plain, std::size_t bytes)
{
    const std::string_view front = textFront(plain, bytes);
    return textFront(front, bytes - (escapedCell(front).size() - front.size()));
}

/// Valid header names, unique within the table; Excel ignores case.
std::vector<std::string> headersOf(const Sheet& sheet)
{
    std::vector<std::string> headers;
    std::set<std::string> taken;
    for (const std::string& column : sheet.columns) {
        const std::string plain = plainText(column);
        std::string header(headerFront(plain, longestHeader));
        for (int copy = 2; !taken.insert(lowered(header)).second; ++copy)
            header = std::string(headerFront(plain, longestHeader - 8)) + "_" + std::to_string(copy);
        headers.push_back(std::move(header));
    }
    return headers;
}

/// Table names start with a letter and contain neither spaces nor punctuation.
std::string tableName(std::string_view sheet)
{
    std::string name;
    for (const char c : sheet)
        name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    return name.empty() || std::isalpha(static_cast<unsigned char>(name.front())) == 0 ? "Tbl_" + name : name;
}

std::size_t widthOf(const Value& cell)
{
    if (const auto* text = cell.as<std::string>())
        return text->size();
    constexpr std::size_t ofNumber = 10;
    return cell.as<std::nullptr_t>() ? 0 : ofNumber;
}

/// Which of the workbook's formats its cells have; 0: none.
struct CellFormats
{
    int text = 0, better = 0, worse = 0; ///< of texts; of the verdicts Better and Worse
    std::vector<int> numbers = {}; ///< by column, of numbers that are not whole by their nature
};

/// Writes rows in SpreadsheetML (ECMA-376 part 1, 18.3.1.73: row, 18.3.1.4: c), with texts in their cells.
/// Cells do not state their place, which the format allows: each is next to the one before it. The places
/// would be a third of the text and most of the time to compress it.
class RowMarkup
{
public:
    explicit RowMarkup(std::string& xml)
        : m_xml(xml)
    { }

    /// `number`: of the row, from 1.
    void add(std::size_t number, std::span<const Value> cells, const CellFormats& formats)
    {
        m_xml += "<row r=\"";
        addDigits(number);
        m_xml += "\">";
        for (std::size_t c = 0; c < cells.size(); ++c) {
            const auto* const figure = cells[c].as<double>();
            if (const auto* text = cells[c].as<std::string>())
                addText(*text, formats);
            else if (figure && std::isfinite(*figure))
                addFigure(*figure, formats.numbers[c]);
            else if (const auto* whole = cells[c].as<std::int64_t>())
                addFigure(static_cast<double>(*whole), 0);
            else if (const auto* truth = cells[c].as<bool>())
                m_xml.append("<c t=\"b\"><v>").append(*truth ? "1" : "0").append("</v></c>");
            else
                m_xml += "<c/>";
        }
        m_xml += "</row>";
    }

private:
    template<typename T, typename... Format>
    void addDigits(T number, Format... format)
    {
        char digits[32];
        m_xml.append(digits, std::to_chars(digits, digits + sizeof digits, number, format...).ptr);
    }

    static bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

    /// Characters that XML cannot contain are written as _xHHHH_, which Excel reads as the character. So a
    /// name that contains such a code has its first underscore written like that.
    void addEscaped(std::string_view text)
    {
        constexpr char hex[] = "0123456789ABCDEF";
        for (; !text.empty(); text.remove_prefix(1)) {
            const char c = text.front();
            if (c == '&')
                m_xml += "&amp;";
            else if (c == '<')
                m_xml += "&lt;";
            else if (c == '>')
                m_xml += "&gt;";
            else if (c == '_' && beginsWithEscape(text))
                m_xml += escapedUnderscore;
            else if (static_cast<unsigned char>(c) >= ' ' || isBlank(c))
                m_xml += c;
            else
                m_xml.append("_x00").append({hex[c >> 4], hex[c & 15], '_'});
        }
    }

    void openCell(int format, std::string_view rest)
    {
        m_xml += "<c";
        if (format != 0) {
            m_xml += " s=\"";
            addDigits(format);
            m_xml += '"';
        }
        m_xml += rest;
    }

    void addText(const std::string& text, const CellFormats& formats)
    {
        const int format = text == "Better" ? formats.better : text == "Worse" ? formats.worse : formats.text;
        if (text.empty())
            return openCell(format, "/>");
        openCell(format, " t=\"inlineStr\"><is><t");
        m_xml += isBlank(text.front()) || isBlank(text.back()) ? " xml:space=\"preserve\">" : ">";
        addEscaped(cellText(text));
        m_xml += "</t></is></c>";
    }

    void addFigure(double figure, int format)
    {
        constexpr int digits = 16;
        openCell(format, "><v>");
        addDigits(figure, std::chars_format::general, digits);
        m_xml += "</v></c>";
    }

    std::string& m_xml;
};

class WorkbookWriter
{
public:
    WorkbookWriter(const std::string& path, const SheetLimits& limits)
        : m_limits(limits)
    {
        lxw_workbook_options options = {};
        options.constant_memory = LXW_TRUE; // rows are in a temporary file of each page
        m_book = workbook_new_opt(path.c_str(), &options);
        // The same numbers produce the same bytes at any time: the files in the archive have no other date.
        lxw_doc_properties properties = {};
        constexpr std::time_t beginOf1980 = 315'532'800;
        properties.created = beginOf1980;
        workbook_set_properties(m_book, &properties);
        m_better = workbook_add_format(m_book);
        format_set_font_color(m_better, textBetter);
        m_worse = workbook_add_format(m_book);
        format_set_font_color(m_worse, textWorse);
        // Text in the cell after a number would touch it.
        m_text = workbook_add_format(m_book);
        for (lxw_format* format : {m_text, m_better, m_worse})
            format_set_indent(format, 1);
        // The header color of that table style; other programs ignore table styles.
        m_header = workbook_add_format(m_book);
        format_set_bold(m_header);
        format_set_font_color(m_header, LXW_COLOR_WHITE);
        format_set_bg_color(m_header, headerFill);
        m_wrapped = workbook_add_format(m_book);
        format_set_text_wrap(m_wrapped);
    }

    void add(const Sheet& sheet)
    {
        const std::size_t columns = std::min(sheet.columns.size(), m_limits.columns);
        const std::size_t rows = std::min(sheet.rowCount(), m_limits.rows - 1);
        lxw_worksheet* const page = workbook_add_worksheet(m_book, m_names.freeName(sheet.name).c_str());
        if (!page) { // without a temporary file for its rows
            m_hasFailed = true;
            return;
        }
        const std::vector<std::string> headers = headersOf(sheet);
        const std::vector<Value::Array> first = firstRows(sheet);
        for (std::size_t c = 0; c < columns; ++c)
            layOut(page, sheet, c, headers[c], first);
        if (rows > 0)
            makeTable(page, sheet, headers, rows, columns);
        writeRows(page, sheet, headers, rows, columns);
        worksheet_freeze_panes(page, 1, 0);
        worksheet_set_landscape(page);
        worksheet_fit_to_pages(page, 1, 0);
        worksheet_repeat_rows(page, 0, 0);
        worksheet_ignore_errors(page, LXW_IGNORE_NUMBER_STORED_AS_TEXT, "A1:XFD1048576");
        if (sheet.isHidden)
            worksheet_hide(page);
        else if (!m_hasFirst)
            worksheet_activate(page);
        m_hasFirst |= !sheet.isHidden;
    }

    void addNotes(const std::vector<std::string>& notes)
    {
        if (notes.empty())
            return;
        lxw_worksheet* const page = workbook_add_worksheet(m_book, m_names.freeName(notesSheet).c_str());
        if (!page) {
            m_hasFailed = true;
            return;
        }
        constexpr double width = 110;
        worksheet_set_column(page, 0, 0, width, m_wrapped);
        for (std::size_t i = 0; i < notes.size(); ++i)
            worksheet_write_string(page, static_cast<lxw_row_t>(i), 0,
                                   cellText(escapedCell(notes[i])).c_str(), m_wrapped);
    }

    lxw_error close() { return workbook_close(m_book); }
    /// Whether a row could not be written to a temporary file.
    bool hasFailed() const { return m_hasFailed; }

private:
    static std::vector<Value::Array> firstRows(const Sheet& sheet)
    {
        std::vector<Value::Array> first;
        sheet.forEachRow([&](const Value::Array& row) {
            first.push_back(row);
            return first.size() < measuredRows;
        });
        return first;
    }

    /// Writes the rows, as text, to the temporary file that the library copies into the sheet. Its own
    /// functions for cells take three times as long, because they state the place of each.
    void writeRows(lxw_worksheet* page, const Sheet& sheet, const std::vector<std::string>& headers,
                   std::size_t rows, std::size_t columns)
    {
        if (columns == 0)
            return;
        const int ofHeader = lxw_format_get_xf_index(m_header);
        CellFormats formats{lxw_format_get_xf_index(m_text), lxw_format_get_xf_index(m_better),
                            lxw_format_get_xf_index(m_worse)};
        for (std::size_t c = 0; c < columns; ++c)
            formats.numbers.push_back(lxw_format_get_xf_index(formatOf(numberFormat(sheet.columns[c]))));
        std::string xml;
        const auto put = [&] {
            m_hasFailed |= std::fwrite(xml.data(), 1, xml.size(), page->optimize_tmpfile) != xml.size();
            xml.clear();
        };
        std::size_t written = 0;
        const auto add = [&](const Value::Array& cells, const CellFormats& own) {
            RowMarkup(xml).add(++written, std::span(cells).first(columns), own);
            if (xml.size() >= pieceBytes)
                put();
        };
        add(Value::Array(headers.begin(), headers.end()), {ofHeader, ofHeader, ofHeader});
        sheet.forEachRow([&](const Value::Array& row) {
            if (written > rows)
                return false;
            add(row, formats);
            return true;
        });
        put();
        m_hasFailed |= std::fflush(page->optimize_tmpfile) != 0;
        page->dim_rowmin = 0;
        page->dim_rowmax = static_cast<lxw_row_t>(rows);
        page->dim_colmin = 0;
        page->dim_colmax = static_cast<lxw_col_t>(columns - 1);
    }

    void layOut(lxw_worksheet* page, const Sheet& sheet, std::size_t column, const std::string& header,
                const std::vector<Value::Array>& first)
    {
        constexpr std::size_t filterButton = 4;
        std::size_t width = header.size() + filterButton;
        for (const Value::Array& row : first)
            width = std::max(width, widthOf(row[column]) + 1);
        const std::size_t rows = std::min(sheet.rowCount(), m_limits.rows - 1);
        const auto at = static_cast<lxw_col_t>(column);
        worksheet_set_column(page, at, at, static_cast<double>(std::min(width, widestColumn)), nullptr);
        const std::string& title = sheet.columns[column];
        const bool isChange = title.starts_with("change_percent"); // of times: higher is worse
        const bool isImprovement = title.starts_with("percent_change") || title == "Improvement (%)";
        if (rows == 0 || (!isChange && !isImprovement))
            return;
        lxw_conditional_format scale{};
        scale.type = LXW_CONDITIONAL_3_COLOR_SCALE;
        scale.min_color = isChange ? scaleBetter : scaleWorse;
        scale.mid_color = scaleSame;
        scale.max_color = isChange ? scaleWorse : scaleBetter;
        scale.mid_rule_type = LXW_CONDITIONAL_RULE_TYPE_NUMBER;
        scale.mid_value = 0;
        worksheet_conditional_format_range(page, 1, at, static_cast<lxw_row_t>(rows), at, &scale);
    }

    void makeTable(lxw_worksheet* page, const Sheet& sheet, const std::vector<std::string>& headers,
                   std::size_t rows, std::size_t columns)
    {
        std::vector<std::string> names;
        for (std::size_t c = 0; c < columns; ++c)
            names.push_back(escapedCell(headers[c])); // as in the cell
        std::vector<lxw_table_column> cells(columns);
        std::vector<lxw_table_column*> pointers;
        for (std::size_t c = 0; c < columns; ++c) {
            cells[c] = {};
            cells[c].header = names[c].data();
            cells[c].header_format = m_header;
            pointers.push_back(&cells[c]);
        }
        pointers.push_back(nullptr);
        const std::string name = tableName(sheet.name);
        lxw_table_options table{};
        table.name = const_cast<char*>(name.c_str());
        table.style_type = LXW_TABLE_STYLE_TYPE_MEDIUM;
        table.style_type_number = 2;
        table.columns = pointers.data();
        // The library refuses tables where it has written rows and forgotten them. Here, it has no rows.
        page->optimize = LXW_FALSE;
        worksheet_add_table(page, 0, 0, static_cast<lxw_row_t>(rows), static_cast<lxw_col_t>(columns - 1),
                            &table);
        page->optimize = LXW_TRUE;
    }

    lxw_format* formatOf(const std::string& format)
    {
        lxw_format*& known = m_formats[format];
        if (!known) {
            known = workbook_add_format(m_book);
            format_set_num_format(known, format.c_str());
        }
        return known;
    }

    const SheetLimits& m_limits;
    lxw_workbook* m_book = nullptr;
    lxw_format* m_better = nullptr;
    lxw_format* m_worse = nullptr;
    lxw_format* m_text = nullptr;
    lxw_format* m_header = nullptr;
    lxw_format* m_wrapped = nullptr;
    std::map<std::string, lxw_format*> m_formats;
    SheetNames m_names;
    bool m_hasFirst = false;
    bool m_hasFailed = false;
};

} // namespace

Result<WrittenWorkbook> writeWorkbook(const Workbook& book, const std::string& spillPrefix,
                                      const SheetLimits& limits)
{
    const ScratchFile scratch;
    if (scratch.path().empty())
        return Error{Error::Kind::Io,
                     "The workbook needs a temporary file, which cannot be created. Check the folder for "
                     "temporary files (TMPDIR).",
                     {}};
    WrittenWorkbook written;
    WorkbookWriter writer(scratch.path(), limits);
    std::vector<std::string> notes = book.notes;
    for (const Sheet& sheet : book.sheets) {
        writer.add(sheet);
        const std::size_t rows = sheet.rowCount();
        if (rows < limits.rows && sheet.columns.size() <= limits.columns)
            continue;
        const std::string file = sheetName(sheet.name);
        written.spills.push_back({file, sheetCsvPieces(sheet)});
        notes.push_back("The sheet " + sheet.name + " has " + std::to_string(rows) + " rows and "
                        + std::to_string(sheet.columns.size())
                        + " columns, more than Excel supports: this sheet is truncated, and all of it is in "
                        + spillPrefix + file + ".csv.");
    }
    writer.addNotes(notes);
    if (const lxw_error error = writer.close(); error != LXW_NO_ERROR && !writer.hasFailed())
        return Error{Error::Kind::Io, std::string("The workbook cannot be written: ") + lxw_strerror(error),
                     scratch.path()};
    if (writer.hasFailed())
        return Error{Error::Kind::Io,
                     "The workbook cannot be written: its rows cannot be written to a temporary file.",
                     {}};
    std::ifstream file(scratch.path(), std::ios::binary);
    written.bytes.assign(std::istreambuf_iterator<char>(file), {});
    // The library copies the rows again, and does not tell where a full disk cuts them short.
    if (!file || !isWorkbookWhole(written.bytes))
        return Error{Error::Kind::Io,
                     "The workbook cannot be written: the folder for temporary files (TMPDIR) may be full.",
                     {}};
    return written;
}

} // namespace collscope
