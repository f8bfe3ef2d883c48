// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The ranks in the left column: grouped by node or by a dimension of the mesh, hidden and shown by mouse and
// keys.

#include "tests/gui/driver/window_test.h"
#include "tests/support/runs/caused_run.h"
#include "tests/support/runs/pipeline_run.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/suite.h"
#include "views/collectives/lateness_canvas.h"
#include "views/collectives/lateness_map.h"
#include "views/common/format.h"
#include "views/common/theme.h"
#include "views/ranks/rank_tree.h"
#include "views/rows/timeline_layout.h"
#include "views/timeline/timeline_view.h"

#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QStyle>
#include <QTest>
#include <QTreeWidget>

namespace collscope {

class TestRankTree : public WindowTest
{
    Q_OBJECT

private:
    RankTree& ranks() const { return *m_window->findChild<RankTree*>(); }
    QTreeWidget& tree() const { return *ranks().tree(); }
    QComboBox& grouping() const { return widgetNamed<QComboBox>(ranks(), "rankGrouping"); }
    QTreeWidgetItem& item(int group) const { return *tree().topLevelItem(group); }
    QTreeWidgetItem& item(int group, int child) const { return *tree().topLevelItem(group)->child(child); }

    /// 8 ranks, 4 on each of 2 nodes: PP2, DP2, TP2.
    void openCube()
    {
        PipelineShape shape;
        shape.replicas = shape.tensor = 2;
        shape.steps = 2;
        shape.ranksPerNode = 4;
        openRun(pipelineRun(shape));
    }
    static SmallRun flatRun(int ranks, int perNode)
    {
        SmallRun run(ranks);
        for (int rank = 0; rank < ranks; ++rank)
            run.kernel(rank, 10, 5);
        run.ranksPerNode(perNode);
        return run;
    }
    void chooseGrouping(int index)
    {
        QVERIFY(index >= 0);
        grouping().setCurrentIndex(index);
        emit grouping().activated(index);
    }
    void groupBy(MeshDimension dimension)
    {
        chooseGrouping(grouping().findData(static_cast<int>(dimension)));
    }
    QStringList groups() const
    {
        QStringList names;
        for (int i = 0; i < tree().topLevelItemCount(); ++i)
            names << item(i).text(0);
        return names;
    }
    QStringList ranksIn(int group) const
    {
        QStringList names;
        for (int i = 0; i < item(group).childCount(); ++i)
            names << item(group, i).text(0);
        return names;
    }
    void clickBox(const QTreeWidgetItem& at) const
    {
        const QRect row = tree().visualItemRect(&at);
        QTest::mouseClick(tree().viewport(), Qt::LeftButton, {}, {row.left() + 9, row.center().y()});
    }
    bool isShown(int rank) const { return !state().preferences().isRankHidden(rank); }

private slots:
    void groupsByNodeFirst()
    {
        openCube();
        QCOMPARE(groups(), (QStringList{QStringLiteral("node 0"), QStringLiteral("node 1")}));
        QCOMPARE(item(0).text(1), QStringLiteral("4 ranks"));
        QCOMPARE(ranksIn(1),
                 (QStringList{QStringLiteral("rank 4"), QStringLiteral("rank 5"), QStringLiteral("rank 6"),
                              QStringLiteral("rank 7")}));
        QCOMPARE(item(0, 1).text(1), QStringLiteral("TP1 PP0 DP0"));
        QVERIFY(item(0).isExpanded());
        const QString facts = item(1, 1).toolTip(0);
        for (const char* fact : {"rank 5", "node 1", "rank5_trace.json", "process groups mesh_tp",
                                 "process groups mesh_pp", "4 GPUs per node"})
            QVERIFY2(facts.contains(QLatin1String(fact)), fact);
    }
    void groupsByDimension()
    {
        openCube();
        QStringList offered;
        for (int i = 0; i < grouping().count(); ++i)
            offered << grouping().itemText(i).section(QLatin1Char(' '), 0, 0);
        // Context and expert parallelism part nothing here.
        QCOMPARE(offered,
                 (QStringList{QStringLiteral("node"), QStringLiteral("PP"), QStringLiteral("DP"),
                              QStringLiteral("TP"), QStringLiteral("no")}));
        groupBy(MeshDimension::Tensor);
        QCOMPARE(groups(), (QStringList{QStringLiteral("TP0"), QStringLiteral("TP1")}));
        QCOMPARE(ranksIn(1),
                 (QStringList{QStringLiteral("rank 1"), QStringLiteral("rank 3"), QStringLiteral("rank 5"),
                              QStringLiteral("rank 7")}));
        // The group says the rest. Rank 3, since lateness may take this place for rank 5.
        QCOMPARE(item(1, 1).text(1), QStringLiteral("PP0 DP1"));
        CHECKED(chooseGrouping(grouping().count() - 1));
        QCOMPARE(tree().topLevelItemCount(), 8);
    }
    void aRunWithoutMeshHasAPlainList()
    {
        CHECKED(openRun(flatRun(2, 0)));
        QCOMPARE(groups(), (QStringList{QStringLiteral("rank 0"), QStringLiteral("rank 1")}));
        QVERIFY(!grouping().isVisible());
    }
    void theMouseHidesNodesAndRanks()
    {
        openCube();
        QSignalSpy changed(&state().preferences(), &ViewPreferences::hiddenRanksChanged);
        clickBox(item(1));
        QCOMPARE(changed.count(), 1); // one layout of the timeline for the whole node
        QVERIFY(isShown(3) && !isShown(4) && !isShown(7));
        QCOMPARE(item(1).checkState(0), Qt::Unchecked);
        QCOMPARE(item(1, 2).checkState(0), Qt::Unchecked);
        QCOMPARE(item(1).text(1), QStringLiteral("0 of 4 shown"));
        clickBox(item(1, 1));
        QVERIFY(isShown(5) && !isShown(4));
        QCOMPARE(item(1).checkState(0), Qt::PartiallyChecked);
        clickBox(item(1)); // the rest comes, too
        QVERIFY(isShown(4) && isShown(7));
        QCOMPARE(item(1).checkState(0), Qt::Checked);
    }
    void theKeyboardHidesNodesAndRanks()
    {
        openCube();
        tree().setFocus();
        tree().setCurrentItem(&item(0));
        QTest::keyClick(&tree(), Qt::Key_Down);
        QTest::keyClick(&tree(), Qt::Key_Space);
        QVERIFY(!isShown(0) && isShown(1));
        QCOMPARE(item(0).checkState(0), Qt::PartiallyChecked);
        QTest::keyClick(&tree(), Qt::Key_Up);
        QTest::keyClick(&tree(), Qt::Key_Space);
        QVERIFY(isShown(0));
        QTest::keyClick(&tree(), Qt::Key_Space);
        QVERIFY(!isShown(0) && !isShown(3) && isShown(4));
    }
    void onlyThisGroup()
    {
        openCube();
        groupBy(MeshDimension::Pipeline);
        QMenu menu;
        ranks().fillMenu(menu, item(1));
        QVERIFY(!entryNamed(menu, QStringLiteral("ranksShowAll"))->isEnabled());
        QAction* const only = entryNamed(menu, QStringLiteral("ranksShowOnly"));
        QVERIFY2(only->text().endsWith(QStringLiteral("PP1")), qPrintable(only->text()));
        only->trigger();
        for (int rank = 0; rank < 8; ++rank)
            QCOMPARE(isShown(rank), rank >= 4);
        QMenu again;
        ranks().fillMenu(again, item(0));
        entryNamed(again, QStringLiteral("ranksShowAll"))->trigger();
        QVERIFY(state().preferences().hiddenRanks().empty());
    }
    void whatOtherViewsHideIsUnchecked()
    {
        openCube();
        state().preferences().setRankHidden(6, true);
        QCOMPARE(item(1, 2).checkState(0), Qt::Unchecked);
        QCOMPARE(item(1).checkState(0), Qt::PartiallyChecked);
        groupBy(MeshDimension::Data);
        QCOMPARE(item(0).checkState(0), Qt::Checked);
        QCOMPARE(item(1).checkState(0), Qt::PartiallyChecked);
    }
    void manyRanksBeginCollapsedAndCanBeFiltered()
    {
        CHECKED(openRun(flatRun(64, 8)));
        QCOMPARE(tree().topLevelItemCount(), 8);
        QVERIFY(!item(0).isExpanded());
        auto* filter = ranks().findChild<QLineEdit*>();
        QVERIFY(filter && filter->isVisible());
        filter->setText(QStringLiteral("8-10"));
        QVERIFY(item(0).isHidden() && !item(1).isHidden() && item(1).isExpanded());
        QVERIFY(!item(1, 2).isHidden() && item(1, 3).isHidden());
        clickBox(item(1)); // hides what is seen, and nothing else
        QVERIFY(!isShown(8) && !isShown(10) && isShown(11));
        filter->clear();
        QVERIFY(!item(0).isHidden() && !item(1, 3).isHidden());
    }
    void theTimelineSaysWhereARankIs()
    {
        openCube();
        LayoutChoices choices;
        choices.rankNotes[3] = toText(state().run().mesh().labelOf(3));
        const TimelineLayout layout(*state().run().model(), choices, {}, {});
        int found = 0;
        for (const TimelineRow& row : layout.rows()) {
            if (row.title == QStringLiteral("rank 3")) {
                QCOMPARE(row.note, QStringLiteral("TP1 PP0 DP1"));
                QCOMPARE(QString(row.shorterNotes.last()).remove(QChar(0x2009)), QStringLiteral("T1P0D1"));
                QVERIFY(row.toolTip.contains(QStringLiteral("stream 7")));
                ++found;
            } else if (row.title == QStringLiteral("rank 4")) {
                QCOMPARE(row.note, QStringLiteral("stream 7")); // nothing better is known of it here
                ++found;
            }
        }
        QCOMPARE(found, 2);
    }
    /// The rank that the others wait for comes first, if that is wanted.
    void worstFirst()
    {
        CausedRun planted(4, {});
        planted.play([&](int, int rank, int place) {
            if (rank == 2 && place == 2)
                planted.slowNextKernel(rank, 700);
        });
        CHECKED(openRun(planted.run()));
        auto& worst = widgetNamed<QPushButton>(ranks(), "ranksWorstFirst");
        QTRY_VERIFY(worst.isVisible());
        QCOMPARE(item(0).text(0), QStringLiteral("rank 0"));
        QVERIFY(item(2).text(1).startsWith(QStringLiteral("late, costs ")));
        QTest::mouseClick(&worst, Qt::LeftButton);
        QCOMPARE(item(0).text(0), QStringLiteral("rank 2"));
        QCOMPARE(item(1).text(0), QStringLiteral("rank 0"));
        // Every view has the same order.
        std::vector<std::int32_t> rows;
        for (const TimelineRow& row : timeline().layout().rows()) {
            if (row.firstOfTimeline)
                rows.push_back(row.key.rank);
        }
        const std::vector<std::int32_t> order{2, 0, 1, 3};
        QCOMPARE(rows, order);
        clickTab(*m_window->view<LatenessMap>());
        const LatenessGridPtr& grid = m_window->view<LatenessMap>()->canvas()->grid();
        QTRY_VERIFY(grid && grid->ranks == order);
        float latest = 0;
        for (std::size_t column = 0; column < grid->columns.size(); ++column)
            latest = std::max(latest, grid->at(0, column));
        QCOMPARE(latest, grid->largest); // the row of rank 2 is its own
        QTest::mouseClick(&worst, Qt::LeftButton);
        QCOMPARE(item(0).text(0), QStringLiteral("rank 0"));
        CHECKED(openRun(flatRun(2, 2)));
        QTRY_VERIFY(!worst.isVisible()); // no rank stands out
    }
    /// One rank stands for those that are like it, in every view; sums count all of them.
    void foldAlike()
    {
        CausedRun planted(4, {});
        planted.play([&](int, int rank, int place) {
            if (rank == 2 && place == 2)
                planted.slowNextKernel(rank, 700);
        });
        CHECKED(openRun(planted.run()));
        auto& fold = widgetNamed<QPushButton>(ranks(), "ranksFoldAlike");
        QTRY_VERIFY(fold.isVisible());
        QTest::mouseClick(&fold, Qt::LeftButton);
        QCOMPARE(item(0).text(1), QStringLiteral("and 2 alike"));
        QVERIFY(item(1).isHidden());
        QVERIFY(!item(2).isHidden()); // it stands out
        QVERIFY(item(3).isHidden());
        const auto shownRanks = [this] {
            std::vector<std::int32_t> shown;
            for (const TimelineRow& row : timeline().layout().rows()) {
                if (row.firstOfTimeline)
                    shown.push_back(row.key.rank);
            }
            return shown;
        };
        QCOMPARE(shownRanks(), (std::vector<std::int32_t>{0, 2}));
        clickTab(*m_window->view<LatenessMap>());
        const LatenessGridPtr& grid = m_window->view<LatenessMap>()->canvas()->grid();
        QTRY_VERIFY(grid && grid->ranks == (std::vector<std::int32_t>{0, 2}));
        QVERIFY(grid->at(1, 0) >= 0);
        QVERIFY(state().preferences().hiddenRanks().empty());
        // A place on a folded rank brings it back.
        const TraceModelPtr model = state().run().model();
        for (const Timeline& timeline : model->timelines) {
            if (timeline.rank == 3)
                state().revealSlice({timeline.tracks.front(), 0});
        }
        QCOMPARE(shownRanks(), (std::vector<std::int32_t>{0, 2, 3}));
        QCOMPARE(item(0).text(1), QStringLiteral("and 1 alike"));
        QTest::mouseClick(&fold, Qt::LeftButton);
        QCOMPARE(shownRanks(), (std::vector<std::int32_t>{0, 1, 2, 3}));
    }
    void contradictionsAreSaid()
    {
        SmallRun run(2);
        SmallCall call;
        call.description = "mesh_tp";
        call.ranks = "[0, 1]";
        call.groupSize = 2;
        run.call(0, 10, 5, call);
        run.call(1, 10, 5, call);
        run.parallelism("tp: 1\n    dp_shard: 2");
        CHECKED(openRun(run));
        const auto* notes = ranks().findChild<QLabel*>(QStringLiteral("rankNotes"));
        QVERIFY(notes && notes->isVisible());
        QVERIFY(notes->text().contains(QStringLiteral("the process groups take precedence")));
        QCOMPARE(item(0).text(1), QStringLiteral("TP0"));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestRankTree)
#include "tst_rank_tree.moc"
