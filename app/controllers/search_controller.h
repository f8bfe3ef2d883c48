// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobs/slice_finder.h"
#include "app/parts/controller.h"

class QToolBar;

namespace collscope {

class SearchBar;
class SearchResults;
class TimelineView;

/// Searches slices for the search line of the toolbar and the tab "Search".
class SearchController : public Controller
{
    Q_OBJECT

public:
    explicit SearchController(WindowContext& context);

    SearchResults* view() const { return m_results; }
    /// Adds the search line, where Escape leads back to the timeline, and enables the commands.
    void addLine(QToolBar& bar, TimelineView& timeline);
    void ask(const SliceQuestion& question);
    /// Clears the search line; false if it was empty.
    bool clear();
    bool isComputing() const override { return m_finder.isRunning(); }

private:
    void connectCommands();
    void updateCommands();
    void findSame();
    void listSelectedRange();

    SliceFinder m_finder;
    SearchResults* m_results;
    SearchBar* m_line = nullptr;
};

} // namespace collscope
