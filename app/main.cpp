// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/batch.h"
#include "app/batch_io.h"
#include "app/language.h"
#include "app/main_window.h"
#include "app/memory_policy.h"
#include "app/resources.h"
#include "app/screenshot.h"
#include "app/thread_pool.h"
#include "model/text/printable_text.h"

#include <QApplication>
#include <QCoreApplication>
#include <QSettings>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

using namespace collscope;

namespace {

void nameApplication()
{
    QCoreApplication::setOrganizationName(QStringLiteral("collscope"));
    QCoreApplication::setApplicationName(QStringLiteral("collscope"));
    QCoreApplication::setApplicationVersion(QStringLiteral(COLLSCOPE_VERSION));
}

/// Drops warnings of the offscreen platform about features that pictures do not need; prints all others.
void dropOffscreenChatter(QtMsgType, const QMessageLogContext&, const QString& message)
{
    if (!message.startsWith(QLatin1String("This plugin does not support"))
        && !message.startsWith(QLatin1String("QStandardPaths: XDG_RUNTIME_DIR")))
        std::fputs(qUtf8Printable(message + QLatin1Char('\n')), stderr);
}

/// Qt aborts with a core dump and without advice if no display is available. Nothing is open yet that would
/// have to be closed.
void sayWithoutDisplay(QtMsgType type, const QMessageLogContext& context, const QString& message)
{
    if (type == QtFatalMsg) {
        say("cannot open a window because no display is available: use --batch to print metrics, or "
            "--screenshot FILE.png to save a picture of the window.");
        std::_Exit(NotWritten);
    }
    const bool isReason = QLatin1String(context.category).startsWith(QLatin1String("qt.qpa"));
    if (!isReason) // adds nothing to the sentence above
        dropOffscreenChatter(type, context, message);
}

/// Whether threads can be started: without any, a window would wait forever.
bool canWork()
{
    if (canStartThreads())
        return true;
    say("cannot open the window because the system does not start more threads: raise the process limit "
        "(ulimit -u, or the limit of the job), or use --batch, which needs no additional threads.");
    return false;
}

ThemeChoice themeOf(const CommandLine& command)
{
    switch (command.theme) {
    case CommandLine::Theme::Light:
        return ThemeChoice::Light;
    case CommandLine::Theme::Dark:
        return ThemeChoice::Dark;
    case CommandLine::Theme::System:
        break;
    }
    return ThemeChoice::System;
}

QStringList pathsOf(const CommandLine& command)
{
    QStringList paths;
    if (command.demo)
        paths << resourceFolder(QStringLiteral("demo"));
    for (const std::string& path : command.paths)
        paths << QString::fromLocal8Bit(path.c_str());
    return paths;
}

/// Returns the runs to compare with the others, one path per run.
QStringList comparedPathsOf(const CommandLine& command)
{
    QStringList paths;
    for (const std::string& path : command.comparedPaths)
        paths << QString::fromLocal8Bit(path.c_str());
    return paths;
}

/// Runs without a desktop: metrics need no platform plugin at all, plots only its fonts.
int runBatchMode(const CommandLine& command, int& argc, char** argv)
{
    if (!command.outputs.paints()) {
        const QCoreApplication application(argc, argv);
        return runBatch(command);
    }
    qputenv("QT_QPA_PLATFORM", "offscreen");
    qInstallMessageHandler(dropOffscreenChatter);
    const QGuiApplication application(argc, argv);
    return runBatch(command);
}

int runScreenshot(const CommandLine& command, int& argc, char** argv)
{
    // Must be set before the application is constructed, which reads both. A platform chosen by the user is
    // kept.
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    qputenv("QT_SCALE_FACTOR", QByteArray::number(command.scale));
    qInstallMessageHandler(sayWithoutDisplay);
    const QApplication application(argc, argv);
    qInstallMessageHandler(dropOffscreenChatter);
    if (!canWork())
        return NotWritten;
    useLanguage();
    return takeScreenshot({pathsOf(command), command.load,
                           QString::fromLocal8Bit(command.screenshotFile.c_str()),
                           QSize(command.width, command.height), command.scale, themeOf(command),
                           parseLocation(QString::fromStdString(command.location)),
                           QString::fromStdString(command.tab), comparedPathsOf(command)});
}

int runWindow(const CommandLine& command, int& argc, char** argv)
{
    qInstallMessageHandler(sayWithoutDisplay);
    QApplication application(argc, argv);
    qInstallMessageHandler(nullptr);
    if (!canWork())
        return NotWritten;
    QGuiApplication::setDesktopFileName(QStringLiteral("io.github.collscope.Collscope"));
    useLanguage();
    ThemeChoice theme = themeOf(command);
    if (theme == ThemeChoice::System)
        theme = static_cast<ThemeChoice>(std::clamp(QSettings().value(QLatin1String(themeSetting)).toInt(), 0,
                                                    static_cast<int>(ThemeChoice::Dark)));
    applyTheme(application, theme);
    MainWindow window;
    window.show();
    if (const QStringList paths = pathsOf(command); !paths.isEmpty())
        window.openPaths(paths, command.load);
    for (const QString& path : comparedPathsOf(command))
        window.compareWith({path}, command.load);
    if (const auto location = parseLocation(QString::fromStdString(command.location)))
        window.goToLocation(*location);
    return QApplication::exec();
}

} // namespace

int main(int argc, char* argv[])
{
    secureStreams();
    giveFreedMemoryBack();
    nameApplication(); // before parsing the arguments: the configuration folder has this name
    const CommandLine command = parseCommandLine(argv[0], {argv + 1, argv + argc});
    if (!command.location.empty() && !parseLocation(QString::fromStdString(command.location))) {
        say("--goto " + command.location + ": expected run@rank:track:begin-end or run@begin-end, in ns.");
        return WrongUsage;
    }
    switch (command.mode) {
    case CommandLine::Mode::Message:
        if (command.exitCode == 0)
            return print(command.message) ? Done : NotWritten;
        std::fputs(printableText(command.message).c_str(), stderr);
        return command.exitCode;
    case CommandLine::Mode::Batch:
        return runBatchMode(command, argc, argv);
    case CommandLine::Mode::Screenshot:
        return runScreenshot(command, argc, argv);
    case CommandLine::Mode::Window:
        return runWindow(command, argc, argv);
    }
    return 1;
}
