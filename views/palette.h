// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// The colour of each kernel class, the same in timeline, charts, tables and legends.

#include "metrics/serving_passes.h"
#include "model/kernel_class.h"

#include <QColor>
#include <QPalette>

#include <vector>

namespace collscope {

/// Computing in cool hues, communication by type in warm ones, copies neutral; for the palette's lightness.
QColor kernelColor(KernelClass kernelClass, const QPalette& palette);
/// Passes of an inference server: pale hues that no kernel has. Precondition: not None.
QColor passColor(PassKind kind, const QPalette& palette);
/// Black or white text with a contrast of at least 4.5 : 1 on a background, whichever is higher.
QColor textOn(const QColor& background);
/// TX and RX of NVLink charts.
QColor txColor(const QPalette& palette);
QColor rxColor(const QPalette& palette);
/// As many lines as are shown of single links (TX in cool hues, RX in warm ones) or of a group of counters.
constexpr std::size_t linkColorCount = 6;
QColor linkTxColor(std::size_t place, const QPalette& palette);
QColor linkRxColor(std::size_t place, const QPalette& palette);
/// Lines of a picture without directions, linkColorCount x 2 of them.
QColor lineColor(std::size_t place, const QPalette& palette);
/// How late a rank came, 0 ... 1: one hue, in steps that look equal, from near the background to strong.
QColor latenessColor(double share, const QPalette& palette);
/// On time, or no later than the clocks can tell.
QColor onTimeColor(const QPalette& palette);
/// Hatching where there is nothing to show.
QColor absentColor(const QPalette& palette);
/// The classes a legend lists, in order.
const std::vector<KernelClass>& legendClasses();

} // namespace collscope
