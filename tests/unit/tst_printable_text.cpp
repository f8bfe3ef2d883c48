// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Names made fit for terminals and spreadsheets.

#include "metrics/export/report.h"
#include "model/printable_text.h"
#include "tests/support/suite.h"

#include <QTest>

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
    void cells()
    {
        for (const char* formula : {"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1"}) {
            const std::string cell = csvCell(formula);
            QVERIFY2(cell.starts_with("'") || cell.starts_with("\"'"), cell.c_str());
        }
        QCOMPARE(csvCell("gemm"), std::string("gemm"));
        QCOMPARE(csvCell("a,\"b\""), std::string("\"a,\"\"b\"\"\""));
        QCOMPARE(csvCell("=a,b"), std::string("\"'=a,b\""));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestPrintableText)
#include "tst_printable_text.moc"
