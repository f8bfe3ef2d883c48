// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The window of a run without GPUs: what there is to see is open, and nothing is painted that was not
// measured.

#include "tests/gui/driver/window_test.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/gloo_jobs.h"
#include "views/collectives/collectives_table.h"
#include "views/collectives/pipeline_lanes.h"
#include "views/collectives/pipeline_view.h"
#include "views/collectives/straggler_panel.h"
#include "views/ranks/rank_tree.h"

#include <QLabel>
#include <QTabWidget>
#include <QTest>
#include <QTreeWidget>

namespace collscope {

class TestCpuWindow : public WindowTest
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

private slots:
    void threadsAreOpen_data() { addGlooRuns(GlooJob::Straggler, "torch214_ddp4_straggler", m_folder); }
    void threadsAreOpen()
    {
        QFETCH(QString, run);
        QVERIFY(openAndWait(*m_window, {run}));
        const auto& rows = timeline().layout().rows();
        const auto stacks = std::count_if(rows.begin(), rows.end(),
                                          [](const TimelineRow& row) { return row.kind == RowKind::Stack; });
        QVERIFY(stacks >= 4 * 3); // of each rank its main thread and two of gloo
    }
    void stragglerIsNamed_data() { addGlooRuns(GlooJob::Straggler, "torch214_ddp4_straggler", m_folder); }
    void stragglerIsNamed()
    {
        QFETCH(QString, run);
        QVERIFY(openAndWait(*m_window, {run}));
        QTRY_VERIFY(m_window->view<CollectivesTable>()->model().rowCount() == 6);
        for (QTabWidget* tabs : m_window->findChildren<QTabWidget*>()) {
            if (tabs->indexOf(m_window->view<StragglerPanel>()) >= 0)
                tabs->setCurrentWidget(m_window->view<StragglerPanel>());
        }
        QTRY_VERIFY2(m_window->view<StragglerPanel>()->verdictText().contains(QStringLiteral("rank 2")),
                     qPrintable(m_window->view<StragglerPanel>()->verdictText()));
    }
    void stagesAreNotPaintedIdle_data() { addGlooRuns(GlooJob::Pipeline, "torch214_pp4_card", m_folder); }
    void stagesAreNotPaintedIdle()
    {
        QFETCH(QString, run);
        QVERIFY(openAndWait(*m_window, {run}));
        for (QTabWidget* tabs : m_window->findChildren<QTabWidget*>()) {
            if (tabs->indexOf(m_window->view<PipelineView>()) >= 0)
                tabs->setCurrentWidget(m_window->view<PipelineView>());
        }
        QTRY_VERIFY(!m_window->view<PipelineView>()->lanes()->isVisible());
        bool isSaid = false;
        for (const QLabel* label : m_window->view<PipelineView>()->findChildren<QLabel*>())
            isSaid |= label->isVisible() && label->text().contains(QStringLiteral("no GPU work"));
        QVERIFY(isSaid);
    }
    void executionTracesNameTheirRanks_data()
    {
        addGlooRuns(GlooJob::ExecutionTraces, "torch214_et_only", m_folder);
    }
    void executionTracesNameTheirRanks()
    {
        QFETCH(QString, run);
        QVERIFY(openAndWait(*m_window, {run}));
        QCOMPARE(m_window->findChild<RankTree*>()->tree()->topLevelItemCount(), 4);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestCpuWindow)
#include "tst_cpu_window.moc"
