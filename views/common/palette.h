// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// The colours of kernel classes, shared by timeline, charts, tables and legends.

#include "metrics/analysis/serving_passes.h"
#include "metrics/idle/idle_cause.h"
#include "model/columns.h"
#include "model/kernels/kernel_class.h"

#include <QColor>
#include <QPalette>

#include <vector>

namespace collscope {

/// Cool hues for compute, a warm hue per communication type, neutral for copies; adapted to the lightness of
/// the palette.
QColor kernelColor(KernelClass kernelClass, const QPalette& palette);
/// Colour of a slice on a CPU thread: pale, so that it stays behind the kernels.
QColor cpuColor(SliceCategory category, const QPalette& palette);
/// Colour of a gap on the lane of a rank; grey if nothing on the CPU is to blame.
QColor idleCauseColor(IdleCause cause, const QPalette& palette);
/// Colour of a pass of an inference server: pale hues that no kernel class uses. Precondition: not None.
QColor passColor(PassKind kind, const QPalette& palette);
/// Black or white, whichever has the higher contrast (at least 4.5 : 1) on a background.
QColor textOn(const QColor& background);
/// Colours of TX and RX in NVLink charts.
QColor txColor(const QPalette& palette);
QColor rxColor(const QPalette& palette);
/// Maximum number of separate lines for links (TX in cool hues, RX in warm hues) or for a group of counters.
constexpr std::size_t linkColorCount = 6;
QColor linkTxColor(std::size_t place, const QPalette& palette);
QColor linkRxColor(std::size_t place, const QPalette& palette);
/// Colour of a line in a chart without directions; linkColorCount x 2 different ones.
QColor lineColor(std::size_t place, const QPalette& palette);
/// Colour of a lateness from 0 to 1: one hue in perceptually even steps, from near the background to strong.
QColor latenessColor(double share, const QPalette& palette);
/// Colour of a rank that is on time, or no later than the clock error.
QColor onTimeColor(const QPalette& palette);
/// Colour of the hatching where data is missing.
QColor absentColor(const QPalette& palette);
/// The classes in the legend, in order.
const std::vector<KernelClass>& legendClasses();

} // namespace collscope
