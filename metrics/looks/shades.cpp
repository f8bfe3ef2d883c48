// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/looks/shades.h"

#include "model/kernels/collective_traits.h"

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {

/// Relative luminance as defined by WCAG 2.
double luminanceOf(std::uint32_t color)
{
    const auto linear = [&](unsigned shift) {
        const double channel = static_cast<double>(color >> shift & 0xFFU) / 255;
        return channel <= 0.03928 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(16) + 0.7152 * linear(8) + 0.0722 * linear(0);
}

} // namespace

std::uint32_t inkOn(std::uint32_t background)
{
    const double level = luminanceOf(background);
    const double withWhite = 1.05 / (level + 0.05);
    const double withBlack = (level + 0.05) / 0.05;
    return withWhite > withBlack ? 0xffffffff : 0xff101419;
}

Shade kernelShade(KernelClass kernelClass)
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

Shade latenessShade(double share)
{
    constexpr double hue = 0.56; // a warm red, like waiting in the timeline
    const double at = std::clamp(share, 0.0, 1.0);
    return {shadeFromOklch(0.90 - 0.50 * at, 0.05 + 0.12 * at, hue),
            shadeFromOklch(0.34 + 0.46 * at, 0.055 + 0.105 * at, hue)};
}

std::uint32_t shadeFromOklch(double lightness, double chroma, double hue)
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
        return static_cast<std::uint32_t>(std::lround(encoded * 255));
    };
    const std::uint32_t red = channel(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
    const std::uint32_t green = channel(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
    const std::uint32_t blue = channel(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s);
    return 0xff000000U | red << 16U | green << 8U | blue;
}

} // namespace collscope
