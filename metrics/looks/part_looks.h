// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the parts of a step are called and how they look, wherever they are shown.

#include "metrics/looks/shades.h"
#include "metrics/partition/part_times.h"

namespace collscope {

/// In the order of Part. partName() gives the words of the JSON.
constexpr std::array<std::string_view, partCount> partLabels{
    "computing", "exposed communication", "waiting for other ranks", "exposed copies", "idle"};
constexpr std::string_view partLabelOf(Part part)
{
    return partLabels[static_cast<std::size_t>(part)];
}
/// The kernels that a part has its colour from. None: idle time, which is not work, has the colour of lines.
/// Waiting is hatched in its colour.
constexpr KernelClass partHue(Part part)
{
    switch (part) {
    case Part::Compute:
        return KernelClass::Gemm;
    case Part::Communication:
        return KernelClass::AllGather;
    case Part::Waiting:
        return KernelClass::AllReduce;
    case Part::Copy:
        return KernelClass::Copy;
    case Part::Idle:
        break;
    }
    return KernelClass::None;
}
/// The colour of partHue(), or that of lines.
Shade partShade(Part part);

} // namespace collscope
