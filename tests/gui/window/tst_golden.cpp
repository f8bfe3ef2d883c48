// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The window with the demo run, and that of a comparison, look as they were approved: light and dark, at once
// and twice the scale. With COLLSCOPE_UPDATE_GOLDEN set the pictures in tests/golden are written instead;
// look at them before they are committed.

#include "app/comparison/comparison_window.h"
#include "app/files/resources.h"
#include "tests/gui/driver/window_driver.h"
#include "tests/support/runs/compared_runs.h"
#include "tests/support/suite/picture.h"
#include "tests/support/suite/suite.h"
#include "views/charts/nvlink_chart.h"
#include "views/common/theme.h"
#include "views/metrics/metrics_panel.h"
#include "views/summary/finding_strip.h"
#include "views/summary/gaps_view.h"
#include "views/summary/summary_view.h"

#include <QApplication>
#include <QDir>
#include <QFontDatabase>
#include <QLabel>
#include <QPainter>
#include <QRegularExpression>
#include <QTabWidget>
#include <QTest>

namespace collscope {

class TestGolden : public QObject
{
    Q_OBJECT

private:
    QFont m_font;

    /// How long loading took is another picture each time.
    static void hideWhatVaries(const MainWindow& window)
    {
        static const QRegularExpression seconds(QStringLiteral("loaded in [0-9.]+ s"));
        auto& status = widgetNamed<QLabel>(window, "workStatus");
        status.setText(status.text().replace(seconds, QStringLiteral("loaded")));
    }
    /// nullptr if the demo could not be opened.
    static std::unique_ptr<MainWindow> windowOfTheDemo(bool isDark)
    {
        applyTheme(*qApp, isDark ? ThemeChoice::Dark : ThemeChoice::Light);
        auto window = shownWindow();
        window->resize(1280, 800);
        return openAndWait(*window, {QString::fromStdString(resourceFolder("demo"))}) ? std::move(window)
                                                                                      : nullptr;
    }
    static QImage pictureOf(QWidget& window, int scale)
    {
        QImage picture(window.size() * scale, QImage::Format_RGB32);
        picture.setDevicePixelRatio(scale);
        window.render(&picture);
        return picture;
    }

    static void looksAsApproved(QWidget& window, const QString& name, int scale)
    {
        QCoreApplication::processEvents();
        const QImage now = pictureOf(window, scale);
        const QString path = QStringLiteral(COLLSCOPE_SOURCE_FOLDER "/tests/golden/%1-%2.png")
                                 .arg(name, QString::fromLatin1(QTest::currentDataTag()));
        if (qEnvironmentVariableIsSet("COLLSCOPE_UPDATE_GOLDEN")) {
            QVERIFY(QDir().mkpath(QStringLiteral(COLLSCOPE_SOURCE_FOLDER "/tests/golden")) && now.save(path));
            QSKIP("Written, not compared.");
        }
        const QImage approved(path);
        QVERIFY2(!approved.isNull(), qPrintable(path));
        QCOMPARE(now.size(), approved.size());
        const double differing = differingShare(now, approved);
        if (differing > mostDiffering)
            now.save(QDir::temp().filePath(QFileInfo(path).fileName())); // to be looked at beside the other
        QVERIFY2(differing <= mostDiffering,
                 qPrintable(QStringLiteral("%1 % differs; now: %2")
                                .arg(100 * differing)
                                .arg(QDir::temp().filePath(QFileInfo(path).fileName()))));
    }

private slots:
    void initTestCase()
    {
        m_font = QApplication::font();
        if (!QFontDatabase::families().contains(QStringLiteral("Inter")))
            QSKIP("The font Inter is not installed; pictures would differ in every word.");
        QApplication::setFont(QFont(QStringLiteral("Inter"), 9));
    }
    void cleanupTestCase()
    {
        QApplication::setFont(m_font);
        applyTheme(*qApp, ThemeChoice::Light);
    }
    void theDemoLooksAsApproved_data()
    {
        QTest::addColumn<bool>("isDark");
        QTest::addColumn<int>("scale");
        QTest::newRow("light-1x") << false << 1;
        QTest::newRow("light-2x") << false << 2;
        QTest::newRow("dark-1x") << true << 1;
        QTest::newRow("dark-2x") << true << 2;
    }
    void theDemoLooksAsApproved()
    {
        QFETCH(bool, isDark);
        QFETCH(int, scale);
        const auto window = windowOfTheDemo(isDark);
        QVERIFY(window);
        window->view<MetricsPanel>()->selectMetric("comm_comp_overlap");
        const NvlinkChart& chart = *window->view<NvlinkChart>();
        std::size_t inSight = 0;
        while (inSight < chart.peaks().size() && !chart.peakPosition(inSight))
            ++inSight;
        QVERIFY(inSight < chart.peaks().size());
        clickPeak(*window, inSight);
        QTRY_VERIFY(!window->isComputing());
        hideWhatVaries(*window);
        looksAsApproved(*window, QStringLiteral("demo"), scale);
    }
    void whatARunOpensWithLooksAsApproved_data() { theDemoLooksAsApproved_data(); }
    void whatARunOpensWithLooksAsApproved()
    {
        QFETCH(bool, isDark);
        QFETCH(int, scale);
        const auto window = windowOfTheDemo(isDark);
        QVERIFY(window);
        looksAsApproved(*window->view<FindingStrip>(), QStringLiteral("strip"), scale);
        looksAsApproved(*window->view<SummaryView>(), QStringLiteral("summary"), scale);
        window->findChild<QTabWidget*>()->setCurrentWidget(window->view<GapsView>());
        looksAsApproved(*window->view<GapsView>(), QStringLiteral("gaps"), scale);
    }
    void theComparisonLooksAsApproved_data() { theDemoLooksAsApproved_data(); }
    void theComparisonLooksAsApproved()
    {
        QFETCH(bool, isDark);
        QFETCH(int, scale);
        applyTheme(*qApp, isDark ? ThemeChoice::Dark : ThemeChoice::Light);
        const QTemporaryDir folder;
        comparedRun().write(folder.filePath(QStringLiteral("tuned")).toStdString());
        comparedRun({-700, 300, 0, false}).write(folder.filePath(QStringLiteral("other")).toStdString());
        const auto window = shownWindow();
        QVERIFY(openAndWait(*window, {folder.filePath(QStringLiteral("tuned"))}));
        window->compareWith({folder.filePath(QStringLiteral("other"))});
        QTRY_VERIFY(window->comparison() && !window->comparison()->isBusy());
        ComparisonWindow& comparison = *window->comparison();
        comparison.resize(1280, 800);
        comparison.view()->choosePart(StepPart::Gemm);
        QTRY_VERIFY(!comparison.isBusy());
        looksAsApproved(comparison, QStringLiteral("comparison"), scale);
    }
    void anotherPictureIsNotTheSame()
    {
        const QString folder = QStringLiteral(COLLSCOPE_SOURCE_FOLDER "/tests/golden");
        const QImage light(folder + QStringLiteral("/demo-light-1x.png"));
        QImage changed = light.copy();
        QVERIFY(!changed.isNull());
        QPainter painter(&changed);
        painter.fillRect(light.width() / 2, light.height() / 2, 80, 60, Qt::red); // a small panel is wrong
        painter.end();
        QVERIFY(differingShare(changed, light) > mostDiffering);
        QCOMPARE(differingShare(light, light), 0.0);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestGolden)
#include "tst_golden.moc"
