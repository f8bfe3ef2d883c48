// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Colours as numbers, each for a light and a dark background. A colour is 0xAARRGGBB.

#include "model/kernels/kernel_class.h"

#include <cstdint>

namespace collscope {

struct Shade
{
    std::uint32_t light = 0, dark = 0;
};

/// Cool hues for compute, a warm hue per communication type, neutral for copies; the same hue for all types
/// that are rare.
Shade kernelShade(KernelClass kernelClass);
/// A lateness from 0 to 1: one hue in perceptually even steps, from near the background to strong.
Shade latenessShade(double share);
/// A rank that is on time, or no later than the clock error.
constexpr Shade onTimeShade{0xffe6eaee, 0xff272d34};
/// A cell without data.
constexpr Shade absentShade{0xffdde1e6, 0xff323941};

/// What is not a colour of data.
struct SurfaceShades
{
    std::uint32_t window, base, line, grid, text, dimText, accent, selection, better, worse, warning;
};
constexpr SurfaceShades lightSurfaces{0xfff3f4f6, 0xffffffff, 0xffdcdfe4, 0xffeceef1, 0xff1d232b, 0xff6c7683,
                                      0xff2067c9, 0xffdbe8fb, 0xff1f8a62, 0xffc0392f, 0xffb7791f};
constexpr SurfaceShades darkSurfaces{0xff1b1e23, 0xff14171b, 0xff2c323a, 0xff242a31, 0xffe3e7ec, 0xff8b95a1,
                                     0xff5aa2ff, 0xff2a3b55, 0xff57b894, 0xffe8697a, 0xffd9b54a};

/// Black or white, whichever has the higher contrast (at least 4.5 : 1) on a background.
std::uint32_t inkOn(std::uint32_t background);

/// A colour in Ottosson's Oklab space, in which equal distances look equal. Hue in radians.
std::uint32_t shadeFromOklch(double lightness, double chroma, double hue);

} // namespace collscope
