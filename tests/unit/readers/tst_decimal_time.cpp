// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/text/decimal_time.h"
#include "tests/support/suite/suite.h"

namespace collscope {

class TestDecimalTime : public QObject
{
    Q_OBJECT

private slots:
    void microseconds_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<qint64>("ns");
        QTest::newRow("whole") << QByteArray("12") << qint64{12'000};
        QTest::newRow("three decimals") << QByteArray("4458677009853.422") << qint64{4'458'677'009'853'422};
        QTest::newRow("two decimals") << QByteArray("0.25") << qint64{250};
        QTest::newRow("epoch, exact to the ns")
            << QByteArray("1711964646000123.457") << qint64{1'711'964'646'000'123'457};
        QTest::newRow("18 digits") << QByteArray("171196464600012.345") << qint64{171'196'464'600'012'345};
        QTest::newRow("half goes to even, down") << QByteArray("0.0025") << qint64{2};
        QTest::newRow("half goes to even, up") << QByteArray("0.0035") << qint64{4};
        QTest::newRow("above half") << QByteArray("0.00250001") << qint64{3};
        QTest::newRow("below half") << QByteArray("0.00249999") << qint64{2};
        QTest::newRow("carries") << QByteArray("0.9999") << qint64{1000};
        QTest::newRow("negative") << QByteArray("-3.5") << qint64{-3500};
        QTest::newRow("exponent") << QByteArray("1.5e3") << qint64{1'500'000};
        QTest::newRow("negative exponent") << QByteArray("15E-1") << qint64{1500};
        QTest::newRow("quoted") << QByteArray("\"7.5\"") << qint64{7500};
        QTest::newRow("blanks") << QByteArray(" 7 ") << qint64{7000};
    }
    void microseconds()
    {
        QFETCH(QByteArray, text);
        QFETCH(qint64, ns);
        const auto got
            = nanosecondsFromMicroseconds({text.constData(), static_cast<std::size_t>(text.size())});
        QVERIFY(got.has_value());
        QCOMPARE(qint64{*got}, ns);
    }
    void noTime_data()
    {
        QTest::addColumn<QByteArray>("text");
        for (const char* text : {"", "\"\"", "NaN", "null", "Infinity", "abc", "1.2.3", "1e999",
                                 "99999999999999999999", "12 34", "-", "."})
            QTest::newRow(text) << QByteArray(text);
    }
    void noTime()
    {
        QFETCH(QByteArray, text);
        QVERIFY(!nanosecondsFromMicroseconds({text.constData(), static_cast<std::size_t>(text.size())})
                     .has_value());
    }
    void integers()
    {
        QCOMPARE(integerFromText("42").value_or(0), 42);
        QCOMPARE(integerFromText("\"-7\"").value_or(0), -7);
        QCOMPARE(integerFromText("7.0").value_or(0), 7);
        QVERIFY(!integerFromText("7.5"));
        QVERIFY(!integerFromText("stream 7"));
        QVERIFY(!integerFromText(""));
        QVERIFY(!integerFromText("99999999999999999999"));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestDecimalTime)
#include "tst_decimal_time.moc"
