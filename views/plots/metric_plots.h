// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Plots of NVLink counters, of a metric, and of metrics over profiler iterations.

#include "metrics/core/metric.h"
#include "views/plots/plot_page.h"

#include <utility>

namespace collscope {

/// Plot options, the same as those of CCL-Bench's nvlink_plotting.
struct PlotOptions
{
    bool linear = false; ///< NVLink: a linear axis instead of a logarithmic one
    bool combined = false; ///< NVLink: both directions in one picture
    QString title; ///< empty: the default title
    std::optional<double> widthInches, heightInches;
};

/// A picture and its file name, without folder.
using NamedPlot = std::pair<QString, PlotPage>;

/// Throughput of each link over time, one picture per direction or both combined:
/// `nvlink_throughput_<tx|rx|combined>_<link<N>|all_links>[_log].png`. Link, direction and GPU come from the
/// metric options. Empty if the run has no matching samples.
std::vector<NamedPlot> nvlinkPlots(const TraceModel& model, const MetricOptions& options,
                                   const PlotOptions& wanted);

/// A metric's value per rank and per step, and its tables as bars; `run` is the name of the run. No plots if
/// the result has neither.
PlotPage metricPlot(const MetricRequest& request, const MetricResult& result, const QString& run,
                    const PlotOptions& wanted);

/// A result of one of several runs.
struct LabelledResult
{
    QString run;
    const MetricResult* result = nullptr;
};
/// Compares one metric across runs: a bar per run, then the values over ranks and steps with a line per run.
/// No plots if no run has a value.
PlotPage runsPlot(const MetricRequest& request, const std::vector<LabelledResult>& runs,
                  const PlotOptions& wanted);

/// Values of one metric over the profiler iterations of a run.
struct MetricHistory
{
    std::string_view id; ///< metric id
    std::string part; ///< name of a share ("dp"); empty: the scalar
    std::vector<QPointF> points; ///< iteration (or index of the run), value
    std::string run = {}; ///< name of the run, if there are several
};
/// Ids of the metrics that iterationPlots() draws.
std::vector<std::string_view> iterationPlotMetrics();
/// Draws iter_time.png, throughput.png, ... for the available histories, with reference lines at values
/// generally considered good, and summary_dashboard.png with all of them. `runs`: names of the runs if each
/// point belongs to a different run.
std::vector<NamedPlot> iterationPlots(const std::vector<MetricHistory>& histories, const QString& run,
                                      const PlotOptions& wanted, const QStringList& runs = {});

} // namespace collscope
