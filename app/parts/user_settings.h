// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace collscope {

/// Whether a window uses stored settings: geometry, layout and recent runs.
enum class UserSettings
{
    Use,
    Ignore ///< neither read nor written: pictures and tests do not depend on the user
};

/// Settings key of the theme chosen in the View menu.
inline constexpr char themeSetting[] = "theme";

} // namespace collscope
