// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The tab "Why slow?" by mouse and keyboard: which question is asked, and where its sentences lead.

#include "tests/gui/driver/window_test.h"
#include "tests/support/runs/caused_run.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/suite.h"
#include "views/collectives/cause_view.h"
#include "views/timeline/timeline_view.h"

#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QGuiApplication>
#include <QListWidget>
#include <QToolButton>

namespace collscope {

/// Four ranks and the steps 10 to 13; in step 12 a kernel of rank 2 takes 700 us longer.
class TestCauseView : public WindowTest
{
    Q_OBJECT

private:
    CauseView& causes() const { return *m_window->view<CauseView>(); }
    QListWidget& clauses() const { return *causes().clauses(); }
    const CauseChain& chain() const { return causes().answer()->chain; }
    void clickSentence(int row) const
    {
        const QListWidgetItem& item = *clauses().item(row);
        clauses().scrollToItem(&item);
        QTest::mouseClick(clauses().viewport(), Qt::LeftButton, {}, clauses().visualItemRect(&item).center());
    }
    /// The first sentence with slices; -1 if there is none.
    int sentenceWithSlices() const
    {
        const auto& all = chain().clauses;
        const auto found
            = std::find_if(all.begin(), all.end(), [](const CauseClause& c) { return !c.slices.empty(); });
        return found == all.end() ? -1 : static_cast<int>(found - all.begin());
    }
    /// A collective of step 12, on rank 0.
    SliceRef slowCollective() const
    {
        const RunCollectives& run = *state().run().collectives();
        for (const Call& call : run.ranks[0].calls) {
            const auto step = call.timeline->steps[2].range;
            if (step.contains(call.range.beginNs))
                return call.slice;
        }
        return {};
    }
    void openFirst() override
    {
        CausedRun planted(4, {});
        planted.play([&](int step, int rank, int place) {
            if (step == 12 && rank == 2 && place == 2)
                planted.slowNextKernel(rank, 700);
        });
        openRun(planted.run());
    }
    void openTab() const
    {
        CHECKED(clickTab(causes()));
        QTRY_VERIFY(causes().answer() != nullptr);
    }

private slots:
    void theSlowestStepIsExplainedWhenTheTabIsSeen()
    {
        QVERIFY2(!causes().answer(), "nobody has looked at it yet");
        QVERIFY(causes().steps()->currentText().startsWith(QStringLiteral("Step 12, ")));
        QVERIFY(causes().steps()->currentText().endsWith(QStringLiteral(" (slowest)")));
        CHECKED(openTab());
        QCOMPARE(causes().verdictText(),
                 QStringLiteral("Step 12: Rank 2 delayed the other ranks: slower kernels."));
        QVERIFY(causes().emptyText().isEmpty());
        QCOMPARE(clauses().count(), static_cast<int>(chain().clauses.size()));
        QVERIFY(clauses().item(0)->text().startsWith(QStringLiteral("1.  ")));
    }
    void aSentenceLeadsToItsSlices()
    {
        CHECKED(openTab());
        const int row = sentenceWithSlices();
        QVERIFY(row >= 0);
        const CauseClause clause = chain().clauses[static_cast<std::size_t>(row)];
        clickSentence(row);
        QVERIFY(state().selection().slice() == clause.slices.front());
        QCOMPARE(state().emphasis().evidence().size(), clause.slices.size());
        QVERIFY(state().emphasis().isEvidence(clause.slices.back()));
        QVERIFY(state().viewport().visibleRange().overlaps(clause.range));
        QVERIFY(m_window->view<TimelineView>()->rectOf(clause.slices.front()).isValid());
        // Away, and back by another click on the same line.
        state().clearSelection();
        state().viewport().setVisibleRange(state().run().range());
        clickSentence(row);
        QVERIFY(state().selection().slice() == clause.slices.front());
    }
    void arrowKeysWalkTheChain()
    {
        CHECKED(openTab());
        clickSentence(0);
        std::size_t seen = 0;
        for (int row = 1; row < clauses().count(); ++row) {
            QTest::keyClick(&clauses(), Qt::Key_Down);
            QCOMPARE(clauses().currentRow(), row);
            const CauseClause& clause = chain().clauses[static_cast<std::size_t>(row)];
            QCOMPARE(state().emphasis().evidence().size(), clause.slices.size());
            seen += clause.slices.size();
        }
        QVERIFY(seen > 0);
    }
    void anotherStepByKeys()
    {
        CHECKED(openTab());
        QComboBox& steps = *causes().steps();
        QCOMPARE(steps.count(), 4);
        QTest::keyClick(&steps, Qt::Key_Down);
        QVERIFY(causes().question().step == 13);
        QVERIFY2(m_window->isComputing(), "the old answer is not that of the new step");
        QVERIFY(clauses().count() == 0 && !causes().emptyText().isEmpty());
        QTRY_VERIFY(causes().answer() != nullptr);
        QVERIFY(causes().verdictText().startsWith(QStringLiteral("Step 13: No rank was clearly late. ")));
    }
    void theSelectedCollective()
    {
        CHECKED(openTab());
        QVERIFY(!causes().collectiveButton()->isEnabled());
        state().revealSlice(slowCollective());
        QVERIFY(causes().collectiveButton()->isEnabled());
        QTest::mouseClick(causes().collectiveButton(), Qt::LeftButton);
        QVERIFY(causes().question().instance == state().selection().collective());
        QTRY_VERIFY(causes().answer() != nullptr);
        QVERIFY(causes().verdictText().startsWith(QStringLiteral("AllReduce #")));
        QVERIFY(causes().verdictText().endsWith(
            QStringLiteral("Rank 2 delayed the other ranks: slower kernels.")));
        QCOMPARE(chain().links.front().rank, 2);
    }
    void oneKeyAsksFromTheTimeline()
    {
        auto* dock = m_window->findChild<QDockWidget*>(QStringLiteral("dockDetails"));
        dock->close();
        const TimeRange step = state().run().model()->timelines[0].steps[1].range;
        state().viewport().setVisibleRange(step);
        m_window->view<TimelineView>()->setFocus();
        QTest::keyClick(m_window->view<TimelineView>(), Qt::Key_E);
        QVERIFY(dock->isVisible() && causes().isVisible());
        QVERIFY(causes().question().step == 11);
        QCOMPARE(causes().steps()->currentIndex(), 1);
        state().revealSlice(slowCollective());
        QTest::keyClick(m_window->view<TimelineView>(), Qt::Key_E);
        QVERIFY(causes().question().instance == state().selection().collective());
        QTRY_VERIFY(causes().answer() != nullptr);
    }
    void sentencesCanBeCopied()
    {
        CHECKED(openTab());
        QTest::mouseClick(&widgetNamed<QToolButton>(causes(), "causesCopy"), Qt::LeftButton);
        const QStringList lines = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), clauses().count() + 2);
        QCOMPARE(lines.first(), causes().verdictText());
        QCOMPARE(lines[1], clauses().item(0)->text());
    }
    void aRunWithoutStepsSaysWhatToDo()
    {
        SmallRun run(2);
        for (int rank = 0; rank < 2; ++rank)
            run.call(rank, 100 + rank * 40, 100 - rank * 40, {"allreduce", "0", "[0, 1]", 2, 64, 64});
        CHECKED(openRun(run));
        CHECKED(clickTab(causes()));
        QVERIFY(!causes().steps()->isEnabled());
        QVERIFY(causes().emptyText().contains(QStringLiteral("press E")));
        state().revealSlice(state().run().collectives()->ranks[1].calls.front().slice);
        QTest::keyClick(m_window->view<TimelineView>(), Qt::Key_E);
        QTRY_VERIFY(causes().answer() != nullptr);
        QVERIFY(clauses().count() > 0);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestCauseView)
#include "tst_cause_view.moc"
