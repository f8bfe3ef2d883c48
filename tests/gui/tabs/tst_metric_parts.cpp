// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The parts of a metric stand below it: collapsed until they are wanted, found by the search, chosen like a
// metric.

#include "app/files/resources.h"
#include "tests/gui/driver/window_driver.h"
#include "tests/support/runs/small_run.h"
#include "tests/support/suite/suite.h"
#include "views/common/theme.h"
#include "views/metrics/metrics_panel.h"

#include <QDockWidget>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>
#include <QTreeWidget>

namespace collscope {

class TestMetricParts : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<MainWindow> m_window;

    QTreeWidget& table() const { return *m_window->view<MetricsPanel>()->table(); }
    /// The row of a metric; the current row stays.
    QTreeWidgetItem* rowOf(std::string_view id) const
    {
        QTreeWidgetItem* const before = table().currentItem();
        m_window->view<MetricsPanel>()->selectMetric(id);
        QTreeWidgetItem* const row = table().currentItem();
        table().setCurrentItem(before);
        return row;
    }

private slots:
    void initTestCase()
    {
        m_window = shownWindow();
        QVERIFY(openAndWait(*m_window, {QString::fromStdString(resourceFolder("demo"))}));
    }
    void partsStandBelowTheirMetric()
    {
        QTreeWidgetItem* const whole = rowOf("training_phases");
        QCOMPARE(whole->childCount(), 3);
        for (const char* id : {"forward_time", "backward_time", "optimizer_time"})
            QCOMPARE(rowOf(id)->parent(), whole);
        QCOMPARE(rowOf("compute_efficiency")->childCount(), 0);
    }
    void longNamesHaveASecondLine()
    {
        QTreeWidgetItem* const row = rowOf("comm_comp_overlap"); // "Compute-communication overlap"
        const int oneLine = table().visualItemRect(rowOf("compute_efficiency")).height();
        m_window->resize(1680, 1010);
        QTRY_VERIFY(table().columnWidth(0) > 0);
        table().scrollToItem(row);
        const bool fits = table().fontMetrics().horizontalAdvance(row->text(0))
            < table().columnWidth(0) - 2 * table().indentation() - 10;
        QVERIFY2(!fits, "the name is as long as this test needs it");
        QVERIFY(table().visualItemRect(row).height() > oneLine);
        m_window->findChild<QDockWidget*>(QStringLiteral("dockMetrics"))->setMinimumWidth(600);
        QTRY_COMPARE(table().visualItemRect(row).height(), oneLine);
        m_window->findChild<QDockWidget*>(QStringLiteral("dockMetrics"))->setMinimumWidth(0);
    }
    void theyAreCollapsedUntilWanted()
    {
        QTreeWidgetItem* const whole = rowOf("fsdp");
        whole->setExpanded(false);
        table().setFocus();
        table().setCurrentItem(whole);
        QVERIFY(!whole->isExpanded());
        QTest::keyClick(&table(), Qt::Key_Right);
        QVERIFY(whole->isExpanded());
        // A click on its name chooses it and does not collapse it again.
        const QPoint name = table().visualItemRect(whole).center();
        QTest::mouseClick(table().viewport(), Qt::LeftButton, Qt::NoModifier, name);
        QVERIFY(whole->isExpanded());
        QCOMPARE(table().currentItem(), whole);
        QTest::keyClick(&table(), Qt::Key_Left);
        QVERIFY(!whole->isExpanded());
    }
    void theSearchFindsThem()
    {
        QTreeWidgetItem* const whole = rowOf("training_phases");
        whole->setExpanded(false);
        auto& filter = widgetNamed<QLineEdit>(*m_window, "metricsFilter");
        QTest::keyClicks(&filter, QStringLiteral("backward_time"));
        QVERIFY(!whole->isHidden() && whole->isExpanded());
        QVERIFY(!rowOf("backward_time")->isHidden());
        QVERIFY(rowOf("forward_time")->isHidden());
        QVERIFY(rowOf("mfu")->isHidden());
        filter.clear();
        QVERIFY(!rowOf("forward_time")->isHidden());
    }
    /// What matters most stands on top, and says how much of the step it costs.
    void theMostImportantStandOnTop()
    {
        constexpr int nameRole = Qt::UserRole + 4;
        const QTreeWidgetItem& group = *table().topLevelItem(0);
        QCOMPARE(group.childCount(), 8);
        const auto headline = [&](std::string_view id) {
            for (int i = 0; i < group.childCount(); ++i) {
                if (group.child(i)->data(0, nameRole).toString().toStdString() == id)
                    return group.child(i);
            }
            return static_cast<QTreeWidgetItem*>(nullptr);
        };
        QTreeWidgetItem* const exposed = headline("exposed_communication_time");
        QVERIFY(exposed);
        constexpr int shareRole = Qt::UserRole + 1;
        // 2.544 of 9.746 ms
        QVERIFY(std::abs(exposed->data(3, shareRole).toDouble() - 0.261) < 0.001);
        QCOMPARE(exposed->foreground(1).color(), surfaces(table().palette()).worse);
        QVERIFY(headline("mfu"));
        QVERIFY(!headline("peak_kernels"));
        // A click explains it, and it stays chosen when all is computed again.
        QTest::mouseClick(table().viewport(), Qt::LeftButton, {}, table().visualItemRect(exposed).center());
        auto& panel = *m_window->view<MetricsPanel>();
        QVERIFY(panel.findChild<QTextBrowser*>()->toPlainText().contains(
            QStringLiteral("exposed_communication_time")));
        panel.setResults(MetricsPanel::Results(panel.results()));
        QCOMPARE(table().currentItem()->parent(), table().topLevelItem(0));
        auto& filter = widgetNamed<QLineEdit>(*m_window, "metricsFilter");
        filter.setText(QStringLiteral("exposed_communication_time")); // found once
        QVERIFY(table().topLevelItem(0)->isHidden());
        filter.clear();
    }
    void aPartIsChosenLikeAMetric()
    {
        m_window->view<MetricsPanel>()->selectMetric("backward_time");
        QVERIFY(table().currentItem()->parent()->isExpanded()); // else it could not be seen
        QVERIFY(m_window->metricsCsv().contains("\nbackward_time,"));
        QVERIFY(m_window->metricsCsv().contains("\ntraining_phases,"));
    }
    /// Zeros of a run without communication do not push what was measured out of sight.
    void zerosStandAtTheEnd()
    {
        SmallRun run(1);
        run.step(0, 1, 0, 1000);
        run.kernel(0, 10, 500);
        const QTemporaryDir folder;
        run.write(folder.path().toStdString());
        QVERIFY(openAndWait(*m_window, {folder.path()}));
        QStringList keys; // of the groups
        constexpr int keyRole = Qt::UserRole + 3;
        for (int row = 0; row < table().topLevelItemCount(); ++row)
            keys << table().topLevelItem(row)->data(0, keyRole).toString();
        const auto zeros = static_cast<int>(keys.indexOf(QStringLiteral("all zero: Communication")));
        QVERIFY(zeros > keys.indexOf(QStringLiteral("GPU")));
        QVERIFY(!keys.contains(QStringLiteral("Communication")));
        QVERIFY(!table().topLevelItem(zeros)->isExpanded());
        QVERIFY(table().topLevelItem(zeros)->childCount() >= 3);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestMetricParts)
#include "tst_metric_parts.moc"
