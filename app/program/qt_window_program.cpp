// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/program/qt_window_program.h"

#include "app/files/batch_io.h"
#include "app/parts/language.h"
#include "app/pictures/comparison_pictures.h"
#include "app/pictures/png_plots.h"
#include "app/program/batch_plots.h"
#include "app/program/path_texts.h"
#include "app/program/qt_messages.h"
#include "app/program/screenshot.h"
#include "app/runtime/thread_pool.h"
#include "app/window/main_window.h"
#include "views/common/location.h"
#include "views/common/theme.h"

#include <QApplication>
#include <QSettings>

#include <algorithm>

namespace collscope {

namespace {

/// Whether threads can be started: without any, a window would wait forever.
bool canWork()
{
    if (canStartThreads())
        return true;
    say("cannot open the window because the system does not start more threads: raise the process limit "
        "(ulimit -u, or the limit of the job), or use --batch, which needs no additional threads.");
    return false;
}

ThemeChoice chosenTheme(ThemeChoice onCommandLine)
{
    if (onCommandLine != ThemeChoice::System)
        return onCommandLine;
    const int stored = QSettings().value(QLatin1String(themeSetting)).toInt();
    return static_cast<ThemeChoice>(std::clamp(stored, 0, static_cast<int>(ThemeChoice::Dark)));
}

} // namespace

QtWindowProgram::QtWindowProgram(int& argc, char** argv)
    : m_argc(argc)
    , m_argv(argv)
{ }

QtWindowProgram::~QtWindowProgram() = default;

int QtWindowProgram::openWindow(const WindowCommand& command)
{
    qInstallMessageHandler(sayWithoutDisplay);
    QApplication application(m_argc, m_argv);
    qInstallMessageHandler(nullptr);
    if (!canWork())
        return NotWritten;
    QGuiApplication::setDesktopFileName(QStringLiteral("io.github.collscope.Collscope"));
    useLanguage();
    applyTheme(application, chosenTheme(command.theme));
    MainWindow window;
    window.show();
    if (const QStringList opened = pathTexts(command.paths()); !opened.isEmpty())
        window.openPaths(opened, command.input.load);
    for (const QString& path : pathTexts(command.compared.tests))
        window.compareWith({path}, command.input.load);
    if (command.location)
        window.goToLocation(*command.location);
    return QApplication::exec();
}

int QtWindowProgram::takeScreenshot(const ScreenshotCommand& command)
{
    // Must be set before the application is constructed, which reads both. A platform chosen by the user is
    // kept.
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    qputenv("QT_SCALE_FACTOR", QByteArray::number(command.scale));
    qInstallMessageHandler(sayWithoutDisplay);
    const QApplication application(m_argc, m_argv);
    qInstallMessageHandler(dropOffscreenChatter);
    if (!canWork())
        return NotWritten;
    useLanguage();
    return collscope::takeScreenshot(command);
}

void QtWindowProgram::startDrawing()
{
    // Without a desktop: plots need only the fonts of a platform plugin.
    qputenv("QT_QPA_PLATFORM", "offscreen");
    qInstallMessageHandler(dropOffscreenChatter);
    m_drawing = std::make_unique<QGuiApplication>(m_argc, m_argv);
}

bool QtWindowProgram::canDraw()
{
    return canPaint();
}

int QtWindowProgram::plotResults(const ValuesCommand& command, const TraceModel& model,
                                 const std::vector<NamedResult>& results)
{
    return collscope::plotResults(command, model, results);
}

int QtWindowProgram::plotRuns(const ValuesCommand& command, const std::vector<RunResults>& runs)
{
    return collscope::plotRuns(command, runs);
}

int QtWindowProgram::runIterations(const MetricsCommand& command,
                                   const std::shared_ptr<const HardwareDatabase>& hardware)
{
    return collscope::runIterations(command, hardware);
}

ComparisonDrawer QtWindowProgram::comparisonDrawer()
{
    return drawComparison;
}

} // namespace collscope
