// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The window of a run without GPUs: what there is to see is open, and nothing is painted that was not
// measured.

#include "tests/gui/window_test.h"
#include "tests/support/data_folders.h"
#include "tests/support/suite.h"
#include "views/collectives/collectives_table.h"
#include "views/collectives/pipeline_lanes.h"
#include "views/collectives/pipeline_view.h"
#include "views/collectives/straggler_panel.h"
#include "views/ranks/rank_tree.h"

#include <QDir>
#include <QLabel>
#include <QTabWidget>
#include <QTest>
#include <QTreeWidget>

namespace collscope {

class TestCpuWindow : public WindowTest
{
    Q_OBJECT

private:
    bool openReal(const char* name)
    {
        const QString path = tracesFolder() + QStringLiteral("/pytorch_gloo/") + QLatin1String(name);
        return !tracesFolder().isEmpty() && QDir(path).exists() && openAndWait(*m_window, {path});
    }

private slots:
    void threadsAreOpen()
    {
        if (!openReal("torch214_ddp4_straggler"))
            QSKIP("no real traces of gloo");
        const auto& rows = timeline().layout().rows();
        const auto stacks = std::count_if(rows.begin(), rows.end(),
                                          [](const TimelineRow& row) { return row.kind == RowKind::Stack; });
        QVERIFY(stacks >= 4 * 3); // of each rank its main thread and two of gloo
    }
    void stragglerIsNamed()
    {
        if (!openReal("torch214_ddp4_straggler"))
            QSKIP("no real traces of gloo");
        QTRY_VERIFY(m_window->collectivesTable()->model().rowCount() == 6);
        for (QTabWidget* tabs : m_window->findChildren<QTabWidget*>()) {
            if (tabs->indexOf(m_window->stragglers()) >= 0)
                tabs->setCurrentWidget(m_window->stragglers());
        }
        QTRY_VERIFY2(m_window->stragglers()->verdictText().contains(QStringLiteral("rank 2")),
                     qPrintable(m_window->stragglers()->verdictText()));
    }
    void stagesAreNotPaintedIdle()
    {
        if (!openReal("torch214_pp4_card"))
            QSKIP("no real traces of gloo");
        for (QTabWidget* tabs : m_window->findChildren<QTabWidget*>()) {
            if (tabs->indexOf(m_window->pipeline()) >= 0)
                tabs->setCurrentWidget(m_window->pipeline());
        }
        QTRY_VERIFY(!m_window->pipeline()->lanes()->isVisible());
        bool isSaid = false;
        for (const QLabel* label : m_window->pipeline()->findChildren<QLabel*>())
            isSaid |= label->isVisible() && label->text().contains(QStringLiteral("no GPU work"));
        QVERIFY(isSaid);
    }
    void executionTracesNameTheirRanks()
    {
        if (!openReal("torch214_et_only"))
            QSKIP("no real traces of gloo");
        QCOMPARE(m_window->findChild<RankTree*>()->tree()->topLevelItemCount(), 4);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestCpuWindow)
#include "tst_cpu_window.moc"
