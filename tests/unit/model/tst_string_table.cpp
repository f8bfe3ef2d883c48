// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/string_table.h"
#include "tests/support/suite/suite.h"

#include <string>

namespace collscope {

class TestStringTable : public QObject
{
    Q_OBJECT

private slots:
    void idZeroIsEmpty()
    {
        StringTable table;
        QCOMPARE(table.intern("").value, 0u);
        QVERIFY(table.view(StringId{0}).empty());
        QCOMPARE(table.size(), std::size_t{1});
    }
    void sameTextSameId()
    {
        StringTable table;
        const StringId a = table.intern("aten::mm");
        QVERIFY(table.intern(std::string("aten::") + "mm") == a);
        QVERIFY(table.intern("aten::addmm") != a);
        QVERIFY(table.find("aten::mm") == a);
        QVERIFY(!table.find("never seen"));
    }
    void viewsStayValidWhileItGrows()
    {
        StringTable table;
        const std::string_view first = table.view(table.intern("the very first name"));
        std::vector<StringId> ids;
        for (int i = 0; i < 50'000; ++i)
            ids.push_back(table.intern("name " + std::to_string(i)));
        QCOMPARE(first, std::string_view("the very first name"));
        for (int i = 0; i < 50'000; i += 997)
            QCOMPARE(table.view(ids[static_cast<std::size_t>(i)]),
                     std::string_view("name " + std::to_string(i)));
    }
    void holdsVeryLongText()
    {
        StringTable table;
        const std::string mangled(3'000'000, 'x');
        const StringId id = table.intern(mangled);
        QCOMPARE(table.view(id).size(), mangled.size());
        QVERIFY(table.intern(mangled) == id);
    }
    void mergeRemaps()
    {
        StringTable a;
        a.intern("only in a");
        const StringId shared = a.intern("shared");
        StringTable b;
        const StringId sharedInB = b.intern("shared");
        const StringId onlyB = b.intern("only in b");
        const std::vector<StringId> ids = a.merge(b);
        QCOMPARE(ids.size(), b.size());
        QVERIFY(ids[sharedInB.value] == shared);
        QCOMPARE(a.view(ids[onlyB.value]), std::string_view("only in b"));
        QVERIFY(ids[0] == StringId{0});
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestStringTable)
#include "tst_string_table.moc"
