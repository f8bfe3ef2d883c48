// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace collscope {

/// Colours of the window. Without Qt, for the command line.
enum class ThemeChoice
{
    System,
    Light,
    Dark
};

} // namespace collscope
