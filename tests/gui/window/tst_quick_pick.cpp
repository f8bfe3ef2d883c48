// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The quick pick by itself, and the command palette made with it.

#include "app/parts/actions.h"
#include "tests/gui/driver/window_test.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/suite.h"
#include "views/metrics/metrics_panel.h"
#include "views/search/search_bar.h"
#include "views/tables/range_panel.h"
#include "views/timeline/timeline_view.h"
#include "views/widgets/fuzzy_match.h"
#include "views/widgets/quick_pick.h"

#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QMenuBar>
#include <QScrollBar>
#include <QTabWidget>

namespace collscope {

namespace {

std::vector<QuickPickItem> fruits()
{
    std::vector<QuickPickItem> items;
    for (const char* name : {"Apple", "Pear", "Pineapple", "Grape", "Green apple"})
        items.push_back({QString::fromLatin1(name).toLower(), QString::fromLatin1(name)});
    return items;
}

} // namespace

class TestQuickPick : public WindowTest
{
    Q_OBJECT

private:
    QuickPick& pick() const { return *m_window->view<QuickPick>(); }
    QLineEdit& line() const { return *pick().findChild<QLineEdit*>(); }
    QListView& list() const { return *pick().findChild<QListView*>(); }
    QStringList shown() const
    {
        QStringList texts;
        for (int row = 0; row < list().model()->rowCount(); ++row)
            texts << list().model()->index(row, 0).data().toString();
        return texts;
    }
    QString shownText() const { return shown().join(QStringLiteral(", ")); }
    QString current() const { return list().currentIndex().data().toString(); }
    QString spoken(int row) const
    {
        return list().model()->index(row, 0).data(Qt::AccessibleTextRole).toString();
    }
    void press(Qt::Key key) const { QTest::keyClick(&line(), key); }
    void openFruits(QString* picked = nullptr) const
    {
        pick().open(fruits(), QStringLiteral("Fruit"), [picked](const QString& id) {
            if (picked)
                *picked = id;
        });
    }
    void openPalette() const
    {
        QTest::keyClick(m_window.get(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(pick().isOpen());
    }
    static void addLeaves(const QMenu& menu, QList<QAction*>& leaves)
    {
        for (QAction* action : menu.actions()) {
            if (action->menu())
                addLeaves(*action->menu(), leaves);
            else if (!action->isSeparator() && action->isVisible())
                leaves << action;
        }
    }
    QList<QAction*> menuActions() const
    {
        QList<QAction*> leaves;
        for (QAction* title : m_window->menuBar()->actions())
            addLeaves(*title->menu(), leaves);
        return leaves;
    }
    QAction& action(const char* id) const { return *m_window->findChild<QAction*>(QLatin1String(id)); }
    /// The row of a command while nothing is typed: the palette has the order of the menus.
    int rowOf(const char* id) const { return static_cast<int>(menuActions().indexOf(&action(id))); }
    QString titleOf(MenuId menu) const
    {
        return m_window->menuBar()->actions().at(static_cast<int>(menu))->text().remove(QLatin1Char('&'));
    }

private slots:
    void betterMatchesScoreHigher_data()
    {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("better");
        QTest::addColumn<QString>("worse");
        QTest::newRow("beginning") << "gr"
                                   << "Grid lines"
                                   << "Go to rank";
        QTest::newRow("beginnings of words") << "gr"
                                             << "Go to rank"
                                             << "Program";
        QTest::newRow("next to each other") << "log"
                                            << "Catalog"
                                            << "Allocating";
        QTest::newRow("case of names") << "ag"
                                       << "ncclAllGather"
                                       << "ncclTalking";
        QTest::newRow("numbers") << "r1"
                                 << "rank1"
                                 << "rank 201";
        QTest::newRow("near") << "td"
                              << "Theme: dark"
                              << "Theme of another day";
    }
    void betterMatchesScoreHigher()
    {
        QFETCH(QString, typed);
        QFETCH(QString, better);
        QFETCH(QString, worse);
        const FuzzyPattern pattern(typed);
        QVERIFY(pattern.score(better) && pattern.score(worse));
        QVERIFY2(*pattern.score(better) > *pattern.score(worse),
                 qPrintable(QStringLiteral("%1, %2").arg(*pattern.score(better)).arg(*pattern.score(worse))));
    }
    void allLettersInTheirOrder()
    {
        const auto places = [](const char* typed, const char* text) {
            return FuzzyPattern(QString::fromLatin1(typed)).positions(QString::fromLatin1(text));
        };
        using Places = std::vector<qsizetype>;
        QVERIFY(places("GL", "Grid lines") == Places({0, 5}));
        QVERIFY2(places("id l", "Grid lines") == Places({2, 3, 5}), "typed spaces do not count");
        QVERIFY2(places("apple", "A pineapple") == Places({6, 7, 8, 9, 10}), "not the A at the beginning");
        QVERIFY(!FuzzyPattern(QStringLiteral("lg")).score(QStringLiteral("Grid lines")));
        QVERIFY(!FuzzyPattern(QStringLiteral("grids!")).score(QStringLiteral("Grid lines")));
        QVERIFY(FuzzyPattern().score(QString()) == 0);
    }

    void typingFiltersAndSorts()
    {
        openFruits();
        QCOMPARE(shownText(), QStringLiteral("Apple, Pear, Pineapple, Grape, Green apple"));
        QTest::keyClicks(&line(), QStringLiteral("ap"));
        QCOMPARE(shownText(), QStringLiteral("Apple, Green apple, Grape, Pineapple"));
        QTest::keyClicks(&line(), QStringLiteral("pl"));
        QCOMPARE(shownText(), QStringLiteral("Apple, Green apple, Pineapple"));
        press(Qt::Key_Backspace);
        press(Qt::Key_Backspace);
        QVERIFY2(shown().contains(QStringLiteral("Grape")), "it comes back");
        QTest::keyClicks(&line(), QStringLiteral("x"));
        QVERIFY(shown().isEmpty() && !list().isVisible());
        const auto labels = pick().findChildren<QLabel*>();
        QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
            return label->isVisible() && label->text().contains(QStringLiteral("apx"));
        }));
        press(Qt::Key_Return);
        QVERIFY2(pick().isOpen(), "there is nothing to pick");
    }
    void keysMoveAndPick()
    {
        QString picked;
        m_window->view<TimelineView>()->setFocus();
        openFruits(&picked);
        QVERIFY(line().hasFocus());
        QCOMPARE(current(), QStringLiteral("Apple"));
        press(Qt::Key_Up);
        QCOMPARE(current(), QStringLiteral("Apple"));
        press(Qt::Key_Down);
        QCOMPARE(current(), QStringLiteral("Pear"));
        press(Qt::Key_End);
        QCOMPARE(current(), QStringLiteral("Green apple"));
        press(Qt::Key_Down);
        QCOMPARE(current(), QStringLiteral("Green apple"));
        press(Qt::Key_Home);
        QCOMPARE(current(), QStringLiteral("Apple"));
        press(Qt::Key_PageDown);
        QCOMPARE(current(), QStringLiteral("Green apple"));
        press(Qt::Key_PageUp);
        QCOMPARE(current(), QStringLiteral("Apple"));
        press(Qt::Key_Down);
        press(Qt::Key_Return);
        QVERIFY(!pick().isOpen());
        QCOMPARE(picked, QStringLiteral("pear"));
        QVERIFY2(m_window->view<TimelineView>()->hasFocus(), "the focus is where it was");
    }
    void aClickPicks()
    {
        QString picked;
        openFruits(&picked);
        QCoreApplication::processEvents();
        const QRect row = list().visualRect(list().model()->index(3, 0));
        QVERIFY(list().viewport()->rect().contains(row.center()));
        QTest::mouseClick(list().viewport(), Qt::LeftButton, {}, row.center());
        QCOMPARE(picked, QStringLiteral("grape"));
        QVERIFY(!pick().isOpen());
    }
    void escAndLossOfFocusClose()
    {
        QString picked;
        m_window->view<TimelineView>()->setFocus();
        openFruits(&picked);
        press(Qt::Key_Escape);
        QVERIFY(!pick().isOpen() && m_window->view<TimelineView>()->hasFocus());
        openFruits(&picked);
        m_window->view<SearchBar>()->line()->setFocus();
        QVERIFY(!pick().isOpen() && m_window->view<SearchBar>()->line()->hasFocus());
        openFruits(&picked);
        m_window->view<TimelineView>()->setFocus();
        QVERIFY(!pick().isOpen() && m_window->view<TimelineView>()->hasFocus());
        openFruits(&picked);
        QTest::mouseClick(m_window->menuBar(), Qt::LeftButton, {},
                          QPoint(m_window->menuBar()->width() - 5, 5)); // takes no focus
        QVERIFY(!pick().isOpen());
        QVERIFY(picked.isEmpty());
    }
    void itStaysInTheMiddleOfTheWindow()
    {
        openFruits();
        m_window->resize(1000, 700);
        QCoreApplication::processEvents();
        QVERIFY(std::abs(pick().geometry().center().x() - m_window->rect().center().x()) <= 1);
        QVERIFY(pick().geometry().top() < 100);
        m_window->resize(420, 300);
        QCoreApplication::processEvents();
        QVERIFY(m_window->rect().contains(pick().geometry()));
    }
    void whatIsDisabledSaysWhyAndStays()
    {
        QString picked;
        std::vector<QuickPickItem> items = fruits();
        items[0].isEnabled = false;
        items[0].reason = QStringLiteral("not ripe");
        items[1].isChecked = true;
        pick().open(items, QStringLiteral("Fruit"), [&](const QString& id) { picked = id; });
        QCOMPARE(spoken(0), QStringLiteral("Apple, not ripe"));
        QCOMPARE(spoken(1), QStringLiteral("Pear, on"));
        press(Qt::Key_Return);
        QVERIFY(pick().isOpen() && picked.isEmpty());
        QTest::mouseClick(list().viewport(), Qt::LeftButton, {},
                          list().visualRect(list().model()->index(0, 0)).center());
        QVERIFY(pick().isOpen() && picked.isEmpty());
    }
    void pathsAreSearchedAfterTexts()
    {
        pick().open({{QStringLiteral("1"), QStringLiteral("Grid lines"), QStringLiteral("View")},
                     {QStringLiteral("2"), QStringLiteral("Overview"), QStringLiteral("Help")}},
                    QStringLiteral("Command"), {});
        QTest::keyClicks(&line(), QStringLiteral("view"));
        QCOMPARE(shownText(), QStringLiteral("Overview, Grid lines"));
        QTest::keyClicks(&line(), QStringLiteral(" gr"));
        QCOMPARE(shownText(), QStringLiteral("Grid lines"));
    }

    void thePaletteListsEveryCommand()
    {
        CHECKED(openPalette());
        const QList<QAction*> actions = menuActions();
        QCOMPARE(shown().size(), actions.size());
        QVERIFY(actions.size() > 50);
        for (const QAction* action : m_window->findChildren<QAction*>()) {
            if (!action->shortcut().isEmpty() && action->shortcutContext() != Qt::WidgetShortcut)
                QVERIFY2(actions.contains(action), qPrintable(action->text()));
        }
        for (int row = 0; row < actions.size(); ++row) {
            QVERIFY(!shown()[row].isEmpty() && !shown()[row].contains(QLatin1Char('&')));
            const QString shortcut = actions[row]->shortcut().toString(QKeySequence::NativeText);
            QVERIFY2(spoken(row).contains(shortcut), qPrintable(spoken(row)));
            const QString reason = list().model()->index(row, 0).data(Qt::ToolTipRole).toString();
            QVERIFY2(actions[row]->isEnabled() != !reason.isEmpty(), qPrintable(spoken(row)));
        }
        const QString grid = spoken(rowOf("grid"));
        QVERIFY2(grid.startsWith(titleOf(MenuId::View) + QStringLiteral(" \u203a ")), qPrintable(grid));
        QVERIFY2(grid.endsWith(QStringLiteral(", on")), qPrintable(grid));
        const auto& exports = *qobject_cast<QMenu*>(action("exportWindow").parent());
        const QString path = titleOf(MenuId::File) + QStringLiteral(" \u203a ")
            + exports.title().remove(QLatin1Char('&')) + QStringLiteral(" \u203a ");
        QVERIFY2(spoken(rowOf("exportWindow")).startsWith(path), qPrintable(path));
    }
    void thePaletteRunsCommands()
    {
        CHECKED(openRun([] {
            SmallRun run(1);
            run.kernel(0, 0, 100);
            return run;
        }()));
        QAction& grid = action("grid");
        QVERIFY(grid.isChecked());
        CHECKED(openPalette());
        const QString gridText = shown()[rowOf("grid")];
        const QString undoText = shown()[rowOf("undo")];
        QTest::keyClicks(&line(), gridText.toLower());
        QCOMPARE(current(), gridText);
        press(Qt::Key_Return);
        QVERIFY(!grid.isChecked() && !pick().isOpen());
        CHECKED(openPalette());
        QVERIFY(spoken(rowOf("grid")).endsWith(QStringLiteral(", off")));
        QTest::keyClicks(&line(), undoText.toLower());
        QCOMPARE(current(), undoText);
        press(Qt::Key_Return);
        QVERIFY2(pick().isOpen(), "there is nothing to undo, which it says");
    }
    void thePaletteFindsTabsRanksAndMetrics()
    {
        CHECKED(openRun([] {
            SmallRun run(40);
            for (int rank = 0; rank < 40; ++rank)
                run.kernel(rank, 0, 100);
            return run;
        }()));
        auto* const tabs = m_window->findChild<QTabWidget*>();
        QWidget* const range = m_window->view<RangePanel>();
        QVERIFY(tabs->currentWidget() != range);
        CHECKED(openPalette());
        QTest::keyClicks(&line(), tabs->tabText(tabs->indexOf(range)));
        QVERIFY(!shown().isEmpty());
        press(Qt::Key_Return);
        QCOMPARE(tabs->currentWidget(), range);

        const auto rowsFrom = [&] { return m_window->view<TimelineView>()->verticalScrollBar()->value(); };
        QCOMPARE(rowsFrom(), 0);
        CHECKED(openPalette());
        QTest::keyClicks(&line(), QStringLiteral("rank 39"));
        press(Qt::Key_Return);
        QVERIFY(rowsFrom() > 0);

        CHECKED(openPalette());
        QTest::keyClicks(&line(), QStringLiteral("avg_step_time"));
        press(Qt::Key_Return);
        const MetricsPanel& metrics = *m_window->view<MetricsPanel>();
        const auto selected = metrics.table()->currentResult();
        QVERIFY(selected);
        QCOMPARE(metrics.results()[*selected].first.name, std::string("avg_step_time"));
    }
    /// A kernel of what is seen is found by its name; choosing it lists its slices.
    void thePaletteFindsKernels()
    {
        SmallRun run(1);
        run.kernel(0, 0, 50, 7, "fancy_fused_norm");
        run.kernel(0, 100, 50, 7, "gemm");
        run.kernel(0, 200, 50, 7, "fancy_fused_norm");
        CHECKED(openRun(run));
        QTRY_VERIFY(state().selection().summary() && !state().selection().summary()->rows.empty());
        m_window->findChild<QAction*>(QStringLiteral("allCommands"))->trigger();
        QTest::keyClicks(&line(), QStringLiteral("fancyfused"));
        QVERIFY(current().contains(QStringLiteral("fancy_fused_norm")));
        QTest::keyClick(&line(), Qt::Key_Return);
        QTRY_VERIFY(state().emphasis().matches());
        QCOMPARE(state().emphasis().matches()->size(), std::size_t{2});
    }
    void theKeyOverviewNamesThePalette()
    {
        QTest::keyClick(m_window.get(), Qt::Key_Question, Qt::ShiftModifier);
        const auto labels = m_window->findChildren<QLabel*>();
        QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
            return label->text().contains(QStringLiteral("Ctrl+Shift+P"));
        }));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestQuickPick)
#include "tst_quick_pick.moc"
