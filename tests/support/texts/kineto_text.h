// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A Kineto trace written event by event where a test checks it, loaded through the real readers. Times in us.

#include "metrics/core/metric.h"
#include "model/trace_model.h"

#include <map>
#include <string>
#include <string_view>

namespace collscope {

class KinetoText
{
public:
    explicit KinetoText(int rank = 0, int worldSize = 1, std::string gpu = "NVIDIA A100-SXM4-80GB");

    void annotation(std::string_view name, int thread, double start, double duration);
    void cpuOp(std::string_view name, int thread, double start, double duration);
    void python(std::string_view name, int thread, double start, double duration);
    /// Work of the profiler itself.
    void overhead(std::string_view name, int thread, double start, double duration);
    /// A launch of half a microsecond; answers its correlation.
    int launch(int thread, double start);
    /// Any call of the runtime; answers its correlation.
    int call(std::string_view name, int thread, double start, double duration);
    /// A kernel; correlation 0 = none.
    void kernel(std::string_view name, int stream, double start, double duration, int correlation);
    /// A communication kernel with its arguments: 1000 BFloat16 elements in a group of two ranks.
    void collective(std::string_view name, std::string_view description, int stream, double start,
                    double duration, int correlation);
    void copy(int stream, double start, double duration);
    /// Any GPU work, by its category in the file ("gpu_memset"); correlation 0 = none.
    void work(std::string_view category, std::string_view name, int stream, double start, double duration,
              int correlation);
    /// The ac2g arrow of a correlation; `ends` = false: only its start.
    void link(int correlation, int thread, double from, int stream, double to, bool ends = true);
    void arrow(std::string_view kind, int fromThread, double from, int toThread, double to);
    /// A workload card beside the trace.
    void card(std::string text) { m_files["workload_card.yaml"] = std::move(text); }
    void toml(std::string text) { m_files["train_config.toml"] = std::move(text); }
    /// Another rank of the same run.
    void also(const KinetoText& other);

    /// The run, written to a folder and loaded; nullptr if that failed.
    TraceModelPtr load() const;

private:
    void event(std::string_view category, std::string_view name, int pid, int tid, double start,
               double duration, const std::string& args);
    std::string text() const;

    int m_rank;
    int m_worldSize;
    std::string m_gpu;
    std::string m_events;
    int m_correlation = 0;
    int m_arrows = 0;
    std::map<std::string, std::string> m_files; ///< beside this rank's trace
};

/// The metric of that name over a run, with the shipped device peaks and models.
MetricResult measure(const TraceModel& model, std::string_view name, MetricOptions options = {});
/// The same of one rank.
MetricResult measureRank(const TraceModel& model, std::string_view name, std::int32_t rank);
/// A number among the details; NaN if there is none of that name.
double numberOf(const MetricResult& result, std::string_view key);
/// A text among the details; empty if there is none of that name.
std::string textOf(const MetricResult& result, std::string_view key);

} // namespace collscope
