// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the cells of a hang's grid are called, wherever they are shown.

#include "metrics/hang/hang_grid.h"

#include <array>

namespace collscope {

constexpr std::size_t hangCellCount = static_cast<std::size_t>(HangCell::Unknown) + 1;
/// In the order of HangCell.
constexpr std::array<std::string_view, hangCellCount> hangCellLabels{
    "not called",
    "inside the call: the CPU has not returned from it",
    "called, not finished",
    "started on the GPU, not finished",
    "finished",
    "called with arguments that do not fit",
    "not known"};
constexpr std::string_view hangCellLabel(HangCell cell)
{
    return hangCellLabels[static_cast<std::size_t>(cell)];
}

} // namespace collscope
