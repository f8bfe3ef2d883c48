// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the cells of a hang's grid and the classes of its findings are called, wherever they are shown.

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

/// In the order of HangClass: what a finding is about, behind the names of the ranks.
constexpr std::array<std::string_view, static_cast<std::size_t>(HangClass::Order) + 1> hangClassLabels{
    "stopped on the CPU",
    "stopped on the GPU",
    "stopped on the CPU or the GPU",
    "no dump",
    "different operations in one call",
    "different sizes in one call",
    "different element types in one call",
    "an all-to-all whose ranks send other amounts than they receive",
    "sends and receives that wait for each other",
    "groups that are called in different orders"};
constexpr std::string_view hangClassLabel(HangClass own)
{
    return hangClassLabels[static_cast<std::size_t>(own)];
}

} // namespace collscope
