// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The style of a page, and the names of the colours in it. The colours are those of the window
// (metrics/looks).

#include "metrics/partition/part_times.h"
#include "model/kernels/kernel_class.h"

#include <string>

namespace collscope {

/// Classes of the style that fill a shape with a colour.
std::string_view partLook(Part part);
std::string_view kernelLook(KernelClass kernelClass);
/// Of text on that colour.
std::string_view kernelInk(KernelClass kernelClass);
constexpr std::size_t latenessLooks = 10;
/// `position`: on the scale of lateness, 0 to 1.
std::string_view latenessLook(double position);

/// The content of <style>.
std::string pageStyle();
/// Patterns that the style refers to, as an SVG that takes no room.
std::string pagePatterns();

} // namespace collscope
