// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Names made fit for terminals and spreadsheets.

#include "metrics/export/workbook.h"
#include "metrics/export/written_report.h"
#include "model/text/printable_text.h"
#include "tests/support/suite/suite.h"

#include <QTest>

#include <nlohmann/json.hpp>

namespace collscope {

class TestPrintableText : public QObject
{
    Q_OBJECT

private slots:
    void lines()
    {
        const auto line = [](const char* text) { return QByteArray::fromStdString(printableLine(text)); };
        QCOMPARE(line("plain \"quoted\" 'name' \xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"),
                 QByteArray("plain \"quoted\" 'name' \xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"));
        QCOMPARE(line("a\nb\tc\x1b[2Jd\x7f"), QByteArray("a\\x0ab\\x09c\\x1b[2Jd\\x7f"));
        QCOMPARE(line("\xff\xC3(\xED\xA0\x80"), QByteArray("\\xff\\xc3(\\xed\\xa0\\x80"));
        QCOMPARE(line("\xC2\x9B"
                      "2J"),
                 QByteArray("\\u009b2J")); // a control sequence in eight bits
        QCOMPARE(line("gpj.\xE2\x80\xAE"
                      "exe"),
                 QByteArray("gpj.\\u202eexe")); // written from the right
        QCOMPARE(printableText("a\n\tb\r\x1b"), std::string("a\n\tb\\x0d\\x1b"));
        QCOMPARE(printableLine(std::string_view("a\0b", 3)), std::string("a\\x00b"));
    }
    void jsonCannotSteerATerminal()
    {
        const std::string text = "\u009b2J \u0085 \x7f \u202e caf\u00e9 \u6f22 \x1b \n";
        const std::string json = jsonText(Value::Object{{text, text}});
        for (const char* control : {"\u009b", "\u0085", "\x7f", "\u202e", "\x1b"})
            QVERIFY2(json.find(control) == std::string::npos, json.c_str());
        QVERIFY(json.find("\\u009b2J \\u0085 \\u007f \\u202e caf\u00e9 \u6f22 \\u001b \\n")
                != std::string::npos);
        const auto read = nlohmann::json::parse(json);
        QCOMPARE(read.at(text).get<std::string>(), text); // the same values
        const Workbook book{{{"s\u009b", {"n"}, {{Value(text)}}}}, {}};
        const std::string sheets = workbookJson(book);
        QVERIFY(sheets.find("\u009b") == std::string::npos);
        QCOMPARE(nlohmann::json::parse(sheets)["sheets"][0]["rows"][0][0].get<std::string>(), text);
    }
    void cells()
    {
        for (const char* formula :
             {"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1+1", "  \t=1", "\u00a0=1",
              "\u3000@x", "\ufeff=1", "\uff1d1+1", "\uff0b1", "\uff0d1", " \uff20x"}) {
            const std::string cell = csvCell(formula);
            QVERIFY2(cell.starts_with("'") || cell.starts_with("\"'"), cell.c_str());
        }
        QCOMPARE(csvCell("gemm"), std::string("gemm"));
        QCOMPARE(csvCell(""), std::string());
        QCOMPARE(csvCell("  a=b"), std::string("  a=b"));
        QCOMPARE(csvCell("x;=cmd|' /C calc'!A0"),
                 std::string("\"x;=cmd|' /C calc'!A0\"")); // one cell everywhere
        QCOMPARE(csvCell("a,\"b\""), std::string("\"a,\"\"b\"\"\""));
        QCOMPARE(csvCell("=a,b"), std::string("\"'=a,b\""));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestPrintableText)
#include "tst_printable_text.moc"
