// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A run that was opened before comes back with what was made of it, and opens with its answer.

#include "app/files/resources.h"
#include "app/parts/session_store.h"
#include "tests/gui/driver/window_test.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/suite.h"
#include "views/ranks/rank_map_dialog.h"
#include "views/tables/problems_view.h"
#include "views/timeline/timeline_view.h"
#include "views/widgets/banner.h"

#include <QAction>
#include <QDir>
#include <QLineEdit>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableWidget>
#include <QTimer>

namespace collscope {

namespace {

SmallRun runOfTwo(double shiftUs = 0)
{
    SmallRun run(2);
    for (int rank = 0; rank < 2; ++rank) {
        run.step(rank, 1, shiftUs, 1000);
        run.cpu(rank, "train", shiftUs + 10, 900);
        run.kernel(rank, shiftUs + 200, 200, 7, "gemm", shiftUs + 40);
    }
    return run;
}

Session fullSession()
{
    Session session;
    session.annotations.marks = {{5'000, QStringLiteral("here \u201cit\u201d begins")}, {9'000, {}}};
    session.annotations.pins = {{1, QStringLiteral("stream 7/0")}, {-1, QStringLiteral("TP 0 1")}};
    session.hiddenRanks = {3};
    session.collapsedRanks = {0, 2};
    session.openThreads = {{0, false}, {1, true}};
    session.openGroups = false;
    session.rowScale = 1.5;
    session.rowFilter = QStringLiteral("/rank [01]/");
    session.visible = TimeRange{-100, 7'000};
    session.selected = TimeRange{1, 2};
    session.timeFormat = TimeFormat::WallClock;
    session.clocks = ClockChoice::Raw;
    session.ranks = {{"host1/trace.json", 7}};
    session.tab = QStringLiteral("problems");
    session.wallClockZeroNs = 1'763'000'000'123'456'789; // more digits than a double holds
    return session;
}

} // namespace

class TestSessions : public WindowTest
{
    Q_OBJECT

private:
    QString path(const char* name) const { return m_folder.filePath(QLatin1String(name)); }
    QTabWidget& tabs() const { return *m_window->findChild<QTabWidget*>(); }
    QString kept() const
    {
        return SessionStore(SessionStore::defaultFolder()).fileOf(*state().run().model());
    }
    /// A window that remembers, with a run.
    void openRemembering(const char* run)
    {
        m_window = std::make_unique<MainWindow>(UserSettings::Use);
        m_window->resize(1500, 1000);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        QVERIFY(openAndWait(*m_window, {path(run)}));
    }
    bool bannerIsShown() const
    {
        return m_window->findChild<QWidget*>(QStringLiteral("banner"))->isVisible();
    }
    void writeFiles() override
    {
        runOfTwo().write(path("run").toStdString());
        runOfTwo(50).write(path("other").toStdString());
    }
    void openFirst() override { QDir(SessionStore::defaultFolder()).removeRecursively(); }

private slots:
    void everythingSurvivesJson()
    {
        const auto read = readSession(sessionJson(fullSession()));
        QVERIFY2(read, read ? "" : read.error().message.c_str());
        QVERIFY(*read == fullSession());
        QVERIFY(*readSession(sessionJson({})) == Session());
    }
    void whatIsNoSessionSaysWhy_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QString>("reason");
        QTest::newRow("cut") << sessionJson(fullSession()).left(60) << QStringLiteral("at byte");
        QTest::newRow("empty") << QByteArray() << QStringLiteral("at byte");
        QTest::newRow("another JSON")
            << QByteArray("{\"traceEvents\": []}") << QStringLiteral("not a Collscope session");
        QTest::newRow("newer") << QByteArray("{\"collscope_session\": 99}") << QStringLiteral("newer");
    }
    void whatIsNoSessionSaysWhy()
    {
        QFETCH(QByteArray, json);
        QFETCH(QString, reason);
        const auto read = readSession(json);
        QVERIFY(!read);
        const std::string& why = read.error().message;
        QVERIFY2(QString::fromStdString(why).contains(reason), why.c_str());
    }
    void nonsenseIsLeftOut()
    {
        const auto read = readSession(
            R"({"collscope_session": 1, "row_scale": "tall", "hidden_ranks": [1, "two", 1e300, -7],
            "marks": [{"ns": 7}, {"ns": 1e300}, {"note": "nowhere"}, {"ns": 3, "note": 5}, {"ns": 7, "note": "again"}, 9],
            "pins": [{"rank": 1, "row": "a"}, {"rank": 1, "row": "a"}, {"rank": 2}, null],
            "visible_ns": [9, 3], "selected_ns": [1], "time_format": "stardate"})");
        QVERIFY(read);
        QCOMPARE(read->rowScale, 1.0);
        QVERIFY(read->hiddenRanks == std::set<std::int32_t>{1});
        QVERIFY((read->annotations.marks == std::vector<Mark>{{3, {}}, {7, {}}}));
        QVERIFY((read->annotations.pins == std::vector<RowKey>{{1, QStringLiteral("a")}}));
        QVERIFY(!read->visible && !read->selected && read->timeFormat == TimeFormat::Relative);
    }
    /// Changes that the window makes itself, such as collapsing groups that do not fit, are not saved as the
    /// user's.
    void aRunThatIsOnlyOpenedLeavesNoSession()
    {
        m_window = std::make_unique<MainWindow>(UserSettings::Use);
        m_window->resize(1100, 600);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        QVERIFY(openAndWait(*m_window, {QString::fromStdString(resourceFolder("demo"))}));
        QTRY_VERIFY(!m_window->isComputing());
        QVERIFY2(!m_window->view<TimelineView>()->layout().rows().front().isExpanded,
                 "there is room for the groups, so this shows nothing");
        m_window->close();
        QVERIFY(!QFile::exists(kept()));
    }
    void aRunComesBackAsItWasLeft()
    {
        CHECKED(openRemembering("run"));
        CHECKED(hoverTimeline(400'000, 200));
        press(Qt::Key_M, Qt::ShiftModifier);
        const std::int64_t mark = state().run().edits()->marks().front().timeNs;
        state().run().edits()->setNote(mark, QStringLiteral("slow"));
        press(Qt::Key_Down);
        press(Qt::Key_P);
        state().preferences().setRankHidden(1, true);
        press(Qt::Key_Asterisk, Qt::ControlModifier | Qt::ShiftModifier);
        const std::vector<RowKey> pins = state().run().edits()->pins();
        QCOMPARE(pins.size(), std::size_t{1});
        m_window->close();

        CHECKED(openRemembering("run"));
        QVERIFY((state().run().edits()->marks() == std::vector<Mark>{{mark, QStringLiteral("slow")}}));
        QVERIFY(state().run().edits()->pins() == pins);
        QVERIFY(timeline().layout().rows().front().isPinned);
        QVERIFY(state().preferences().isRankHidden(1) && !state().preferences().isRankHidden(0));
        QVERIFY(timeline().rows().areThreadsOpen());
        QVERIFY2(!state().run().edits()->undoStack()->canUndo(), "undo is about what was done now");
    }
    void aRunOpensWithItsAnswer()
    {
        CHECKED(openRemembering("run"));
        const TimeRange whole = state().viewport().visibleRange();
        const QString first = tabs().currentWidget()->objectName();
        state().viewport().setVisibleRange({100'000, 700'000});
        state().selection().setRange(TimeRange{200'000, 300'000});
        CHECKED(clickTab(*m_window->view<ProblemsView>()));
        m_window->close();

        CHECKED(openRemembering("run"));
        QCOMPARE(tabs().currentWidget()->objectName(), first);
        QVERIFY(state().viewport().visibleRange() == whole);
        QVERIFY2(!state().selection().range(), "the metrics are those of the run");
        press(Qt::Key_Left, Qt::AltModifier);
        QVERIFY((state().viewport().visibleRange() == TimeRange{100'000, 700'000}));
    }
    void anotherRunKnowsNothingOfIt()
    {
        CHECKED(openRemembering("run"));
        press(Qt::Key_M, Qt::ShiftModifier);
        QVERIFY(openAndWait(*m_window, {path("other")}));
        QVERIFY(state().run().edits()->marks().empty());
        QVERIFY2(openAndWait(*m_window, {path("run")}), "what was left for another run was kept, too");
        QCOMPARE(state().run().edits()->marks().size(), std::size_t{1});
    }
    void aMovedFolderIsTheSameRun()
    {
        CHECKED(openRemembering("run"));
        press(Qt::Key_M, Qt::ShiftModifier);
        m_window->close();
        QVERIFY(QDir().rename(path("run"), path("moved")));
        CHECKED(openRemembering("moved"));
        QCOMPARE(state().run().edits()->marks().size(), std::size_t{1});
        m_window->close();
        QVERIFY(QDir().rename(path("moved"), path("run")));
    }
    void itIsKeptAfterAMomentOfQuiet()
    {
        CHECKED(openRemembering("run"));
        press(Qt::Key_M, Qt::ShiftModifier);
        QVERIFY(!QFile::exists(kept()));
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(kept()), 10'000); // a crash would cost no more than that
    }
    void whoOnlyLooksLeavesNothing()
    {
        CHECKED(openRemembering("run"));
        m_window->close();
        QVERIFY(!QFile::exists(kept()));
        QCOMPARE(QDir(path("run")).entryList(QDir::Files | QDir::Hidden).size(), 2);
    }
    void aWindowWithoutSettingsKeepsNothing()
    {
        QVERIFY(openAndWait(*m_window, {path("run")}));
        press(Qt::Key_M, Qt::ShiftModifier);
        m_window->close();
        QVERIFY(!QFile::exists(kept()));
    }
    void besideTheRunOnlyWhenAsked()
    {
        CHECKED(openRemembering("run"));
        press(Qt::Key_M, Qt::ShiftModifier);
        state().viewport().setVisibleRange({100'000, 700'000});
        state().selection().setRange(TimeRange{200'000, 300'000});
        CHECKED(clickTab(*m_window->view<ProblemsView>()));
        const QString beside = SessionStore::fileBeside(*state().run().model());
        m_window->findChild<QAction*>(QStringLiteral("saveSession"))->trigger();
        QVERIFY(QFile::exists(beside));
        QVERIFY(beside.startsWith(path("run")));
        m_window->close();
        QDir(SessionStore::defaultFolder()).removeRecursively(); // a colleague has none
        CHECKED(openRemembering("run"));
        QCOMPARE(state().run().edits()->marks().size(), std::size_t{1});
        QVERIFY2((state().viewport().visibleRange() == TimeRange{100'000, 700'000}), "the place to look at");
        QVERIFY((state().selection().range() == TimeRange{200'000, 300'000}));
        QCOMPARE(tabs().currentWidget()->objectName(), QStringLiteral("problems"));
        for (const Diagnostic& problem : state().run().model()->problems.entries())
            QVERIFY2(QString::fromStdString(problem.file) != beside, "the loader takes it for no trace");
        // Who double-clicks it means the run.
        CHECKED(openRemembering(beside == path("run") + QStringLiteral("/collscope-session")
                                    ? "run/collscope-session"
                                    : "run.collscope-session"));
        QCOMPARE(state().run().model()->paths.front(), path("run").toStdString());
        QCOMPARE(SessionStore::runsOf({beside, path("run"), path("other.collscope-session")}),
                 QStringList({path("run"), path("other.collscope-session")}));
        QFile::remove(beside);
    }
    void startingOverForgets()
    {
        CHECKED(openRemembering("run"));
        press(Qt::Key_M, Qt::ShiftModifier);
        state().preferences().setRankHidden(1, true);
        m_window->close();
        CHECKED(openRemembering("run"));
        m_window->findChild<QAction*>(QStringLiteral("startOver"))->trigger();
        QVERIFY(state().run().edits()->marks().empty() && !state().preferences().isRankHidden(1));
        QVERIFY(!QFile::exists(kept()));
        m_window->close();
        CHECKED(openRemembering("run"));
        QVERIFY(state().run().edits()->marks().empty());
    }
    void aDamagedSessionIsTold()
    {
        CHECKED(openRemembering("run"));
        QDir().mkpath(SessionStore::defaultFolder());
        QFile file(kept());
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("{\"collscope_session\": ") > 0);
        file.close();
        CHECKED(openRemembering("run"));
        QVERIFY(bannerIsShown());
        QVERIFY(state().run().edits()->marks().empty());
    }
    void theOldestSessionsGo()
    {
        QTemporaryDir folder;
        SessionStore store(folder.path());
        TraceModel model;
        model.sources.resize(1);
        const QDateTime now = QDateTime::currentDateTime();
        for (int i = 0; i < SessionStore::mostKept + 20; ++i) {
            model.sources[0].bytes = static_cast<std::uint64_t>(i);
            QVERIFY(store.save(store.fileOf(model), {}));
            QFile file(store.fileOf(model));
            QVERIFY(file.open(QIODevice::ReadWrite)
                    && file.setFileTime(now.addSecs(i - 10'000), QFileDevice::FileModificationTime));
        }
        QVERIFY2(QFile::exists(store.fileOf(model)), "the last one is kept");
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), SessionStore::mostKept);
        model.sources[0].bytes = 0;
        QVERIFY(!QFile::exists(store.fileOf(model)));
    }
    void ranksOfFilesAreRemembered()
    {
        // Both say that they are rank 4, and one begins before the other.
        for (const char* name : {"odd/a.json", "odd/b.json"}) {
            const bool isEarly = name == std::string_view("odd/b.json");
            writeKineto(path(name), 4,
                        {completeEvent("kernel", QStringLiteral("gemm"), 0, 7, isEarly ? 1000 : 1500, 80)});
        }
        CHECKED(openRemembering("odd"));
        QCOMPARE(state().run().model()->ranks(), std::vector<std::int32_t>{4});
        const auto* banner = m_window->findChild<Banner*>(QStringLiteral("banner"));
        QVERIFY2(banner->message() && banner->message()->about == QStringLiteral("ranks"), "it asks");
        m_window->findChild<QAction*>(QStringLiteral("ranks"))->trigger();
        auto* dialog = m_window->findChild<RankMapDialog*>();
        QVERIFY(dialog);
        QCOMPARE(dialog->table()->rowCount(), 2);
        auto* rank = qobject_cast<QSpinBox*>(dialog->table()->cellWidget(1, 1));
        rank->setFocus();
        QTest::keyClick(rank, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(rank, QStringLiteral("5"));
        dialog->accept();
        QTRY_VERIFY(!m_window->isLoading());
        QCOMPARE(state().run().model()->ranks(), (std::vector<std::int32_t>{4, 5}));
        QVERIFY2(!banner->message() || banner->message()->about != QStringLiteral("ranks"),
                 "it has been told");
        m_window->close();
        CHECKED(openRemembering("odd"));
        QTRY_COMPARE(state().run().model()->ranks(), (std::vector<std::int32_t>{4, 5}));
        m_window->findChild<QAction*>(QStringLiteral("startOver"))->trigger();
        QTRY_COMPARE(state().run().model()->ranks(), std::vector<std::int32_t>{4});
    }
    void startingOverOutweighsWhatLiesBeside()
    {
        CHECKED(openRemembering("run"));
        press(Qt::Key_M, Qt::ShiftModifier);
        const QString beside = SessionStore::fileBeside(*state().run().model());
        m_window->findChild<QAction*>(QStringLiteral("saveSession"))->trigger();
        QFile file(beside);
        QVERIFY(file.open(QIODevice::ReadWrite)
                && file.setFileTime(QDateTime::currentDateTime().addSecs(-60),
                                    QFileDevice::FileModificationTime));
        file.close();
        m_window->findChild<QAction*>(QStringLiteral("startOver"))->trigger();
        m_window->close();
        CHECKED(openRemembering("run"));
        QVERIFY(state().run().edits()->marks().empty());
        QVERIFY(QFile::remove(beside));
    }
    void reloadingWithPinsAndProcessGroups()
    {
        writeSmallRun(path("groups"));
        QVERIFY(openAndWait(*m_window, {path("groups")}));
        QVERIFY(std::any_of(timeline().layout().rows().begin(), timeline().layout().rows().end(),
                            [](const TimelineRow& row) { return row.kind == RowKind::Group; }));
        press(Qt::Key_Down);
        press(Qt::Key_Down);
        press(Qt::Key_P);
        QVERIFY(timeline().layout().rows().front().isPinned);
        state().preferences().setRowFilter(QStringLiteral("rank 1"));
        QVERIFY(openAndWait(*m_window, {path("groups")}));
        QVERIFY2(timeline().layout().rows().front().isPinned, "the same run keeps its pins");
        QVERIFY(openAndWait(*m_window, {path("run")}));
        QVERIFY(!timeline().layout().rows().front().isPinned);
        QVERIFY2(timeline().findChild<QLineEdit*>(QStringLiteral("rowFilter"))->text().isEmpty(),
                 "and another run has no filter");
    }
    void whoTypesKeepsTheFocus()
    {
        QVERIFY(openAndWait(*m_window, {path("run")}));
        auto* filter = timeline().findChild<QLineEdit*>(QStringLiteral("rowFilter"));
        filter->setFocus();
        press(Qt::Key_F5);
        filter->setFocus();
        QTRY_VERIFY(!m_window->isLoading());
        QVERIFY(filter->hasFocus());
    }
    void reloadingKeepsTheView()
    {
        QVERIFY(openAndWait(*m_window, {path("run")}));
        state().viewport().setVisibleRange({100'000, 300'000});
        state().preferences().setRankHidden(1, true);
        press(Qt::Key_F5);
        QTRY_VERIFY(!m_window->isLoading() && !m_window->isComputing());
        QVERIFY((state().viewport().visibleRange() == TimeRange{100'000, 300'000}));
        QVERIFY(state().preferences().isRankHidden(1));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestSessions)
#include "tst_sessions.moc"
