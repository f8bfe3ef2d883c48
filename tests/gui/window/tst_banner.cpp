// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What a window has to tell stands in its banner, can be acted on and closed; nothing of it is modal.

#include "app/comparison/runs_window.h"
#include "app/files/hardware_files.h"
#include "metrics/definitions/metric_catalog.h"
#include "tests/gui/driver/window_test.h"
#include "tests/support/suite/checked.h"
#include "tests/support/suite/suite.h"
#include "views/common/theme.h"
#include "views/timeline/timeline_view.h"
#include "views/widgets/banner.h"

#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>

namespace collscope {

class TestBanner : public WindowTest
{
    Q_OBJECT

private:
    Banner& banner() const { return *m_window->findChild<Banner*>(); }
    static QPushButton& button(const Banner& banner, const char* name)
    {
        return *banner.findChild<QPushButton*>(QString::fromLatin1(name));
    }
    static void click(QPushButton& button) { QTest::mouseClick(&button, Qt::LeftButton); }
    static QString textOf(const Banner& banner)
    {
        return banner.isVisible() ? banner.findChild<QLabel*>()->text() : QString();
    }
    static BannerMessage message(BannerTone tone, const char* text, const char* about)
    {
        return {tone, QString::fromLatin1(text), QString::fromLatin1(about)};
    }
    static QImage picture(Banner& banner)
    {
        QCoreApplication::processEvents();
        return banner.grab().toImage();
    }

private slots:
    void theLatestIsShownAndTheOnesBeforeComeBack()
    {
        Banner& shown = banner();
        QSignalSpy closed(&shown, &Banner::closed);
        QVERIFY(!shown.isVisible() && !shown.message());
        shown.showMessage(message(BannerTone::Warning, "peaks are unknown", "peaks"));
        shown.showMessage(message(BannerTone::Error, "cannot write a.png", "export"));
        shown.showMessage(message(BannerTone::Error, "cannot write b.png", "export"));
        QCOMPARE(textOf(shown), QStringLiteral("cannot write b.png"));
        QCOMPARE(shown.accessibleName(), QStringLiteral("Error: cannot write b.png"));
        click(button(shown, "bannerClose"));
        QCOMPARE(textOf(shown), QStringLiteral("peaks are unknown"));
        QCOMPARE(closed.count(), 0);
        shown.retract(QStringLiteral("something else"));
        QVERIFY(shown.isVisible());
        shown.retract(QStringLiteral("peaks"));
        QVERIFY(!shown.isVisible());
        QCOMPARE(closed.count(), 0);
    }
    void escClosesItWhenItHasTheFocus()
    {
        CHECKED(openRun([] {
            SmallRun run(1);
            run.kernel(0, 0, 100);
            return run;
        }()));
        m_window->view<TimelineView>()->setFocus();
        banner().showMessage(message(BannerTone::Information, "done", "test"));
        QVERIFY2(m_window->view<TimelineView>()->hasFocus(), "it takes no focus");
        QTest::keyClick(m_window->view<TimelineView>(), Qt::Key_Escape);
        QVERIFY2(banner().isVisible(), "Esc belongs to the timeline");
        for (int i = 0; i < 10 && !banner().isAncestorOf(QApplication::focusWidget()); ++i)
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_F6);
        QVERIFY2(banner().isAncestorOf(QApplication::focusWidget()), "F6 leads to it");
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        QVERIFY(!banner().isVisible());
        QVERIFY2(m_window->view<TimelineView>()->hasFocus(), "the keys are the timeline's again");
    }
    void eachToneHasItsLookInLightAndDark()
    {
        Banner& shown = banner();
        std::vector<QImage> looks;
        for (const ThemeChoice theme : {ThemeChoice::Light, ThemeChoice::Dark}) {
            applyTheme(*qApp, theme);
            const Surfaces colors = surfaces(qApp->palette());
            const std::vector<std::pair<BannerTone, QColor>> tones{{BannerTone::Information, colors.accent},
                                                                   {BannerTone::Warning, colors.warning},
                                                                   {BannerTone::Error, colors.worse}};
            for (const auto& [tone, color] : tones) {
                shown.showMessage(message(tone, "a message", "test"));
                looks.push_back(picture(shown));
                QCOMPARE(looks.back().pixelColor(1, shown.height() / 2), color);
            }
        }
        applyTheme(*qApp, ThemeChoice::Light);
        for (std::size_t i = 0; i < looks.size(); ++i) {
            for (std::size_t other = 0; other < i; ++other)
                QVERIFY(looks[i] != looks[other]);
        }
    }
    void longTextsWrap()
    {
        Banner& shown = banner();
        shown.showMessage(message(BannerTone::Error, "short", "test"));
        QCoreApplication::processEvents();
        const int line = shown.height();
        shown.showMessage({BannerTone::Error, QStringLiteral("a long message ").repeated(60),
                           QStringLiteral("test"), QStringLiteral("Details")});
        QTRY_VERIFY(shown.height() > line + 10);
        const QLabel& text = *shown.findChild<QLabel*>();
        QTRY_VERIFY(text.height() >= text.heightForWidth(text.width()));
        QCOMPARE(m_window->width(), 1500);
    }

    void aLoadThatFailsCanBeTriedAgain()
    {
        const QString path = m_folder.filePath(QStringLiteral("late"));
        QSignalSpy failed(m_window.get(), &MainWindow::openFailed);
        m_window->openPaths({path});
        QVERIFY(failed.wait(30'000));
        QVERIFY(banner().message()->tone == BannerTone::Error);
        QCOMPARE(textOf(banner()), failed.first().first().toString());
        writeSmallRun(path);
        QSignalSpy opened(m_window.get(), &MainWindow::runOpened);
        click(button(banner(), "bannerAction"));
        QVERIFY(opened.wait(30'000));
        QVERIFY2(!banner().isVisible(), "what was wrong is so no longer");
    }
    void lossesLeadToTheProblems()
    {
        const QString file = writeKineto(m_folder.filePath(QStringLiteral("lossy.json")), 0,
                                         {completeEvent("kernel", QStringLiteral("gemm"), 0, 7, 1000, 80),
                                          completeEvent("kernel", QStringLiteral("gemm"), 0, 7, 2000, -5),
                                          completeEvent("kernel", QStringLiteral("gemm"), 0, 7, 3000, -5)});
        QVERIFY(openAndWait(*m_window, {file}));
        QCOMPARE(textOf(banner()), QStringLiteral("2 events of this run are excluded."));
        QVERIFY(banner().message()->tone == BannerTone::Warning);
        auto* tabs = m_window->findChild<QTabWidget*>();
        click(button(banner(), "bannerAction"));
        // The other one asks why no kernel communicates in a world of 8 ranks, in the banner as well.
        QCOMPARE(tabs->tabText(tabs->currentIndex()), QStringLiteral("Problems 2"));
        QVERIFY(textOf(banner()).contains(QStringLiteral("recognised as communication")));
        CHECKED(openRun([] {
            SmallRun run(1);
            run.kernel(0, 0, 100);
            return run;
        }()));
        QVERIFY(!banner().isVisible());
    }
    void theWindowOfRunsHasOne()
    {
        RunsWindow window(MetricCatalog().all(), *loadHardwareDatabase({}));
        window.show();
        Banner& shown = *window.findChild<Banner*>();
        const auto saveTo = [&](const QString& path) {
            emit window.table()->exportRequested();
            QVERIFY(answerFileDialog(window, path));
        };
        CHECKED(saveTo(QStringLiteral("/proc/runs.csv"))); // where nobody can write
        QVERIFY2(textOf(shown).contains(QStringLiteral("runs.csv")), qPrintable(textOf(shown)));
        CHECKED(saveTo(m_folder.filePath(QStringLiteral("runs.csv"))));
        QVERIFY(!shown.isVisible());
        QVERIFY(QFile::exists(m_folder.filePath(QStringLiteral("runs.csv"))));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestBanner)
#include "tst_banner.moc"
