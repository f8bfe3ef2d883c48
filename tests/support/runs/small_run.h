// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A run of a few events, written down where its numbers are worked out by hand, and loaded as a person's
// would be.

#include "metrics/core/metric.h"
#include "tests/support/suite/close.h"
#include "tests/support/texts/fragment_text.h"
#include "tests/support/workloads/run_writer.h"

#include <QTemporaryDir>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace collscope {

/// A communication kernel. What is empty or 0 is not written.
struct SmallCall
{
    std::string name = "allreduce"; ///< `Collective name`
    std::string group = "0";
    std::string ranks; ///< "[0, 1]"
    int groupSize = 0;
    std::int64_t inElements = 0, outElements = 0; ///< of 4 bytes
    std::string description = {};
    std::int64_t sequence = 0;
    std::string kernel = "ncclDevKernel_AllReduce_Sum_f32_RING_LL";
    int source = -1, destination = -1; ///< ranks of a send or receive; negative = not written
};

/// Times in microseconds.
class SmallRun
{
public:
    explicit SmallRun(int ranks)
        : m_events(static_cast<std::size_t>(ranks))
        , m_shiftUs(static_cast<std::size_t>(ranks))
    { }

    void step(int rank, int number, double begin, double duration)
    {
        add(rank, "user_annotation", "ProfilerStep#" + std::to_string(number), 100, 100, begin, duration, "");
    }
    void annotation(int rank, const std::string& name, double begin, double duration)
    {
        add(rank, "user_annotation", name, 100, 100, begin, duration, "");
    }
    /// `launchedAt`: when the CPU launches it; negative = the trace does not say.
    void kernel(int rank, double begin, double duration, int stream = 7, const std::string& name = "gemm",
                double launchedAt = -1, const std::string& args = "")
    {
        gpu(rank, name, begin, duration, stream, args);
        if (launchedAt >= 0)
            launch(rank, launchedAt, "cudaLaunchKernel");
    }
    void copy(int rank, double begin, double duration, double launchedAt = -1, int stream = 7,
              const std::string& name = "Memcpy HtoD (Pageable -> Device)")
    {
        gpu(rank, name, begin, duration, stream, "", "gpu_memcpy");
        if (launchedAt >= 0)
            launch(rank, launchedAt, "cudaMemcpyAsync");
    }
    /// What the CPU was in: category python_function, cpu_op, cuda_runtime, user_annotation.
    void cpu(int rank, const std::string& name, double begin, double duration,
             const std::string& category = "python_function", int thread = 100)
    {
        add(rank, category, name, 100, thread, begin, duration, "");
    }
    /// `launchedAt`: when the CPU launches it; negative = the trace does not say.
    void call(int rank, double begin, double duration, const SmallCall& call, int stream = 20,
              double launchedAt = -1)
    {
        std::string args;
        const auto text = [&](const char* key, const std::string& value) {
            if (!value.empty())
                args += std::string(", \"") + key + "\": \"" + value + "\"";
        };
        const auto number = [&](const char* key, std::int64_t value) {
            if (value != 0)
                args += std::string(", \"") + key + "\": " + std::to_string(value);
        };
        text("Collective name", call.name);
        text("Process Group Name", call.group);
        text("Process Group Ranks", call.ranks);
        text("Process Group Description", call.description);
        number("Group size", call.groupSize);
        number("In msg nelems", call.inElements);
        number("Out msg nelems", call.outElements);
        number("Seq", call.sequence);
        if (call.inElements != 0 || call.outElements != 0)
            text("dtype", "Float");
        for (const auto& [key, peer] :
             {std::pair("Src Rank", call.source), std::pair("Dst Rank", call.destination)})
            args += peer >= 0 ? std::string(", \"") + key + "\": " + std::to_string(peer) : std::string();
        gpu(rank, call.kernel, begin, duration, stream, args);
        if (launchedAt >= 0)
            launch(rank, launchedAt, "cudaLaunchKernel");
    }
    /// The rank's clock is wrong by this much.
    void shiftClock(int rank, double by) { m_shiftUs[static_cast<std::size_t>(rank)] = by; }
    /// Name of the computer that all ranks ran on.
    void host(const std::string& name) { m_host = name; }
    /// What the files say of the run's size; 0: neither that nor their ranks.
    void worldSize(int ranks) { m_worldSize = ranks; }
    /// Ranks per node of the workload card.
    void ranksPerNode(int count) { m_ranksPerNode = count; }
    /// Degrees of parallelism of the workload card, "tp: 2\n    pp: 1".
    void parallelism(const std::string& lines) { m_parallelism = lines; }

    /// Without a rank's file.
    void leaveOut(int rank) { m_leftOut.push_back(static_cast<std::size_t>(rank)); }

    TraceModelPtr load() const
    {
        const QTemporaryDir folder;
        write(folder.path().toStdString());
        const auto model = loadPath(folder.path().toStdString());
        return model ? *model : nullptr;
    }
    /// The run as files of a folder, which is made if missing.
    void write(const std::string& path) const
    {
        std::filesystem::create_directories(path);
        for (std::size_t rank = 0; rank < m_events.size(); ++rank) {
            if (std::find(m_leftOut.begin(), m_leftOut.end(), rank) != m_leftOut.end())
                continue;
            writeFile(path + "/rank" + std::to_string(rank) + "_trace.json", json(rank));
        }
        std::string card = "version: 1\nworkload:\n  model:\n    phase: training\n";
        if (m_ranksPerNode > 0)
            card += "  hardware:\n    xpu_spec:\n      type: GPU\n      count_per_node: "
                + std::to_string(m_ranksPerNode) + "\n";
        if (!m_parallelism.empty())
            card += "Model-executor:\n  model_plan_parallelization:\n    " + m_parallelism + "\n";
        if (!m_parallelism.empty() || m_ranksPerNode > 0)
            writeFile(path + "/workload_card.yaml", card);
    }

private:
    struct Event
    {
        std::string head;
        double begin;
        std::string tail;
    };

    static std::string micros(double value)
    {
        char text[40];
        std::snprintf(text, sizeof text, "%.3f", value);
        return text;
    }
    void add(int rank, const std::string& category, const std::string& name, int pid, int tid, double begin,
             double duration, const std::string& args)
    {
        m_events[static_cast<std::size_t>(rank)].push_back(
            {R"({"ph": "X", "cat": ")" + category + R"(", "name": ")" + name + R"(", "pid": )"
                 + std::to_string(pid) + ", \"tid\": " + std::to_string(tid) + ", \"ts\": ",
             begin, ", \"dur\": " + micros(duration) + ", \"args\": {" + args + "}}"});
    }
    /// The CPU call of what was added last to the GPU.
    void launch(int rank, double begin, const std::string& name)
    {
        add(rank, "cuda_runtime", name, 100, 100, begin, 1,
            "\"correlation\": " + std::to_string(m_correlation));
    }
    void gpu(int rank, const std::string& name, double begin, double duration, int stream,
             const std::string& args, const std::string& category = "kernel")
    {
        add(rank, category, name, rank, stream, begin, duration,
            "\"device\": " + std::to_string(rank) + ", \"stream\": " + std::to_string(stream)
                + ", \"correlation\": " + std::to_string(++m_correlation) + args);
    }
    std::string json(std::size_t rank) const
    {
        std::string text = R"({"schemaVersion": 1, "baseTimeNanoseconds": 1700000000000000000, )";
        if (m_worldSize != 0)
            text += R"("distributedInfo": {"backend": "nccl", "rank": )" + std::to_string(rank)
                + ", \"world_size\": "
                + std::to_string(m_worldSize > 0 ? m_worldSize : static_cast<int>(m_events.size())) + "}, ";
        if (!m_host.empty())
            text += R"("host_name": ")" + m_host + "\", ";
        text += "\"traceEvents\": [";
        for (const Event& event : m_events[rank])
            text += (&event == &m_events[rank].front() ? "\n" : ",\n") + event.head
                + micros(1e6 + event.begin + m_shiftUs[rank]) + event.tail;
        return text + "\n]}";
    }

    std::vector<std::vector<Event>> m_events;
    std::vector<double> m_shiftUs;
    std::string m_parallelism;
    std::vector<std::size_t> m_leftOut;
    std::string m_host;
    int m_worldSize = -1; ///< as many as there are
    int m_ranksPerNode = 0;
    int m_correlation = 0;
};

/// What a metric answers about a model.
inline MetricResult measured(const TraceModel& model, std::string_view name,
                             const MetricOptions& options = MetricOptions())
{
    const auto request = findMetric(name);
    return request ? evaluate(model, *request, options) : MetricResult();
}

/// The detail under a key, or under keys inside each other; nullptr if there is none.
inline const Value* detailOf(const MetricResult& result, std::initializer_list<std::string_view> keys)
{
    const Value::Object* object = &result.details;
    const Value* value = nullptr;
    for (const std::string_view key : keys) {
        value = nullptr;
        for (std::size_t i = 0; object && i < object->size(); ++i)
            value = (*object)[i].first == key ? &(*object)[i].second : value;
        object = value ? value->as<Value::Object>() : nullptr;
    }
    return value;
}

/// The number under a key; NaN if there is none.
inline double numberIn(const MetricResult& result, std::initializer_list<std::string_view> keys)
{
    const Value* const value = detailOf(result, keys);
    if (value && value->as<double>())
        return *value->as<double>();
    return value && value->as<std::int64_t>() ? static_cast<double>(*value->as<std::int64_t>())
                                              : std::nan("");
}

inline bool warns(const MetricResult& result, std::string_view about)
{
    return std::any_of(result.warnings.begin(), result.warnings.end(),
                       [&](const std::string& warning) { return warning.find(about) != std::string::npos; });
}

} // namespace collscope
