// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/parts/controller.h"
#include "views/common/location.h"

#include <optional>

namespace collscope {

class MatchController;
class RunController;

/// Goes to a location that the user named, and copies the current one.
class LocationController : public Controller
{
    Q_OBJECT

public:
    LocationController(WindowContext& context, const RunController& run, const MatchController& match);

    /// Goes there now, or as soon as the run being loaded is ready.
    void goToLocation(const Location& location);

private:
    /// Goes to the requested location, if there is one: the clocks, and so the axis, are known now.
    void goToWanted();
    void copy();

    const RunController& m_run;
    std::optional<Location> m_wanted; ///< pending until the clocks are known
};

} // namespace collscope
