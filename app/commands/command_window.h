// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The window, which opens without --batch, and the command screenshot. Both need collscope-window.

#include "app/cli/command_input.h"
#include "app/commands/command_compare.h"
#include "model/queries/location_text.h"
#include "views/common/theme_choice.h"

namespace collscope {

/// What window and screenshot have in common.
class ShowingCommand : public ProgramCommand
{
public:
    RunInput input;
    ComparedRuns compared; ///< in the window: a run and others to compare with it
    std::optional<Location> location; ///< initial location; nullopt: the default view of the window
    ThemeChoice theme = ThemeChoice::System;

    void declare() override;
    Status check() override;
    bool needsWindow() const final { return true; }

    /// The paths of the run, the demo included.
    std::vector<std::string> paths() const;

private:
    Status setLocation(const std::string& text);
};

class WindowCommand : public ShowingCommand
{
public:
    void declare() override;
    int run() const override;
};

class ScreenshotCommand : public ShowingCommand
{
public:
    std::string file;
    int width = 1680, height = 1010; ///< of the window, in device-independent pixels
    double scale = 1.0; ///< device pixel ratio
    std::string tab; ///< title of the tab to show; empty: the default tab

    void declare() override;
    int run() const override;

private:
    Status setSize(const std::string& text);
};

} // namespace collscope
