// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What shows events, and has nothing to show where a run was merged from summaries.

#include "app/parts/controller.h"

namespace collscope {

class SearchBar;

/// Hides the tabs that need events, and disables the commands that do, as long as the run has none.
class EventsOnly : public Controller
{
    Q_OBJECT

public:
    EventsOnly(WindowContext& context, SearchBar& search);

private:
    void update();

    SearchBar& m_search;
};

} // namespace collscope
