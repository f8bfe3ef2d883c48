// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The parts of a distributed run in the window: all ranks, and from each to its whole trace.

#include "metrics/analysis/kept_events.h"
#include "tests/gui/driver/window_test.h"
#include "tests/support/runs/reduced_folder.h"
#include "tests/support/suite/suite.h"
#include "views/collectives/cause_view.h"

#include <QApplication>
#include <QLabel>
#include <QMenu>

namespace collscope {

class TestWindowReducedRun : public WindowTest
{
    Q_OBJECT

private:
    QString path(const char* name) const { return m_folder.filePath(QLatin1String(name)); }
    void writeFiles() override
    {
        writeSmallRun(runPath());
        QVERIFY(writeReduced(runPath().toStdString(), path("parts").toStdString(), 2, Kept::WhatMetricsRead,
                             keepWhatMetricsRead));
    }
    void openFirst() override { }

private slots:
    void showsAllRanksAndSaysThatItIsReduced()
    {
        QVERIFY(openAndWait(*m_window, {runPath()}));
        const auto ranks = state().run().model()->ranks();
        const std::size_t gpuEvents = state().run().model()->timelines.front().gpuSlices.size();
        QVERIFY(openAndWait(*m_window, {path("parts")}));
        QCOMPARE(state().run().model()->ranks(), ranks);
        QCOMPARE(state().run().model()->timelines.front().gpuSlices.size(), gpuEvents);
        const auto labels = m_window->findChildren<QLabel*>();
        QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
            return label->text().contains(QStringLiteral("reduced, without most CPU operators"));
        }));
    }
    void whyIsNotAnswered()
    {
        QVERIFY(openAndWait(*m_window, {path("parts")}));
        m_window->view<TimelineView>()->setFocus();
        QTest::keyClick(m_window->view<TimelineView>(), Qt::Key_E);
        QTRY_VERIFY(m_window->view<CauseView>()->emptyText().contains(
            QLatin1String("reduced without most CPU events")));
        QVERIFY(openAndWait(*m_window, {runPath()}));
        m_window->view<TimelineView>()->setFocus();
        QTest::keyClick(m_window->view<TimelineView>(), Qt::Key_E);
        QTRY_VERIFY(!m_window->view<CauseView>()->verdictText().isEmpty());
    }
    void aRanksMenuOpensItsWholeTrace()
    {
        QVERIFY(openAndWait(*m_window, {path("parts")}));
        auto* timeline = m_window->view<TimelineView>();
        const auto windows = QApplication::topLevelWidgets().size();
        QAction* open = nullptr;
        connect(timeline, &TimelineView::menuOpening, this, [&](QMenu* menu) {
            if (QAction* const entry = entryNamed(*menu, QStringLiteral("rankWholeTrace")))
                open = entry;
        });
        for (int y = 60; y < timeline->height() && !open; y += 8)
            QTest::mouseClick(timeline->viewport(), Qt::RightButton, {}, QPoint(20, y));
        QVERIFY(open);
        open->trigger();
        MainWindow* opened = nullptr;
        for (QWidget* widget : QApplication::topLevelWidgets()) {
            auto* window = qobject_cast<MainWindow*>(widget);
            opened = window && window != m_window.get() ? window : opened;
        }
        QVERIFY(opened && QApplication::topLevelWidgets().size() > windows);
        QTRY_VERIFY(opened->viewState()->run().model());
        const TraceModel& whole = *opened->viewState()->run().model();
        QCOMPARE(whole.ranks().size(), std::size_t{1});
        QVERIFY(!whole.isReduced());
        opened->close();
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestWindowReducedRun)
#include "tst_window_reduced_run.moc"
