// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/plots/plot_canvas.h"

#include "views/common/palette.h"

#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>

namespace collscope {

QPalette lightPalette()
{
    QPalette palette;
    palette.setColor(QPalette::Window, Qt::white);
    palette.setColor(QPalette::WindowText, Qt::black);
    return palette;
}

QFont textFont(double pointSize, QFont::Weight weight)
{
    const bool hasInter = QFontDatabase::families().contains(QStringLiteral("Inter"));
    QFont font(hasInter ? QStringLiteral("Inter") : QStringLiteral("DejaVu Sans"));
    font.setPixelSize(qRound(pointSize)); // a point of the page is one pixel before scaling
    font.setWeight(weight);
    return font;
}

QString tickText(double value, double step)
{
    const int digits = step > 0 ? std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 9) : 0;
    QString text = QLocale::c().toString(value, 'f', digits);
    if (std::abs(value) < 10000)
        return text;
    qsizetype end = text.indexOf(u'.');
    if (end < 0)
        end = text.size();
    for (qsizetype at = end - 3; at > (value < 0 ? 1 : 0); at -= 3)
        text.insert(at, QChar(0x2009));
    return text;
}

std::vector<double> niceTicks(double low, double high, int most, bool wholeNumbers)
{
    const double rough = std::max(high - low, 1e-300) / std::max(most, 1);
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    double step = 10 * power;
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= rough * (1 - 1e-9)) {
            step = factor * power;
            break;
        }
    }
    if (wholeNumbers)
        step = std::max(1.0, std::round(step));
    std::vector<double> ticks;
    for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k)
        ticks.push_back(k * step + 0.0); // + 0.0 turns -0 into 0
    return ticks;
}

QColor seriesColor(std::size_t index)
{
    // Alternate warm and cool colours, so that neighbours differ; omit the greys of other compute and copies.
    static constexpr std::array classes{
        KernelClass::Gemm,        KernelClass::AllReduce, KernelClass::Optimizer, KernelClass::AllGather,
        KernelClass::Attention,   KernelClass::AllToAll,  KernelClass::Norm,      KernelClass::ReduceScatter,
        KernelClass::Elementwise, KernelClass::SendRecv};
    return kernelColor(classes[index % classes.size()], lightPalette());
}

} // namespace collscope
