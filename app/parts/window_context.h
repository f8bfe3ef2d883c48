// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the controllers of one run window share.

#include "app/parts/user_settings.h"
#include "app/parts/window_parts.h"
#include "model/readers/run/trace_directory.h"
#include "views/state/view_state.h"

#include <memory>
#include <optional>

namespace collscope {

class Actions;

/// Paths to open, and how.
struct RunRequest
{
    QStringList paths;
    LoadOptions options;
};

/// Which run a window shows. RunController and MatchController write it.
struct OpenRun
{
    RunRequest opened; ///< the current run
    RunRequest pending; ///< being loaded; becomes `opened` when loaded
    bool isPreview = false; ///< the current model is only a part of the run being loaded
    bool isMatching = false; ///< its collectives are being matched, so its clocks are not known yet
    std::optional<double> loadSeconds;
};

/// Outlives the controllers. The window sets the pointers before it creates the controllers that use them.
struct WindowContext
{
    WindowContext(QMainWindow& parent, UserSettings settingsUsed);
    ~WindowContext();
    WindowContext(const WindowContext&) = delete;
    WindowContext& operator=(const WindowContext&) = delete;

    /// Brings a tab of the bottom panel to the front. Returns false for a tab that is hidden because it has
    /// nothing to show of the run.
    bool chooseTab(QWidget* content) const;
    /// Chooses a tab, and opens the panel if it was closed.
    void showTab(QWidget* content) const;
    /// Shows a temporary notice in the status bar.
    void tell(const QString& text) const { tellInPassing(bar, text); }

    QMainWindow& window; ///< parent of dialogs
    const UserSettings settings;
    ViewState state;
    OpenRun run;
    std::unique_ptr<Actions> actions;
    Banner* banner = nullptr;
    WorkBar bar;
    QTabWidget* tabs = nullptr; ///< of the bottom panel
};

} // namespace collscope
