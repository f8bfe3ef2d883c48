// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// "Classify as communication": what the window asks about a run in which nothing was recognised, and how the
// menu of a kernel answers it, by mouse and keys.

#include "app/files/definition_files.h"
#include "app/parts/metric_definitions.h"
#include "model/kernels/kernel_names.h"
#include "tests/gui/driver/window_driver.h"
#include "tests/support/suite/suite.h"
#include "tests/support/workloads/run_writer.h"
#include "views/kernel_rule_dialog.h"
#include "views/metrics/metrics_panel.h"
#include "views/timeline/timeline_view.h"
#include "views/widgets/banner.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFile>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTreeWidget>

namespace collscope {

class TestWindowKernelRules : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    QByteArray m_configBefore;

    QString path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }
    static QString banner(const MainWindow& window)
    {
        const auto* banner = window.findChild<Banner*>();
        return banner->message() && !banner->isHidden() ? banner->message()->text : QString();
    }
    static std::optional<double> valueOf(const MainWindow& window, std::string_view id)
    {
        for (const auto& [request, result] : window.view<MetricsPanel>()->results()) {
            if (request.name == id)
                return result.value;
        }
        return std::nullopt;
    }
    static SliceRef sliceNamed(const TraceModel& model, std::string_view name)
    {
        for (std::uint32_t track = 0; track < model.tracks.size(); ++track) {
            for (std::uint32_t row = 0; row < model.tracks[track].slices.size(); ++row) {
                const SliceRef slice{TrackId{track}, row};
                if (model.nameOf(slice) == name)
                    return slice;
            }
        }
        return {};
    }
    /// Clicks the entry of the menu of a slice; nullptr if no dialog opens.
    static KernelRuleDialog* openDialog(MainWindow& window, std::string_view kernel)
    {
        auto* timeline = window.view<TimelineView>();
        const SliceRef slice = sliceNamed(*window.viewState()->run().model(), kernel);
        window.viewState()->viewport().showRange(window.viewState()->run().rangeOf(slice));
        QCoreApplication::processEvents();
        QPointer<QMenu> menu;
        connect(timeline, &TimelineView::menuOpening, &window, [&](QMenu* opened) { menu = opened; });
        QTest::mouseClick(timeline->viewport(), Qt::RightButton, {},
                          timeline->rectOf(slice).center().toPoint());
        if (!menu || !QTest::qWaitFor([&] { return menu && menu->isVisible(); }, 5000))
            return nullptr;
        QAction* const entry = entryNamed(*menu, QStringLiteral("classifyKernel"));
        if (!entry)
            return nullptr;
        QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(entry).center());
        KernelRuleDialog* dialog = nullptr;
        const bool isOpen = QTest::qWaitFor(
            [&] { return (dialog = window.findChild<KernelRuleDialog*>()) != nullptr; }, 5000);
        return isOpen ? dialog : nullptr;
    }
    static QPushButton* acceptOf(KernelRuleDialog& dialog)
    {
        return dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
    }

private slots:
    void initTestCase()
    {
        m_configBefore = qgetenv("XDG_CONFIG_HOME");
        qputenv("XDG_CONFIG_HOME", path("config").toLocal8Bit());
        QStringList events{
            completeEvent("user_annotation", QStringLiteral("ProfilerStep#1"), 1, 1, 0, 20'000)};
        for (int i = 0; i < 10; ++i)
            events << completeEvent("kernel", QStringLiteral("gemm"), 0, 7, 2000.0 * i, 2000);
        for (int i = 0; i < 2; ++i)
            events << completeEvent("kernel", QStringLiteral("void mylib::exchange<4>(int*)"), 0, 20,
                                    8000.0 * i, 4000);
        writeKineto(path("run/rank0_trace.json"), 0, events); // says that the world has 8 ranks
    }
    void cleanupTestCase() { qputenv("XDG_CONFIG_HOME", m_configBefore); }
    void cleanup() { QFile::remove(path("config/collscope/collscope/communication.toml")); }
    void theMenuTeachesAKernel()
    {
        MainWindow window(UserSettings::Use);
        window.resize(1500, 1000);
        window.show();
        QVERIFY(openAndWait(window, {path("run")}));
        QVERIFY2(banner(window).startsWith(QStringLiteral(
                     "None of the 12 kernels was recognised as communication, in a run of 8 ranks.")),
                 qPrintable(banner(window)));
        QVERIFY2(banner(window).contains(QStringLiteral("On one rank, kernels run for 8.0 ms")),
                 qPrintable(banner(window)));
        QVERIFY(!valueOf(window, "total_communication_time"));
        window.view<MetricsPanel>()->selectMetric("total_communication_time");
        QCOMPARE(window.view<MetricsPanel>()->table()->currentItem()->text(1),
                 QStringLiteral("not recorded"));

        KernelRuleDialog* dialog = openDialog(window, "void mylib::exchange<4>(int*)");
        QVERIFY(dialog);
        auto* text = dialog->findChild<QLineEdit*>(QStringLiteral("ruleText"));
        auto* kind = dialog->findChild<QComboBox*>(QStringLiteral("ruleClass"));
        QCOMPARE(text->text(), QStringLiteral("mylib::exchange"));
        text->setFocus();
        text->selectAll();
        QTest::keyClicks(text, QStringLiteral("nothing has this name"));
        QVERIFY(!acceptOf(*dialog)->isEnabled());
        text->selectAll();
        QTest::keyClicks(text, QStringLiteral("mylib::exch*"));
        QVERIFY(acceptOf(*dialog)->isEnabled());
        kind->setFocus();
        QTest::keyClicks(kind, QStringLiteral("AllToAll"));
        QVERIFY(dialog->rule() == (KernelRule{"mylib::exch*", KernelClass::AllToAll}));
        QSignalSpy opened(&window, &MainWindow::runOpened);
        QTest::mouseClick(acceptOf(*dialog), Qt::LeftButton);
        QVERIFY(opened.wait(30'000));
        QVERIFY(QTest::qWaitFor([&] { return !window.isComputing(); }, 30'000));

        QVERIFY(std::abs(valueOf(window, "total_communication_time").value_or(0) - 0.008) < 1e-12);
        QVERIFY2(!banner(window).contains(QStringLiteral("recognised")), qPrintable(banner(window)));
        const TraceModel& model = *window.viewState()->run().model();
        QVERIFY(model.classOf(sliceNamed(model, "void mylib::exchange<4>(int*)")) == KernelClass::AllToAll);
        // It is in the person's file, for the next window and for --batch.
        const auto rules = loadKernelRules({});
        QVERIFY(rules && rules->size() == 1);
        QVERIFY(rules->front() == (KernelRule{"mylib::exch*", KernelClass::AllToAll}));
        MainWindow next(UserSettings::Use);
        next.show();
        QVERIFY(openAndWait(next, {path("run")}));
        QVERIFY(valueOf(next, "total_communication_time").value_or(0) > 0);
    }
    void nothingIsWrittenWhereNothingIsRemembered()
    {
        const auto window = shownWindow();
        QVERIFY(openAndWait(*window, {path("run")}));
        KernelRuleDialog* dialog = openDialog(*window, "void mylib::exchange<4>(int*)");
        QVERIFY(dialog);
        QSignalSpy opened(window.get(), &MainWindow::runOpened);
        QTest::mouseClick(acceptOf(*dialog), Qt::LeftButton);
        QVERIFY(opened.wait(30'000));
        const TraceModel& model = *window->viewState()->run().model();
        QVERIFY(isCommunication(model.classOf(sliceNamed(model, "void mylib::exchange<4>(int*)"))));
        QVERIFY(loadKernelRules({})->empty());
    }
    void aWrongFileIsTold()
    {
        QVERIFY(QDir().mkpath(path("config/collscope/collscope")));
        writeFile(path("config/collscope/collscope/communication.toml").toStdString(),
                  "[[communication]]\nname = \"x\"\nclass = \"dance\"\n");
        QVERIFY(!loadKernelRules({}));
        MainWindow window(UserSettings::Use);
        window.show();
        QVERIFY(openAndWait(window, {path("run")}));
        QVERIFY2(banner(window).contains(QStringLiteral("communication.toml:3: 'class' must be one of")),
                 qPrintable(banner(window)));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestWindowKernelRules)
#include "tst_window_kernel_rules.moc"
