// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/runs/planted_history.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

namespace collscope {

namespace {

/// One operation of one process.
struct PlantedOperation
{
    std::string hash, name, operation;
    int rank = 0, ranks = 0, nodes = 0;
    std::uint64_t bytes = 0, number = 0;
    std::int64_t startUs = 0, dumpUs = 0;
    double execUs = 0;
};

std::string text(const char* format, auto... values)
{
    char buffer[1024];
    const int length = std::snprintf(buffer, sizeof buffer, format, values...);
    return {buffer, static_cast<std::size_t>(std::max(length, 0))};
}

class Writer
{
public:
    explicit Writer(const PlantedHistory& job)
        : m_job(job)
    { }

    /// The operations of one process in one dump.
    void write(std::string& file, int node, int gpu, const std::vector<PlantedOperation>& operations) const
    {
        using Format = PlantedHistory::Format;
        for (const PlantedOperation& own : operations) {
            if (m_job.format >= Format::V42)
                file += "{" + header(own) + "," + metadata(own, node, gpu)
                    + ",\"dump_stats\":{\"coll_records\":1,\"coll_dropped_total\":0,"
                      "\"coll_dropped_since_last_dump\":0,\"p2p_records\":0,\"p2p_dropped_total\":0,"
                      "\"p2p_dropped_since_last_dump\":0}}\n";
            if (m_job.format == Format::V43)
                file += "{\"coll_perf\":{" + figures(own) + "}}\n";
            else if (m_job.format == Format::Flat)
                file += "{" + headerFields(own) + "," + metadataFields(own, node, gpu) + "," + figures(own)
                    + "}\n";
            else
                file += "{" + header(own) + "," + metadata(own, node, gpu) + ",\"coll_perf\":{" + figures(own)
                    + "}}\n";
        }
    }

private:
    std::string headerFields(const PlantedOperation& own) const
    {
        std::string fields = "\"id\":\"" + own.hash + "\",";
        if (m_job.format >= PlantedHistory::Format::V41)
            fields += "\"comm_name\":\"" + own.name + "\",";
        return fields + text("\"rank\":%d,\"n_ranks\":%d,\"nnodes\":%d", own.rank, own.ranks, own.nodes);
    }
    std::string header(const PlantedOperation& own) const { return "\"header\":{" + headerFields(own) + "}"; }
    std::string metadataFields(const PlantedOperation& own, int node, int gpu) const
    {
        static constexpr const char* versions[] = {"v3.0", "v4.0", "v4.1", "v4.2", "v4.3"};
        return text("\"inspector_output_format_version\":\"%s\",\"git_rev\":\"\",\"rec_mechanism\":"
                    "\"nccl_profiler_interface\",\"dump_timestamp_us\":%lld,\"hostname\":\"%s\",\"pid\":%lld",
                    versions[static_cast<int>(m_job.format)], static_cast<long long>(own.dumpUs),
                    PlantedHistory::host(node).c_str(),
                    static_cast<long long>(PlantedHistory::pid(node, gpu)));
    }
    std::string metadata(const PlantedOperation& own, int node, int gpu) const
    {
        return "\"metadata\":{" + metadataFields(own, node, gpu) + "}";
    }
    std::string figures(const PlantedOperation& own) const
    {
        const auto execUs = static_cast<long long>(std::llround(own.execUs));
        std::string fields = "\"coll\":\"" + own.operation + "\",";
        if (m_job.format >= PlantedHistory::Format::V42)
            fields += "\"coll_algo\":\"RING\",\"coll_proto\":\"SIMPLE\",";
        fields
            += text("\"coll_sn\":%llu,\"coll_msg_size_bytes\":%llu,\"coll_exec_time_us\":%lld,"
                    "\"coll_timing_source\":\"kernel_gpu\",\"coll_algobw_gbs\":%.6f,\"coll_busbw_gbs\":%.6f",
                    static_cast<unsigned long long>(own.number), static_cast<unsigned long long>(own.bytes),
                    execUs, static_cast<double>(own.bytes) / own.execUs / 1000,
                    static_cast<double>(own.bytes) / own.execUs / 1000 * 1.5);
        if (m_job.isVerbose) {
            const auto start = static_cast<long long>(own.startUs);
            fields
                += text(",\"event_trace_sn\":{\"coll_start_sn\":1,\"coll_stop_sn\":2,\"kernel_events\":[]},"
                        "\"event_trace_ts\":{\"coll_start_ts\":%lld,\"coll_stop_ts\":%lld,\"kernel_events\":"
                        "[{\"channel_id\":0,\"kernel_start_ts\":%lld,\"kernel_stop_ts\":%lld,"
                        "\"kernel_record_ts\":%lld}]}",
                        start - 20, start - 15, start, start + execUs, start + execUs);
        }
        return fields;
    }

    const PlantedHistory& m_job;
};

std::string megatronLine(const PlantedHistory& job, int step, double stepUs, std::int64_t nowUs)
{
    const std::chrono::sys_time<std::chrono::seconds> local(
        std::chrono::seconds(nowUs / 1'000'000 + job.zoneMinutes * 60));
    const auto day = std::chrono::floor<std::chrono::days>(local);
    const std::chrono::year_month_day date(day);
    const std::chrono::hh_mm_ss time(local - day);
    return text(
        " [%04d-%02u-%02u %02d:%02d:%02d] iteration %8d/%8d | consumed samples: %12d | elapsed time per "
        "iteration (ms): %.1f | throughput per GPU (TFLOP/s/GPU): 80.2 | learning rate: 6.976744E-08 | "
        "global batch size:   128 | lm loss: 1.043863E+01 | loss scale: 1.0 | grad norm: 26.203 |\n",
        static_cast<int>(date.year()), static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
        static_cast<int>(time.hours().count()), static_cast<int>(time.minutes().count()),
        static_cast<int>(time.seconds().count()), step, job.steps, step * 128, stepUs / 1000);
}

/// The job, step by step.
class Simulation
{
public:
    explicit Simulation(PlantedHistory& job)
        : m_job(job)
        , m_random(job.seed * 7919u + 17u)
        , m_writer(job)
    { }

    std::map<std::string, std::string> run();

private:
    static double& at(std::vector<std::vector<double>>& now, int node, int gpu)
    {
        return now[static_cast<std::size_t>(node)][static_cast<std::size_t>(gpu)];
    }
    double noisy(double us, double share) { return us * (1 + share * m_normal(m_random)); }
    double computeUs(int step, int node, int gpu);
    void meet(std::vector<std::vector<double>>& now, int step, bool isTensor, int index);
    std::string& file(int node, int gpu);

    using Trouble = PlantedHistory::Trouble;
    PlantedHistory& m_job;
    std::mt19937 m_random;
    std::normal_distribution<double> m_normal{0, 1};
    Writer m_writer;
    std::map<std::string, std::string> m_files;
};

std::string& Simulation::file(int node, int gpu)
{
    return m_files[PlantedHistory::host(node) + "-pid" + std::to_string(PlantedHistory::pid(node, gpu))
                   + ".log"];
}

double Simulation::computeUs(int step, int node, int gpu)
{
    double us = noisy(1'000'000, 0.008);
    const bool isSlow = (m_job.trouble == Trouble::SlowNode && node == m_job.node)
        || (m_job.trouble == Trouble::SlowProcess && node == m_job.node && gpu == m_job.gpu);
    if (isSlow && step >= m_job.changeAt)
        us *= m_job.factor;
    if (m_job.trouble == Trouble::Drift)
        us *= 1 + 0.25 * step / m_job.steps;
    return us;
}

/// A collective of the processes of a node (tensor-parallel), or of one GPU of each node (data-parallel).
void Simulation::meet(std::vector<std::vector<double>>& now, int step, bool isTensor, int index)
{
    const int members = isTensor ? m_job.gpus : m_job.nodes;
    const bool isSlow = step >= m_job.changeAt
        && ((m_job.trouble == Trouble::SlowLink && isTensor && index == m_job.node)
            || (m_job.trouble == Trouble::SlowRail && !isTensor && index == m_job.gpu));
    const double transferUs
        = noisy(isTensor ? 100'000 : 200'000, 0.006) * (isSlow ? 1 + 4 * (m_job.factor - 1) : 1);
    double last = 0;
    for (int i = 0; i < members; ++i)
        last = std::max(last, at(now, isTensor ? index : i, isTensor ? i : index));
    const double end = last + transferUs;
    for (int i = 0; i < members; ++i) {
        const int node = isTensor ? index : i, gpu = isTensor ? i : index;
        double& own = at(now, node, gpu);
        PlantedOperation operation;
        operation.hash = text(isTensor ? "0xa%06x" : "0xb%06x", index);
        operation.name = text(isTensor ? "TP Group %d" : "DP Group %d", index);
        operation.operation = isTensor ? "AllReduce" : "ReduceScatter";
        operation.rank = i;
        operation.ranks = members;
        operation.nodes = isTensor ? 1 : m_job.nodes;
        operation.bytes = isTensor ? 67'108'864 : 268'435'456;
        operation.number = static_cast<std::uint64_t>(step);
        operation.execUs = std::max(end - own + 20 * m_normal(m_random), 1.0);
        operation.startUs = m_job.beginUs + std::llround(own);
        operation.dumpUs = m_job.beginUs + std::llround(end) + 300;
        m_writer.write(file(node, gpu), node, gpu, {operation});
        own = end;
    }
}

std::map<std::string, std::string> Simulation::run()
{
    std::uniform_real_distribution<double> any(0, 1);
    m_job.changeAt = static_cast<int>(m_job.steps * (0.15 + 0.7 * any(m_random)));
    m_job.node = static_cast<int>(any(m_random) * m_job.nodes);
    m_job.gpu = static_cast<int>(any(m_random) * m_job.gpus);
    m_job.factor = 1.1 + 0.3 * any(m_random);
    double begin = 0;
    for (int step = 1; step <= m_job.steps; ++step) {
        std::vector<std::vector<double>> now(static_cast<std::size_t>(m_job.nodes));
        for (int node = 0; node < m_job.nodes; ++node) {
            for (int gpu = 0; gpu < m_job.gpus; ++gpu)
                now[static_cast<std::size_t>(node)].push_back(begin + computeUs(step, node, gpu));
        }
        for (int node = 0; node < m_job.nodes; ++node)
            meet(now, step, true, node);
        for (int gpu = 0; gpu < m_job.gpus; ++gpu)
            meet(now, step, false, gpu);
        double end = 0;
        for (const auto& node : now)
            end = std::max(end, *std::max_element(node.begin(), node.end()));
        if (m_job.trouble == Trouble::Checkpoints && step % 25 == 0)
            end += noisy(900'000, 0.05);
        if (m_job.hasLog)
            m_files["train.log"] += megatronLine(m_job, step, end - begin, m_job.beginUs + std::llround(end));
        begin = end;
    }
    return std::move(m_files);
}

} // namespace

std::map<std::string, std::string> PlantedHistory::files()
{
    return Simulation(*this).run();
}

} // namespace collscope
