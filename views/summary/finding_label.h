// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Findings in a few words and a colour, for tables and cards. Finding::title is the whole sentence.

#include "metrics/findings/finding.h"

#include <QColor>
#include <QPalette>
#include <QString>

namespace collscope {

/// "The others wait for rank 7: slower kernels", "GPU idle: the CPU waits for input data, mostly aten::to". A
/// finding that is not about time mostly keeps its sentence.
QString findingLabel(const Finding& finding);
/// A cause of idle time in two or three words: "data loading". idleCauseText() is the whole sentence.
QString idleCauseLabel(IdleCause cause);
/// How much a share of the step matters, as a colour.
QColor severityColor(double share, const QPalette& palette);

} // namespace collscope
