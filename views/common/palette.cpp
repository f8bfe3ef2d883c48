// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/common/palette.h"

#include "model/kernels/collective_traits.h"
#include "views/common/theme.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

namespace collscope {

namespace {

struct Shade
{
    QRgb light, dark;
};

Shade shadeOf(KernelClass kernelClass)
{
    if (const CollectiveTraits* const traits = collectiveTraits(kernelClass))
        return {traits->lightColor, traits->darkColor};
    switch (kernelClass) {
    case KernelClass::Gemm:
        return {0xff3f6fb5, 0xff5b8fd9};
    case KernelClass::Attention:
        return {0xff4f9fc4, 0xff5cb5d8};
    case KernelClass::Elementwise:
        return {0xff93b9de, 0xff7d9fc4};
    case KernelClass::Norm:
        return {0xff7f8ed0, 0xff929fe0};
    case KernelClass::Optimizer:
        return {0xff4f9b8b, 0xff5db3a1};
    case KernelClass::OtherCompute:
        return {0xffa9b7c6, 0xff76838f};
    case KernelClass::Copy:
    case KernelClass::Memset:
        return {0xff8d939c, 0xff8d939c};
    default:
        break;
    }
    return {0xffc9d1da, 0xff4d5763}; // CPU work stays in the background
}

/// Relative luminance as defined by WCAG 2.
double luminance(const QColor& color)
{
    const auto linear = [](double channel) {
        return channel <= 0.03928 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

/// A colour in Ottosson's Oklab space, in which equal distances look equal. Hue in radians.
QColor fromOklch(double lightness, double chroma, double hue)
{
    const double a = chroma * std::cos(hue);
    const double b = chroma * std::sin(hue);
    const double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
    const double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
    const double s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
    const auto channel = [](double linear) {
        linear = std::clamp(linear, 0.0, 1.0);
        const double encoded
            = linear <= 0.0031308 ? linear * 12.92 : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
        return static_cast<int>(std::lround(encoded * 255));
    };
    return {channel(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
            channel(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
            channel(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
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
    const Shade shade = shadeOf(kernelClass);
    return QColor::fromRgb(isDark(palette) ? shade.dark : shade.light);
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
    const double level = luminance(background);
    const double withWhite = 1.05 / (level + 0.05);
    const double withBlack = (level + 0.05) / 0.05;
    return withWhite > withBlack ? QColor(Qt::white) : QColor(0x10, 0x14, 0x19);
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
    constexpr double hue = 0.56; // a warm red, like waiting in the timeline
    const double at = std::clamp(share, 0.0, 1.0);
    return isDark(palette) ? fromOklch(0.34 + 0.46 * at, 0.055 + 0.105 * at, hue)
                           : fromOklch(0.90 - 0.50 * at, 0.05 + 0.12 * at, hue);
}

QColor onTimeColor(const QPalette& palette)
{
    return QColor::fromRgb(isDark(palette) ? 0xff272d34 : 0xffe6eaee);
}

QColor absentColor(const QPalette& palette)
{
    return QColor::fromRgb(isDark(palette) ? 0xff323941 : 0xffdde1e6);
}

const std::vector<KernelClass>& legendClasses()
{
    static const std::vector<KernelClass> classes = [] {
        std::vector<KernelClass> shown{KernelClass::Gemm, KernelClass::Attention, KernelClass::Elementwise,
                                       KernelClass::Norm, KernelClass::Optimizer, KernelClass::OtherCompute};
        for (const CollectiveTraits& type : allCollectiveTraits()) {
            const Shade last = shadeOf(shown.back()); // types with the same colour share an entry
            if (type.lightColor != last.light)
                shown.push_back(type.kernelClass);
        }
        shown.push_back(KernelClass::Copy);
        return shown;
    }();
    return classes;
}

} // namespace collscope
