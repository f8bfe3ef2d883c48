// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/palette.h"

#include "views/theme.h"

#include <cmath>

namespace collscope {

namespace {

struct Shade
{
    QRgb light, dark;
};

Shade shadeOf(KernelClass kernelClass)
{
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
    case KernelClass::AllReduce:
        return {0xffcf4b5b, 0xffe8697a};
    case KernelClass::AllGather:
        return {0xffe0892b, 0xfff0a04b};
    case KernelClass::ReduceScatter:
        return {0xffc7a02a, 0xffd9b54a};
    case KernelClass::AllToAll:
        return {0xffb1547c, 0xffcf7399};
    case KernelClass::SendRecv:
    case KernelClass::Broadcast:
    case KernelClass::Reduce:
    case KernelClass::OtherCommunication:
        return {0xff8c5f33, 0xffb08457};
    case KernelClass::Copy:
    case KernelClass::Memset:
        return {0xff8d939c, 0xff8d939c};
    case KernelClass::None:
        break;
    }
    return {0xffc9d1da, 0xff4d5763}; // CPU work stays in the background
}

/// Relative luminance of WCAG 2.
double luminance(const QColor& color)
{
    const auto linear = [](double channel) {
        return channel <= 0.03928 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

} // namespace

QColor kernelColor(KernelClass kernelClass, const QPalette& palette)
{
    const Shade shade = shadeOf(kernelClass);
    return QColor::fromRgb(isDark(palette) ? shade.dark : shade.light);
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

const std::vector<KernelClass>& legendClasses()
{
    static const std::vector<KernelClass> classes{
        KernelClass::Gemm,      KernelClass::Attention, KernelClass::Elementwise,
        KernelClass::Norm,      KernelClass::Optimizer, KernelClass::OtherCompute,
        KernelClass::AllReduce, KernelClass::AllGather, KernelClass::ReduceScatter,
        KernelClass::AllToAll,  KernelClass::SendRecv,  KernelClass::Copy};
    return classes;
}

} // namespace collscope
