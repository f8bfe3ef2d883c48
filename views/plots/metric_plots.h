// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// What to plot of NVLink counters, of a metric, and of metrics over profiler iterations.

#include "metrics/metric.h"
#include "views/plots/plot_page.h"

#include <utility>

namespace collscope {

/// How a person wants the pictures: the options of CCL-Bench's nvlink_plotting.
struct PlotOptions
{
    bool linear = false; ///< NVLink: a linear axis instead of a logarithmic one
    bool combined = false; ///< NVLink: both directions in one picture
    QString title; ///< empty: the picture's own
    std::optional<double> widthInches, heightInches;
};

/// A picture and the name of its file, without folder.
using NamedPlot = std::pair<QString, PlotPage>;

/// Throughput of each link over time, one picture per direction or one of both:
/// `nvlink_throughput_<tx|rx|combined>_<link<N>|all_links>[_log].png`. Link, direction and GPU are those of
/// the metric options. Empty where the run has no such samples.
std::vector<NamedPlot> nvlinkPlots(const TraceModel& model, const MetricOptions& options,
                                   const PlotOptions& wanted);

/// A metric's value per rank and per step, and its tables as bars; `run` names the run. No plots if the
/// result has neither.
PlotPage metricPlot(const MetricRequest& request, const MetricResult& result, const QString& run,
                    const PlotOptions& wanted);

/// The result of one of several runs.
struct LabelledResult
{
    QString run;
    const MetricResult* result = nullptr;
};
/// One metric of several runs side by side: a bar for each run, then its values over ranks and steps with a
/// line for each run. No plots where no run has a value.
PlotPage runsPlot(const MetricRequest& request, const std::vector<LabelledResult>& runs,
                  const PlotOptions& wanted);

/// Numbers of one metric over the profiler iterations of a run.
struct MetricHistory
{
    std::string_view id; ///< of the metric
    std::string part; ///< a share of it ("dp"); empty: the metric's scalar
    std::vector<QPointF> points; ///< iteration (or place of the run), value
    std::string run = {}; ///< one of several
};
/// The ids whose histories iterationPlots() draws.
std::vector<std::string_view> iterationPlotMetrics();
/// iter_time.png, throughput.png, ... for those histories that are there, with lines at what the field calls
/// good, and summary_dashboard.png of all of them. `runs`: where the points are of several runs, one of each,
/// what these are called.
std::vector<NamedPlot> iterationPlots(const std::vector<MetricHistory>& histories, const QString& run,
                                      const PlotOptions& wanted, const QStringList& runs = {});

} // namespace collscope
