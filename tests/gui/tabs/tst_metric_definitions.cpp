// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// User-defined metrics in the window: a file adds them to the panel, is remembered, and can be taken away.

#include "app/parts/metric_definitions.h"
#include "tests/gui/driver/window_driver.h"
#include "tests/support/suite/suite.h"
#include "tests/support/workloads/run_writer.h"
#include "views/metrics/metrics_panel.h"
#include "views/widgets/banner.h"

#include <QMenu>
#include <QSettings>
#include <QSignalSpy>
#include <QTreeWidget>

namespace collscope {

class TestMetricDefinitions : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    QString path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }
    static const MetricResult* resultOf(const MainWindow& window, std::string_view id)
    {
        for (const auto& [request, result] : window.view<MetricsPanel>()->results()) {
            if (request.name == id)
                return &result;
        }
        return nullptr;
    }
    static QString banner(const MainWindow& window)
    {
        const auto* banner = window.findChild<Banner*>();
        return banner->message() && !banner->isHidden() ? banner->message()->text : QString();
    }
    static bool computed(MainWindow& window)
    {
        return QTest::qWaitFor([&] { return !window.isComputing(); }, 30'000);
    }

private slots:
    void initTestCase()
    {
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, path("settings"));
        QCoreApplication::setOrganizationName(QStringLiteral("collscope"));
        QCoreApplication::setApplicationName(QStringLiteral("tst_metric_definitions"));
        writeSmallRun(path("run"));
        writeFile(path("mine.toml").toStdString(),
                  "[[metric]]\nid = \"my_steps\"\ntitle = \"My steps\"\nunit = \"count\"\n"
                  "numerator = { window = \"steps\" }\n");
        writeFile(path("wrong.toml").toStdString(), "[[metric]]\nid = \"mine\"\n");
    }
    void init() { QSettings().clear(); }

    void aFileAddsToThePanel()
    {
        const auto window = shownWindow();
        QVERIFY(openAndWait(*window, {path("run")}));
        QVERIFY(!resultOf(*window, "my_steps"));
        window->metricDefinitions()->add(path("mine.toml"));
        QVERIFY(computed(*window));
        const MetricResult* result = resultOf(*window, "my_steps");
        QVERIFY(result && result->value == 2.0);
        window->view<MetricsPanel>()->selectMetric("my_steps");
        const QTreeWidgetItem* item = window->view<MetricsPanel>()->table()->currentItem();
        QCOMPARE(item->text(0), QStringLiteral("My steps"));
        QCOMPARE(item->parent()->text(0), QStringLiteral("User-defined"));
        QVERIFY(window->metricsCsv().contains("\nmy_steps,"));
        // A mistake is told and changes nothing.
        window->metricDefinitions()->add(path("wrong.toml"));
        QVERIFY2(banner(*window).contains(QStringLiteral("wrong.toml:1: ")), qPrintable(banner(*window)));
        QCOMPARE(window->metricDefinitions()->files().size(), 1);
        QVERIFY(resultOf(*window, "my_steps"));
        QVERIFY(!QSettings().contains(QStringLiteral("metricDefinitions")));
    }
    void filesAreRememberedAndTakenAway()
    {
        MainWindow(UserSettings::Use).metricDefinitions()->add(path("mine.toml"));
        MainWindow window(UserSettings::Use);
        window.show();
        QVERIFY(openAndWait(window, {path("run")}));
        QVERIFY(resultOf(window, "my_steps"));
        QCOMPARE(MainWindow(UserSettings::Ignore).metricDefinitions()->files().size(), 0);
        // A tick in the menu is the way back.
        auto* const ticked = window.findChild<QAction*>(path("mine.toml"));
        QVERIFY2(ticked, "the menu has no entry for the file");
        QVERIFY(ticked->isCheckable() && ticked->isChecked());
        QVERIFY(ticked->text().endsWith(QStringLiteral("mine.toml")));
        ticked->trigger();
        QVERIFY(QTest::qWaitFor([&] { return window.metricDefinitions()->files().isEmpty(); }));
        QVERIFY(computed(window));
        QVERIFY(!resultOf(window, "my_steps"));
        QVERIFY(QSettings().value(QStringLiteral("metricDefinitions")).toStringList().isEmpty());
    }
    void aLostFileIsToldAndTheOthersWork()
    {
        QSettings().setValue(QStringLiteral("metricDefinitions"),
                             QStringList{path("gone.toml"), path("mine.toml")});
        MainWindow window(UserSettings::Use);
        QVERIFY2(banner(window).contains(QStringLiteral("gone.toml")), qPrintable(banner(window)));
        QVERIFY(window.metricDefinitions()->catalog().find("my_steps").has_value());
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestMetricDefinitions)
#include "tst_metric_definitions.moc"
