// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What it would help to change something, beside what says that it costs time.

#include "tests/gui/driver/window_test.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/suite.h"
#include "tests/support/workloads/run_writer.h"
#include "views/collectives/cause_view.h"
#include "views/ranks/rank_tree.h"
#include "views/summary/summary_view.h"
#include "views/tables/cell_table.h"
#include "views/whatif/gain_button.h"
#include "views/whatif/what_if_view.h"

#include <QMenu>
#include <QTest>
#include <QTreeWidget>

#include <algorithm>

namespace collscope {

/// Six ranks, of which rank 3 computes longer than the others.
class TestWhatIfGains : public WindowTest
{
    Q_OBJECT

private:
    WhatIfView& whatIf() const { return *m_window->view<WhatIfView>(); }
    void writeFiles() override { writeRun(planRun(lateDescription()), runPath().toStdString(), RunFiles()); }
    void openFirst() override { QVERIFY(openAndWait(*m_window, {runPath()})); }

    /// What the tab says about the scenario that was asked for.
    void firstAnswerIs(const char* spec) const
    {
        QTRY_VERIFY(whatIf().isVisible() && !whatIf().shown().empty());
        QTRY_COMPARE(whatIf().shown().front().scenario.spec, std::string(spec));
    }

private slots:
    void aFindingSaysWhatItGains()
    {
        auto& summary = *m_window->view<SummaryView>();
        CHECKED(clickTab(summary));
        const auto& shown = summary.shown();
        const auto late = std::find_if(shown.begin(), shown.end(), [](const Finding* finding) {
            return finding->kind == FindingKind::LateRank && finding->ranks == std::vector<std::int32_t>{3};
        });
        QVERIFY(late != shown.end());
        GainButton& button = *summary.whatIf();
        QVERIFY(!button.isVisible());
        const int row = static_cast<int>(late - shown.begin());
        summary.table()->selectRowOf(row);
        const QModelIndex index = summary.table()->currentIndex();
        QTest::mouseClick(summary.table()->viewport(), Qt::LeftButton, {},
                          summary.table()->visualRect(index).center());
        QVERIFY(button.isVisible());
        QTRY_VERIFY2(button.text().contains(QStringLiteral("What if? -")), qUtf8Printable(button.text()));
        QVERIFY2(button.toolTip().startsWith(QStringLiteral("rank 3 like its peers: -")),
                 qUtf8Printable(button.toolTip()));
        const QString gain = button.text().section(u'-', 1);
        QTest::mouseClick(&button, Qt::LeftButton);
        CHECKED(firstAnswerIs("rank=3"));
        const QModelIndex change
            = whatIf().table()->model()->index(whatIf().table()->currentIndex().row(), 2);
        QCOMPARE(change.data().toString(), QStringLiteral("-") + gain);
    }
    void theReasonForASlowStepSaysIt()
    {
        auto& causes = *m_window->view<CauseView>();
        CHECKED(clickTab(causes));
        QTRY_VERIFY(causes.answer() != nullptr);
        QCOMPARE(causes.answer()->chain.rank, 3);
        QTRY_VERIFY2(causes.whatIf()->text().startsWith(QStringLiteral("What if? -")),
                     qUtf8Printable(causes.whatIf()->text()));
        QTest::mouseClick(causes.whatIf(), Qt::LeftButton);
        CHECKED(firstAnswerIs("rank=3"));
    }
    void theMenuOfARankAsks()
    {
        auto& ranks = *m_window->findChild<RankTree*>();
        QTreeWidget& tree = *ranks.tree();
        const auto items = tree.findItems(QStringLiteral("rank 3"), Qt::MatchStartsWith | Qt::MatchRecursive);
        QVERIFY(!items.isEmpty());
        QMenu menu;
        ranks.fillMenu(menu, *items.front());
        auto* const ask = menu.findChild<QAction*>(QStringLiteral("ranksWhatIf"));
        QVERIFY(ask);
        ask->trigger();
        CHECKED(firstAnswerIs("rank=3"));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestWhatIfGains)
#include "tst_what_if_gains.moc"
