// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/queries/location_text.h"
#include "tests/support/suite/suite.h"

#include <QObject>
#include <QTest>

namespace collscope {

class TestLocationText : public QObject
{
    Q_OBJECT

private slots:
    void textAndBack_data()
    {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<bool>("isOne");
        const auto row = [](const char* name, const char* text, bool isOne) {
            QTest::newRow(name) << std::string(text) << isOne;
        };
        row("slice", "run@3:stream 7:100-250", true);
        row("colons", "my run@0:thread: main (7):-5-3", true);
        row("range", "a@b@100-250", true);
        row("track with @", "run@0:to a@b:1-2", true);
        row("title with numbers", "x:1-2@100-250", true);
        row("empty track", "run@0::1-2", true);
        row("no title", "@100-250", true);
        row("negative", "run@-9--3", true);
        row("backwards", "run@250-100", false);
        row("a name", "gemm_128x128", false);
        row("nothing", "", false);
        row("only @", "run@", false);
        row("half", "run@3:stream 7:100-", false);
        row("no rank", "run@:stream 7:100-250", false);
        row("negative rank", "run@-3:stream 7:100-250", false);
        row("no track", "run@3:100-250", false);
        row("sign", "run@+1-2", false);
        row("rank too large", "run@1234567890:s:1-2", false);
        row("too large", "run@0:s:1-99999999999999999999", false);
    }
    void textAndBack()
    {
        QFETCH(const std::string, text);
        QFETCH(const bool, isOne);
        const auto location = parseLocation(text);
        QCOMPARE(location.has_value(), isOne);
        if (location)
            QCOMPARE(locationText(*location), text);
    }
    void parts()
    {
        const auto slice = parseLocation("  my run@3:thread: main (7):-5-3\n");
        QVERIFY(slice);
        QVERIFY((*slice == Location{"my run", 3, "thread: main (7)", {-5, 3}}));
        QVERIFY((parseLocation("a@b@100-250") == Location{"a@b", {}, {}, {100, 250}}));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestLocationText)
#include "tst_location_text.moc"
