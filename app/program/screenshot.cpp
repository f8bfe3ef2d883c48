// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/program/screenshot.h"

#include "app/comparison/comparison_window.h"
#include "app/files/batch_io.h"
#include "app/jobs/failed_work.h"
#include "app/pictures/png_plots.h"
#include "app/program/path_texts.h"
#include "app/window/main_window.h"
#include "model/text/needs_events.h"
#include "views/charts/nvlink_chart.h"
#include "views/common/location.h"
#include "views/common/theme.h"
#include "views/comparison/waterfall_view.h"
#include "views/metrics/metrics_panel.h"
#include "views/plots/plot_page.h"

#include <QApplication>
#include <QBuffer>
#include <QEventLoop>
#include <QFontDatabase>
#include <QRegularExpression>
#include <QTabWidget>

namespace collscope {

namespace {

/// Selects what a user would look at first: the highest peak, and the overlap metric.
void pointAtSomething(MainWindow& window)
{
    window.view<MetricsPanel>()->selectMetricWithValue("comm_comp_overlap");
    auto* chart = window.view<NvlinkChart>();
    for (std::size_t i = 0; i < chart->peaks().size(); ++i) {
        if (chart->peakPosition(i)) {
            window.viewState()->selection().setPeak(
                ViewSelection::Peak{chart->peaks()[i].device, chart->peaks()[i].range});
            break;
        }
    }
}

bool isBusy(const MainWindow& window)
{
    return window.isComputing() || (window.comparison() && window.comparison()->isBusy());
}

void waitForNumbers(const MainWindow& window)
{
    while (isBusy(window) && !hasWorkFailed())
        QApplication::processEvents(QEventLoop::WaitForMoreEvents);
}

/// Brings a tab to the front and waits for its content. Returns false if no tab has that title.
bool showTab(MainWindow& window, const QString& title)
{
    const QWidget* const top = window.comparison() ? static_cast<QWidget*>(window.comparison()) : &window;
    // Scripts use the English title, whatever the desktop's language.
    const QString inThisLanguage
        = QCoreApplication::translate(top->metaObject()->className(), title.toUtf8().constData());
    for (auto* const tabs : top->findChildren<QTabWidget*>()) {
        for (int i = 0; i < tabs->count(); ++i) {
            // The title of the tab Problems may be "Problems 3".
            const QString shown
                = tabs->tabText(i).section(QRegularExpression(QStringLiteral(" \\d+$")), 0, 0);
            if ((shown != title && shown != inThisLanguage) || !tabs->isTabVisible(i))
                continue;
            tabs->setCurrentIndex(i);
            waitForNumbers(window);
            return true;
        }
    }
    return false;
}

/// The message that a window sends if it fails.
Status failureOf(const QString& message)
{
    return Error{Error::Kind::NotFound, message.toStdString()};
}

/// Opens the run and waits until nothing is pending.
Status openAndCompute(MainWindow& window, const ScreenshotCommand& command)
{
    Status opened;
    const QObject whileOpening;
    QObject::connect(&window, &MainWindow::openFailed, &whileOpening,
                     [&](const QString& message) { opened = failureOf(message); });
    window.openPaths(pathTexts(command.paths()), command.input.load);
    while (opened && !hasWorkFailed() && (window.isLoading() || isBusy(window)))
        QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    return opened;
}

/// Compares the given runs with the current run and waits for the result.
Status compare(MainWindow& window, const ScreenshotCommand& command)
{
    Status compared;
    for (const QString& path : pathTexts(command.compared.tests))
        window.compareWith({path}, command.input.load);
    if (!window.comparison()) // the first run has no events
        return Error{Error::Kind::Incomplete, needsEventsText()};
    ComparisonWindow& comparison = *window.comparison();
    QObject::connect(&comparison, &ComparisonWindow::failed, &comparison,
                     [&](const QString& message) { compared = failureOf(message); });
    comparison.resize(command.width, command.height);
    waitForNumbers(window);
    if (const auto& parts = comparison.view()->waterfall()->parts(); !parts.empty()) {
        comparison.view()->choosePart(parts.front()); // what a user would look at first
        waitForNumbers(window);
    }
    return compared;
}

} // namespace

int takeScreenshot(const ScreenshotCommand& command)
{
    if (!canPaint())
        return NotWritten;
    // Without a desktop no desktop font is set; Inter, if installed, reads best at small sizes.
    if (QGuiApplication::platformName() == QLatin1String("offscreen")
        && QFontDatabase::families().contains(QStringLiteral("Inter")))
        QApplication::setFont(QFont(QStringLiteral("Inter"), 9));
    applyTheme(*qApp, command.theme == ThemeChoice::System ? ThemeChoice::Light : command.theme);
    MainWindow window(UserSettings::Ignore);
    window.resize(command.width, command.height);
    window.show();
    if (!command.paths().empty()) {
        if (const Status opened = openAndCompute(window, command); !opened) {
            say(opened.error().message);
            return NothingReadable;
        }
        const bool hasRun
            = window.viewState()->run().model() != nullptr; // otherwise a list of runs to choose from
        if (!command.location) {
            if (hasRun)
                pointAtSomething(window);
        } else if (!hasRun) {
            say("the folder contains several runs: choose one of them for --goto.");
            return WrongUsage;
        } else if (const Status found = goTo(*window.viewState(), *command.location); !found) {
            say(found.error().message);
            return WrongUsage;
        }
        waitForNumbers(window);
        if (!command.compared.tests.empty()) {
            if (const Status compared = compare(window, command); !compared) {
                say(compared.error().message);
                return NothingReadable;
            }
        }
    }
    if (!command.tab.empty() && !showTab(window, QString::fromStdString(command.tab))) {
        say("this run has no tab '" + command.tab + "'.");
        return WrongUsage;
    }
    if (window.viewState()->run().model())
        window.settleForPicture();
    QApplication::processEvents(); // layouts and pending repaints; nothing else is running
    if (hasWorkFailed())
        return NothingReadable; // already reported
    QPixmap picture(QSize(command.width, command.height) * command.scale);
    picture.setDevicePixelRatio(command.scale);
    QWidget* const shown = window.comparison() ? static_cast<QWidget*>(window.comparison()) : &window;
    shown->render(&picture);
    QByteArray png;
    QBuffer buffer(&png);
    buffer.open(QIODevice::WriteOnly);
    if (!picture.save(&buffer, "PNG", 0)) {
        say("cannot draw " + command.file + ".");
        return NotWritten;
    }
    return writeFile(command.file, {png.constData(), static_cast<std::size_t>(png.size())}) ? Done
                                                                                            : NotWritten;
}

} // namespace collscope
