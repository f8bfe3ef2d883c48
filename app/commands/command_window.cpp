// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/commands/command_window.h"

#include "app/commands/window_program.h"
#include "app/files/resources.h"

#include <algorithm>

namespace collscope {

void ShowingCommand::declare()
{
    options.custom("--goto", "LOCATION",
                   "Open at a location: run@rank:track:begin-end in ns, as copied by Edit > Copy location",
                   [this](const std::string& text) { return setLocation(text); });
    options.choice(
        "--theme", theme,
        {{"light", ThemeChoice::Light}, {"dark", ThemeChoice::Dark}, {"system", ThemeChoice::System}},
        "Colours of the window");
    compared.declare(options);
    input.declare(options);
}

Status ShowingCommand::setLocation(const std::string& text)
{
    location = parseLocation(text);
    if (!location)
        return usageError("--goto " + text + ": expected run@rank:track:begin-end or run@begin-end, in ns.");
    return {};
}

Status ShowingCommand::check()
{
    if (Status checked = compared.check(input); !checked)
        return checked;
    if (compared.areNamed())
        input.paths = {compared.baseline};
    if (!input.names.empty())
        input.load.given.name = input.names.front();
    return input.check();
}

std::vector<std::string> ShowingCommand::paths() const
{
    std::vector<std::string> paths = input.paths;
    if (input.demo)
        paths.insert(paths.begin(), resourceFolder("demo"));
    return paths;
}

void WindowCommand::declare()
{
    options.group("Window");
    ShowingCommand::declare();
}

int WindowCommand::run() const
{
    return window->openWindow(*this);
}

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
    const auto newWidth = numberOf<int>(std::string_view(text).substr(0, x));
    const auto newHeight = numberOf<int>(std::string_view(text).substr(std::min(x + 1, text.size())));
    if (!newWidth || !newHeight || *newWidth < 640 || *newHeight < 400 || *newWidth > 16384
        || *newHeight > 16384)
        return usageError("--size takes WIDTHxHEIGHT, at least 640x400, for instance 1680x1010, not '" + text
                          + "'.");
    width = *newWidth;
    height = *newHeight;
    return {};
}

int ScreenshotCommand::run() const
{
    return window->takeScreenshot(*this);
}

std::unique_ptr<ProgramCommand> windowCommand()
{
    return std::make_unique<WindowCommand>();
}

std::unique_ptr<ProgramCommand> screenshotCommand()
{
    return std::make_unique<ScreenshotCommand>();
}

} // namespace collscope
