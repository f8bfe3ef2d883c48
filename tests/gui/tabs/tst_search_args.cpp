// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Search for args: what the model keeps at once, the rest from the files; and the keys of search without a
// mouse.

#include "tests/gui/driver/window_test.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/suite.h"
#include "views/search/search_bar.h"
#include "views/search/search_results.h"
#include "views/timeline/timeline_view.h"

#include <QAction>
#include <QFile>
#include <QLineEdit>
#include <QTableView>
#include <QToolButton>

namespace collscope {

class TestSearchArgs : public WindowTest
{
    Q_OBJECT

private:
    SearchResults& results() const { return *m_window->view<SearchResults>(); }
    SearchBar& bar() const { return *m_window->view<SearchBar>(); }
    QString file(int rank) const { return runPath() + QStringLiteral("/rank%1.json").arg(rank); }
    std::int64_t selectedStartUs() const
    {
        return state().selection().slice() ? state().run().rangeOf(state().selection().slice()).beginNs / 1000
                                           : -1;
    }
    /// Types it, and waits for the whole answer.
    void search(const QString& text) const
    {
        bar().clear();
        timeline().setFocus();
        QTest::keyClick(&timeline(), Qt::Key_Slash);
        QTest::keyClicks(bar().line(), text);
        QTRY_VERIFY(state().emphasis().matches());
        QTRY_VERIFY(!m_window->isComputing());
    }
    std::size_t found(const QString& text) const
    {
        search(text);
        return state().emphasis().matches() ? state().emphasis().matches()->size() : 999;
    }

    static QString kernel(const QString& name, int stream, double startUs, const QString& args)
    {
        return QStringLiteral(
                   "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"%1\", \"pid\": 0, \"tid\": %2, "
                   "\"ts\": %3, \"dur\": 10, \"args\": {\"device\": 0, \"stream\": %2%4}}")
            .arg(name)
            .arg(stream)
            .arg(startUs, 0, 'f', 3)
            .arg(args);
    }
    void openFirst() override
    {
        writeKineto(
            file(0), 0,
            {kernel(QStringLiteral("gemm"), 7, 100, QStringLiteral(", \"note\": \"Alpha Beta\"")),
             kernel(QStringLiteral("gemm"), 70, 200, QStringLiteral(", \"grid\": [7, 1, 1]")),
             completeEvent("cpu_op", QStringLiteral("aten::mm"), 1, 1, 50, 20),
             QStringLiteral("{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::add\", \"pid\": 1, "
                            "\"tid\": 1, \"ts\": 80, \"dur\": 5, \"args\": {\"Ev Idx\": 7, \"Input "
                            "Dims\": [[64, 128], []], \"note\": \"alpha\"}}")});
        writeKineto(file(1), 1, {kernel(QStringLiteral("softmax"), 7, 300, {})});
        QVERIFY(openAndWait(*m_window, {runPath()}));
        state().viewport().setVisibleRange(state().run().range());
        timeline().setFocus();
    }

private slots:
    void namesAndValues()
    {
        QCOMPARE(found(QStringLiteral("arg:stream=7")), std::size_t{2}); // not stream 70
        QCOMPARE(found(QStringLiteral("softmax arg:stream=7")), std::size_t{1});
        QCOMPARE(found(QStringLiteral("arg:STREAM = 70")), std::size_t{1});
        QCOMPARE(found(QStringLiteral("arg:note=alpha")), std::size_t{1});
        QCOMPARE(found(QStringLiteral("arg:alpha")), std::size_t{2});
        QCOMPARE(found(QStringLiteral("arg:Ev Idx=7")), std::size_t{1});
        QCOMPARE(found(QStringLiteral("arg:input dims")), std::size_t{1});
        QCOMPARE(found(QStringLiteral("arg:[64, 128]")), std::size_t{1});
        QCOMPARE(found(QStringLiteral("arg:none of them")), std::size_t{0});
        QVERIFY(results().emptyText().contains(QStringLiteral("matching arg")));
        QVERIFY(results().progressText().isEmpty());
        QCOMPARE(found(QStringLiteral("stream=7")), std::size_t{0}); // a name
    }
    void patterns()
    {
        widgetNamed<QToolButton>(bar(), "searchPattern").click();
        QCOMPARE(found(QStringLiteral("arg:stream=^7")), std::size_t{3});
        QCOMPARE(found(QStringLiteral("^g.*m$ arg:note=a$")), std::size_t{1});
        QTest::keyClick(&timeline(), Qt::Key_Slash);
        QTest::keyClicks(bar().line(), QStringLiteral("arg:stream=(7"));
        QTRY_COMPARE(bar().countText(), QStringLiteral("invalid pattern"));
    }
    void withoutAWordThereIsNoQuestion()
    {
        QTest::keyClick(&timeline(), Qt::Key_Slash);
        QTest::keyClicks(bar().line(), QStringLiteral("arg:"));
        QTRY_COMPARE(bar().countText(), QStringLiteral("arg: needs a value"));
        QVERIFY(!state().emphasis().matches());
        QTRY_VERIFY(!m_window->isComputing());
    }
    void filesThatAreGone()
    {
        QVERIFY(QFile::remove(file(0)));
        CHECKED(search(QStringLiteral("arg:stream=7")));
        QCOMPARE(state().emphasis().matches()->size(), std::size_t{2}); // the model keeps streams
        QVERIFY(results().progressText().contains(file(0)));
        QCOMPARE(found(QStringLiteral("arg:alpha")), std::size_t{0});
        QVERIFY2(results().progressText().contains(file(0)), "nothing is claimed about what was not read");
        bar().clear();
        QVERIFY(results().progressText().isEmpty());
    }
    void readingCanBeCancelled()
    {
        SliceQuestion question;
        question.text = QStringLiteral("arg:alpha");
        bar().ask(question);
        QVERIFY(m_window->isComputing());
        QVERIFY(results().progressText().startsWith(QStringLiteral("Reading 2 files for all args")));
        widgetNamed<QToolButton>(results(), "searchCancel").click();
        QTRY_VERIFY(!m_window->isComputing());
        QCOMPARE(state().emphasis().matches()->size(), std::size_t{0}); // notes are not kept
        QVERIFY(results().progressText().contains(QStringLiteral("not read completely")));
        QVERIFY(results().emptyText().contains(QStringLiteral("searched so far")));
        QCOMPARE(found(QStringLiteral("arg:alpha")), std::size_t{2});
        QVERIFY(results().progressText().isEmpty());
    }
    void instancesByKeysAlone()
    {
        state().selection().setSlice({});
        QTest::keyClick(&timeline(), Qt::Key_Slash);
        QTest::keyClicks(bar().line(), QStringLiteral("gemm"));
        QTest::keyClick(bar().line(), Qt::Key_Return);
        QTRY_VERIFY(state().selection().slice());
        timeline().setFocus();
        const std::int64_t first = selectedStartUs();
        bar().clear();
        QTest::keyClick(&timeline(), Qt::Key_F3, Qt::ControlModifier);
        QTest::keyClick(&timeline(), Qt::Key_F3); // before the answer is there
        QTRY_VERIFY(selectedStartUs() != first);
        const std::int64_t second = selectedStartUs();
        QVERIFY(timeline().hasFocus());
        QTest::keyClick(&timeline(), Qt::Key_F3, Qt::ShiftModifier);
        QCOMPARE(selectedStartUs(), first);
        QTest::keyClick(&timeline(), Qt::Key_F3, Qt::ShiftModifier);
        QCOMPARE(selectedStartUs(), second);
        QTest::keyClick(&timeline(), Qt::Key_F3, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(state().selection().slice(), state().emphasis().matches()->longest.front());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestSearchArgs)
#include "tst_search_args.moc"
