// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The window, which opens without --batch, and the command screenshot.

#include "app/cli/command.h"
#include "app/commands/command_compare.h"
#include "app/commands/command_display.h"
#include "app/commands/screenshot.h"
#include "app/files/batch_io.h"
#include "app/files/resources.h"
#include "app/parts/language.h"
#include "app/runtime/thread_pool.h"
#include "app/window/main_window.h"

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

/// What window and screenshot have in common.
class ShowingCommand : public ProgramCommand
{
public:
    RunInput input;
    ComparedRuns compared; ///< in the window: a run and others to compare with it
    std::string location; ///< initial location; empty: the default view of the window
    ThemeChoice theme = ThemeChoice::System;

    void declare() override;
    Status check() override;

protected:
    QStringList paths() const;
    QStringList comparedPaths() const;
};

void ShowingCommand::declare()
{
    options.text("--goto", location, "LOCATION",
                 "Open at a location: run@rank:track:begin-end in ns, as copied by Edit > Copy location");
    options.choice(
        "--theme", theme,
        {{"light", ThemeChoice::Light}, {"dark", ThemeChoice::Dark}, {"system", ThemeChoice::System}},
        "Colours of the window");
    compared.declare(options);
    input.declare(options);
}

Status ShowingCommand::check()
{
    if (!location.empty() && !parseLocation(QString::fromStdString(location)))
        return usageError("--goto " + location
                          + ": expected run@rank:track:begin-end or run@begin-end, in ns.");
    if (Status checked = compared.check(input); !checked)
        return checked;
    if (compared.areNamed())
        input.paths = {compared.baseline};
    if (!input.names.empty())
        input.load.given.name = input.names.front();
    return input.check();
}

QStringList ShowingCommand::paths() const
{
    QStringList paths;
    if (input.demo)
        paths << QString::fromStdString(resourceFolder("demo"));
    for (const std::string& path : input.paths)
        paths << QString::fromLocal8Bit(path.c_str());
    return paths;
}

/// Returns the runs to compare with the others, one path per run.
QStringList ShowingCommand::comparedPaths() const
{
    QStringList paths;
    for (const std::string& path : compared.tests)
        paths << QString::fromLocal8Bit(path.c_str());
    return paths;
}

class WindowCommand : public ShowingCommand
{
public:
    void declare() override
    {
        options.group("Window");
        ShowingCommand::declare();
    }
    int run(int& argc, char** argv) const override;
};

int WindowCommand::run(int& argc, char** argv) const
{
    qInstallMessageHandler(sayWithoutDisplay);
    QApplication application(argc, argv);
    qInstallMessageHandler(nullptr);
    if (!canWork())
        return NotWritten;
    QGuiApplication::setDesktopFileName(QStringLiteral("io.github.collscope.Collscope"));
    useLanguage();
    ThemeChoice chosen = theme;
    if (chosen == ThemeChoice::System)
        chosen = static_cast<ThemeChoice>(std::clamp(QSettings().value(QLatin1String(themeSetting)).toInt(),
                                                     0, static_cast<int>(ThemeChoice::Dark)));
    applyTheme(application, chosen);
    MainWindow window;
    window.show();
    if (const QStringList opened = paths(); !opened.isEmpty())
        window.openPaths(opened, input.load);
    for (const QString& path : comparedPaths())
        window.compareWith({path}, input.load);
    if (const auto place = parseLocation(QString::fromStdString(location)))
        window.goToLocation(*place);
    return QApplication::exec();
}

class ScreenshotCommand : public ShowingCommand
{
public:
    std::string file;
    QSize size{1680, 1010};
    double scale = 1.0;
    std::string tab; ///< title of the tab to show; empty: the default tab

    void declare() override;
    int run(int& argc, char** argv) const override;

private:
    Status setSize(const std::string& text);
};

void ScreenshotCommand::declare()
{
    options.group("Picture");
    options.text("-o,--output", file, "FILE", "PNG file to write").isRequired = true;
    options.custom("--size", "WxH", "Size of the window, e.g. 1680x1010",
                   [this](const std::string& text) { return setSize(text); });
    options.number("--scale", scale, 0.5, 4, "Device pixel ratio");
    options.text("--tab", tab, "TITLE", "Title of the tab to show, for instance Lateness");
    ShowingCommand::declare();
}

Status ScreenshotCommand::setSize(const std::string& text)
{
    const std::size_t x = std::min(text.find('x'), text.size());
    const auto width = numberOf<int>(std::string_view(text).substr(0, x));
    const auto height = numberOf<int>(std::string_view(text).substr(std::min(x + 1, text.size())));
    if (!width || !height || *width < 640 || *height < 400 || *width > 16384 || *height > 16384)
        return usageError("--size takes WIDTHxHEIGHT, at least 640x400, for instance 1680x1010, not '" + text
                          + "'.");
    size = QSize(*width, *height);
    return {};
}

int ScreenshotCommand::run(int& argc, char** argv) const
{
    // Must be set before the application is constructed, which reads both. A platform chosen by the user is
    // kept.
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    qputenv("QT_SCALE_FACTOR", QByteArray::number(scale));
    qInstallMessageHandler(sayWithoutDisplay);
    const QApplication application(argc, argv);
    qInstallMessageHandler(dropOffscreenChatter);
    if (!canWork())
        return NotWritten;
    useLanguage();
    return takeScreenshot({paths(), input.load, QString::fromLocal8Bit(file.c_str()), size, scale, theme,
                           parseLocation(QString::fromStdString(location)), QString::fromStdString(tab),
                           comparedPaths()});
}

} // namespace

std::unique_ptr<ProgramCommand> windowCommand()
{
    return std::make_unique<WindowCommand>();
}

std::unique_ptr<ProgramCommand> screenshotCommand()
{
    return std::make_unique<ScreenshotCommand>();
}

} // namespace collscope
