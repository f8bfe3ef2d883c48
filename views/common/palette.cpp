// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/common/palette.h"

#include "metrics/looks/shades.h"
#include "model/kernels/collective_traits.h"
#include "views/common/theme.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

namespace collscope {

namespace {

QColor colorOf(const Shade& shade, const QPalette& palette)
{
    return QColor::fromRgb(isDark(palette) ? shade.dark : shade.light);
}

/// As shadeFromOklch().
QColor fromOklch(double lightness, double chroma, double hue)
{
    return QColor::fromRgb(shadeFromOklch(lightness, chroma, hue));
}

/// Colour of a thin line, with a contrast of 3 : 1 against the base; every second one is lighter.
QColor lineShade(double hue, std::size_t place, const QPalette& palette)
{
    const bool isLighter = place % 2 == 1;
    return isDark(palette) ? fromOklch(isLighter ? 0.84 : 0.70, 0.13, hue)
                           : fromOklch(isLighter ? 0.64 : 0.48, 0.13, hue);
}

} // namespace

QColor kernelColor(KernelClass kernelClass, const QPalette& palette)
{
    return colorOf(kernelShade(kernelClass), palette);
}

QColor cpuColor(SliceCategory category, const QPalette& palette)
{
    struct Hue
    {
        SliceCategory category;
        double hue;
    };
    constexpr Hue hues[]
        = {{SliceCategory::Python, 5.2},         {SliceCategory::CpuOp, 4.2}, {SliceCategory::Runtime, 1.3},
           {SliceCategory::UserAnnotation, 2.7}, {SliceCategory::Nvtx, 2.7},  {SliceCategory::Overhead, 0.4}};
    const auto found = std::find_if(std::begin(hues), std::end(hues),
                                    [&](const Hue& hue) { return hue.category == category; });
    if (found == std::end(hues))
        return kernelColor(KernelClass::None, palette);
    return isDark(palette) ? fromOklch(0.44, 0.05, found->hue) : fromOklch(0.87, 0.05, found->hue);
}

QColor idleCauseColor(IdleCause cause, const QPalette& palette)
{
    constexpr double none = -1; // nothing on the CPU is to blame
    constexpr std::array<double, idleCauseCount> hues{
        5.2, // Synchronises: violet
        0.4, // Allocates: red
        2.5, // LoadsData: green
        3.4, // Compiles: teal
        5.9, // CollectsGarbage: pink
        4.6, // Profiles: blue violet
        1.9, // Saves: olive
        0.9, // WaitsForRanks: orange
        3.0, // CopiesFromHost: green blue
        1.2, // CpuBound: amber
        4.1, // WaitsOnStream: blue
        1.6, // Waits: ochre
        none, none, none, none}; // Outside, NotRecorded, LaunchOverhead, Unexplained
    const double hue = hues[static_cast<std::size_t>(cause)];
    const double chroma = hue == none ? 0 : 0.13;
    return isDark(palette) ? fromOklch(0.70, chroma, hue) : fromOklch(0.58, chroma, hue);
}

QColor passColor(PassKind kind, const QPalette& palette)
{
    assert(kind != PassKind::None);
    constexpr double rose = 6.1, sand = 1.6, olive = 2.2;
    const double hue = kind == PassKind::Prefill ? rose : kind == PassKind::Mixed ? sand : olive;
    return isDark(palette) ? fromOklch(0.48, 0.075, hue) : fromOklch(0.86, 0.065, hue);
}

QColor textOn(const QColor& background)
{
    return QColor::fromRgb(inkOn(background.rgb()));
}

QColor txColor(const QPalette& palette)
{
    return surfaces(palette).accent;
}

QColor rxColor(const QPalette& palette)
{
    return QColor::fromRgb(isDark(palette) ? 0xffc4935c : 0xff8c5f33);
}

QColor linkTxColor(std::size_t place, const QPalette& palette)
{
    // Adjacent indices differ in hue and lightness, because the links of a balanced run overlap.
    static constexpr std::array<double, linkColorCount> hues{4.45, 3.15, 5.25, 4.15, 2.75, 5.50};
    return lineShade(hues[place % linkColorCount], place, palette);
}

QColor linkRxColor(std::size_t place, const QPalette& palette)
{
    static constexpr std::array<double, linkColorCount> hues{0.90, 0.00, 1.75, 0.90, 6.05, 1.85};
    return lineShade(hues[place % linkColorCount], place, palette);
}

QColor lineColor(std::size_t place, const QPalette& palette)
{
    return place % 2 == 0 ? linkTxColor(place / 2, palette) : linkRxColor(place / 2, palette);
}

QColor latenessColor(double share, const QPalette& palette)
{
    return colorOf(latenessShade(share), palette);
}

QColor onTimeColor(const QPalette& palette)
{
    return colorOf(onTimeShade, palette);
}

QColor absentColor(const QPalette& palette)
{
    return colorOf(absentShade, palette);
}

const std::vector<KernelClass>& legendClasses()
{
    static const std::vector<KernelClass> classes = [] {
        std::vector<KernelClass> shown{KernelClass::Gemm, KernelClass::Attention, KernelClass::Elementwise,
                                       KernelClass::Norm, KernelClass::Optimizer, KernelClass::OtherCompute};
        for (const CollectiveTraits& type : allCollectiveTraits()) {
            const Shade last = kernelShade(shown.back()); // types with the same colour share an entry
            if (type.lightColor != last.light)
                shown.push_back(type.kernelClass);
        }
        shown.push_back(KernelClass::Copy);
        return shown;
    }();
    return classes;
}

} // namespace collscope
