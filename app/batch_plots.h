// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// The pictures of --batch: PNG files painted without a display.

#include "app/command_line.h"
#include "metrics/export/written_report.h"
#include "views/plots/metric_plots.h"

namespace collscope {

inline constexpr const char* noFontSentence
    = "no font is installed, so no text can be painted; install fonts-dejavu-core.";
/// True if text can be painted; else a sentence on stderr.
bool canPaint();
/// A page as PNG; empty if it could not be painted.
QByteArray pngOf(const PlotPage& page);
/// Paints and writes one PNG. False, with a sentence on stderr, if that fails.
bool writePlot(const std::string& path, const PlotPage& page);
PlotOptions plotOptions(const BatchOutputs& outputs);
/// --plot: each result as a picture; names the files on stderr. An exit code: NotAvailable if there was
/// nothing to draw.
int plotResults(const CommandLine& command, const TraceModel& model, const std::vector<NamedResult>& results);
/// The same for several runs side by side, which were asked for the same metrics.
int plotRuns(const CommandLine& command, const std::vector<RunResults>& runs);

} // namespace collscope
