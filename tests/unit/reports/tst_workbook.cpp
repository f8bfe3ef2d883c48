// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The rows of a workbook: as they are written, and kept in few bytes until then.

#include "metrics/comparison/comparison.h"
#include "metrics/comparison/packed_rows.h"
#include "metrics/comparison/workbook_reader.h"
#include "metrics/export/workbook.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/sheet_text.h"
#include "tests/support/texts/stored_archive.h"

#include <cmath>
#include <limits>

namespace collscope {

namespace {

/// The rows of a sheet as they are read from a workbook with it.
std::vector<Value::Array> readBack(const Sheet& sheet)
{
    Workbook book;
    book.sheets.push_back(sheet);
    const auto written = writeWorkbook(book, "");
    const auto read = written ? readWorkbook(written->bytes, "book.xlsx") : written.error();
    return read && read->sheets.size() == 1 ? read->sheets.front().rows : std::vector<Value::Array>();
}

/// A workbook with this one page.
std::string archiveOf(const std::string& page)
{
    StoredArchive archive;
    archive.add("xl/worksheets/sheet1.xml", page);
    return archive.bytes();
}

/// A sheet whose rows are made on demand; `made` counts them.
Sheet streamed(const std::string& name, const std::vector<std::string>& columns, int rows,
               int* made = nullptr)
{
    Sheet sheet{name, columns, {}};
    const auto make = [columns, rows, made](const TakeSheetRow& take) {
        for (int i = 0; i < rows; ++i) {
            if (made)
                ++*made;
            Value::Array row{"group " + std::to_string(i % 3), i, i + 0.25, i % 2 == 0, Value()};
            row.resize(columns.size());
            if (!take(row))
                return;
        }
    };
    sheet.stream = std::make_shared<const RowStream>(RowStream{static_cast<std::size_t>(rows), make, {}});
    return sheet;
}

std::vector<std::string> textsOf(const Sheet& sheet, const RowStream& stream)
{
    Sheet kept{sheet.name, sheet.columns, {}};
    kept.stream = std::make_shared<const RowStream>(stream);
    kept.keepRows();
    return rowTexts(&kept);
}

} // namespace

class TestWorkbook : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachKindOfCell()
    {
        // A cell does not state its place, so an empty one must keep the place of those behind it.
        const auto rows
            = readBack({"s",
                        {"a", "b", "c", "d", "e", "f"},
                        {{"Better", 12, 0.5, true, false, ""},
                         {Value(), 1, std::nan(""), std::numeric_limits<double>::infinity(), 2, "x"},
                         {Value(), Value(), Value(), Value(), Value(), -2}}});
        QCOMPARE(rows.size(), std::size_t{3});
        QVERIFY(*rows[0][0].as<std::string>() == "Better" && *rows[0][1].as<std::int64_t>() == 12);
        QVERIFY(*rows[0][2].as<double>() == 0.5 && *rows[0][3].as<bool>() && !*rows[0][4].as<bool>());
        QVERIFY(rows[0][5].as<std::nullptr_t>());
        QVERIFY(rows[1][0].as<std::nullptr_t>() && *rows[1][1].as<std::int64_t>() == 1);
        QVERIFY(rows[1][2].as<std::nullptr_t>() && rows[1][3].as<std::nullptr_t>());
        QVERIFY(*rows[1][4].as<std::int64_t>() == 2 && *rows[1][5].as<std::string>() == "x");
        QVERIFY(rows[2][4].as<std::nullptr_t>() && *rows[2][5].as<std::int64_t>() == -2);
    }
    void digitsOfNumbers()
    {
        const auto rows = readBack(
            {"s", {"n"}, {{4458676500438.008}, {1.0 / 3}, {1e21}, {5e-324}, {std::int64_t{1} << 52}}});
        QCOMPARE(rows.size(), std::size_t{5});
        QCOMPARE(*rows[0][0].as<double>(), 4458676500438.008);
        QCOMPARE(*rows[1][0].as<double>(), 0.3333333333333333); // 16 digits are written
        QCOMPARE(*rows[2][0].as<double>(), 1e21);
        QCOMPARE(*rows[3][0].as<double>(), 5e-324);
        QCOMPARE(*rows[4][0].as<std::int64_t>(), std::int64_t{1} << 52);
    }
    void textsOfAnyBytes_data()
    {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<std::string>("read");
        const auto row = [](const char* name, const std::string& text, const std::string& read) {
            QTest::newRow(name) << text << read;
        };
        row("markup", "a<b>&\"c'</t>", "a<b>&\"c'</t>");
        row("formula", "=1+1", "=1+1");
        row("blanks", " a\n\t", " a\n\t");
        row("controls", "a\x01\x1f\rb", "a\x01\x1f\rb");
        row("nul", std::string("a\0b", 3), std::string("a\0b", 3));
        // Excel shows what looks like the code of a character as that character.
        row("codes", "add_x1024_x12_x00e9_y_x10_", "add_x1024_x12_x00e9_y_x10_");
        row("not UTF-8", "a\xff", "a\uFFFD");
        row("other letters", "\u6f22 \x7f", "\u6f22 \x7f");
        const std::string fits = std::string(32'766, 'a') + "\u6f22"; // more bytes than characters
        row("as long as a cell", fits, fits);
        row("too long", fits + "bcd", std::string(32'703, 'a') + " ... (cut: 67 more characters)");
        std::string faces;
        for (int i = 0; i < 16'384; ++i)
            faces += "\U0001F600"; // two UTF-16 units each
        row("too long by one unit", faces, faces.substr(0, 4 * 16'351) + " ... (cut: 33 more characters)");
        // Half a number would be another rank.
        std::string ranks;
        for (int rank = 1000; rank < 9000; ++rank)
            ranks += std::to_string(rank) + ", ";
        row("ranks", ranks, ranks.substr(0, 6 * 5450 - 1) + " ... (cut: 15301 more characters)");
    }
    void textsOfAnyBytes()
    {
        QFETCH(const std::string, text);
        QFETCH(const std::string, read);
        const auto rows = readBack({"s", {"t", "end"}, {{text, 1}}});
        QCOMPARE(rows.size(), std::size_t{1});
        QCOMPARE(*rows[0][0].as<std::string>(), read);
        QCOMPARE(*rows[0][1].as<std::int64_t>(), std::int64_t{1});
    }
    void rowsOfAnyLength()
    {
        // More than one piece of the file, and cells that the reader must find by counting.
        Workbook book;
        book.sheets.push_back(streamed("long", {"text", "whole", "number", "truth", "nothing"}, 30'000));
        book.sheets.push_back(
            {"short", {"a", "b_x0062_", "c"}, {{1, Value(), "x"}, {Value(), Value(), 2.5}}});
        book.sheets.push_back({"empty", {"a", "b"}, {}});
        book.notes = {"A note.", "Of fused_x1024_kernel."};
        const auto written = writeWorkbook(book, "");
        QVERIFY(static_cast<bool>(written));
        const auto read = readWorkbook(written->bytes, "book.xlsx");
        QVERIFY2(static_cast<bool>(read), read ? "" : read.error().message.c_str());
        QCOMPARE(read->sheets.size(), std::size_t{3});
        QCOMPARE(rowTexts(&read->sheets[0]), textsOf(book.sheets[0], *book.sheets[0].stream));
        QCOMPARE(rowTexts(&read->sheets[1]), rowTexts(&book.sheets[1]));
        QVERIFY(read->sheets[2].rows.empty());
        for (std::size_t i = 0; i < 3; ++i)
            QCOMPARE(read->sheets[i].columns, book.sheets[i].columns);
        QCOMPARE(read->notes, book.notes);
        QCOMPARE(writeWorkbook(book, "")->bytes, written->bytes);
    }
    void packedRowsAreTheSame()
    {
        int made = 0;
        const Sheet sheet
            = streamed("s", {"text", "whole", "number", "truth", "nothing", "end"}, 20'000, &made);
        const auto packed = packedRows(*sheet.stream);
        QCOMPARE(made, 20'000);
        QCOMPARE(packed->count, std::size_t{20'000});
        const std::vector<std::string> again = textsOf(sheet, *packed);
        QCOMPARE(made, 20'000); // the source is not asked again
        QCOMPARE(again, textsOf(sheet, *sheet.stream));
        // Who has enough gets no more.
        int taken = 0;
        packed->make([&](const Value::Array&) { return ++taken < 5; });
        QCOMPARE(taken, 5);
    }
    void aSheetThatWasCutShortIsSeen()
    {
        const std::string sheet
            = "<?xml version=\"1.0\"?>\n<worksheet><sheetData><row r=\"1\"><c/></row></sheetData>"
              "<tableParts><tablePart/></tableParts></worksheet>";
        QVERIFY(isWorkbookWhole(archiveOf(sheet)));
        for (std::size_t size = 0; size < sheet.size(); ++size)
            QVERIFY2(!isWorkbookWhole(archiveOf(sheet.substr(0, size))), sheet.substr(0, size).c_str());
        QVERIFY(isWorkbookWhole(archiveOf("<?xml version=\"1.0\"?>\n<Relationships/>")));
        QVERIFY(!isWorkbookWhole("PK"));
        Workbook book;
        book.sheets.push_back(streamed("s", {"text", "whole"}, 20'000));
        const auto written = writeWorkbook(book, "");
        QVERIFY(written);
        QVERIFY(isWorkbookWhole(written->bytes));
        QVERIFY(!isWorkbookWhole(std::string_view(written->bytes).substr(0, written->bytes.size() / 2)));
    }
    void packedCellsKeepTheirType()
    {
        const Value::Array cells{Value(),
                                 true,
                                 false,
                                 std::numeric_limits<std::int64_t>::min(),
                                 -0.0,
                                 std::string("a\0b", 3),
                                 "",
                                 Decimal{12345, 3},
                                 Value(Value::Array{1, "x"}),
                                 std::string(100, 'l')};
        const RowStream stream{2,
                               [&](const TakeSheetRow& take) {
                                   if (take(cells))
                                       take(Value::Array(cells.size()));
                               },
                               {}};
        std::vector<Value::Array> rows;
        packedRows(stream)->make([&](const Value::Array& row) {
            rows.push_back(row);
            return true;
        });
        QCOMPARE(rows.size(), std::size_t{2});
        const Value::Array& row = rows.front();
        QCOMPARE(row.size(), cells.size());
        for (std::size_t i = 0; i < cells.size(); ++i) {
            QCOMPARE(row[i].data().index(), cells[i].data().index());
            QVERIFY(rows[1][i].as<std::nullptr_t>());
        }
        QVERIFY(*row[1].as<bool>() && !*row[2].as<bool>());
        QCOMPARE(*row[3].as<std::int64_t>(), std::numeric_limits<std::int64_t>::min());
        QVERIFY(std::signbit(*row[4].as<double>()));
        QCOMPARE(*row[5].as<std::string>(), std::string("a\0b", 3));
        QCOMPARE(*row[6].as<std::string>(), std::string());
        QVERIFY(*row[7].as<Decimal>() == (Decimal{12345, 3}));
        QCOMPARE(row[8].as<Value::Array>()->size(), std::size_t{2});
        QCOMPARE(*row[9].as<std::string>(), std::string(100, 'l'));
        packedRows({0, [](const TakeSheetRow&) {}, {}})->make([](const Value::Array&) {
            QTest::qFail("a row of nothing", __FILE__, __LINE__);
            return false;
        });
    }
    void combinedRows()
    {
        // Each has a column that the other lacks, and those of both are in another order.
        const Sheet base{"calls", {"rank", "us", "stream"}, {{0, 1.5, 20}, {1, 2.5, 21}}};
        const Sheet test{"calls", {"us", "rank", "bytes"}, {{3.5, 2, 7}}};
        Sheet combined = combinedSheet(base, test, "old", "new");
        QCOMPARE(combined.columns, (std::vector<std::string>{"rank", "us", "stream", "bytes", "source"}));
        QCOMPARE(combined.rowCount(), std::size_t{3});
        int taken = 0;
        combined.forEachRow([&](const Value::Array&) { return ++taken < 1; });
        QCOMPARE(taken, 1);
        combined.keepRows();
        QCOMPARE(rowTexts(&combined),
                 (std::vector<std::string>{"0 | 1.5 | 20 | - | old", "1 | 2.5 | 21 | - | old",
                                           "2 | 3.5 | - | 7 | new"}));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestWorkbook)
#include "tst_workbook.moc"
