// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How the parts of a step look and are called, for bars and the overview.

#include "metrics/findings/finding.h"
#include "views/common/hatch.h"

#include <bitset>

namespace collscope {

using PartSet = std::bitset<partCount>;
/// The parts that have no number in the findings.
PartSet unknownParts(const Findings& findings);

/// "computing", "waiting for other ranks", ...
QString partLabel(Part part);
/// "61 %", "0.6 %".
QString partShareText(std::int64_t ns, std::int64_t wholeNs);
/// "computing 6.50 ms, 61 %; waiting for other ranks unknown; ...": all parts, for screen readers, tool tips
/// and copies.
QString partsText(const PartTimes& parts, PartSet unknown = {});

class PartFill
{
public:
    void paint(QPainter& painter, const QRect& box, Part part, const QPalette& palette);
    /// All parts side by side; their widths are their shares. Nothing if all are 0.
    void paintStack(QPainter& painter, const QRect& box, const PartTimes& parts, const QPalette& palette);

private:
    Hatch m_hatch;
};

} // namespace collscope
