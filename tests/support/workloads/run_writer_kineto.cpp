// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/workloads/run_writer.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>

namespace collscope {

namespace {

constexpr std::int64_t us = 1000;
/// Profilers count from the machine's boot; this run's host has been up for three days.
constexpr std::int64_t bootNs = 259'200'000'000'000;

/// Microseconds with the three decimals that libkineto prints.
std::string micros(std::int64_t ns)
{
    char text[40];
    const std::int64_t magnitude = std::abs(ns);
    std::snprintf(text, sizeof text, "%s%" PRId64 ".%03" PRId64, ns < 0 ? "-" : "", magnitude / 1000,
                  magnitude % 1000);
    return text;
}

std::string number(std::int64_t value)
{
    return std::to_string(value);
}

std::string inQuotes(std::string_view text)
{
    std::string out = "\"";
    out.append(text);
    return out += '"';
}

std::string list(const std::vector<int>& values)
{
    std::string out = "[";
    for (std::size_t i = 0; i < values.size(); ++i)
        out += (i > 0 ? ", " : "") + std::to_string(values[i]);
    return out + "]";
}

class KinetoWriter
{
public:
    KinetoWriter(const RunPlan& plan, const PlannedRank& rank)
        : m_plan(plan)
        , m_rank(rank)
        , m_mainThread(4242 + rank.rank * 97)
        , m_autogradThread(m_mainThread + 71)
        , m_pinThread(m_mainThread + 64)
    { }

    std::string write()
    {
        header();
        metadata();
        for (const PlannedStep& step : m_plan.steps)
            annotateStep(step);
        annotateRegions();
        for (const PlannedActivity& activity : m_rank.activities) {
            launch(activity);
            gpuSide(activity);
        }
        m_out.erase(m_out.find_last_of(','), 1);
        m_out += "  ],\n  \"traceName\": \"rank" + number(m_rank.rank) + "_trace.json\"\n}\n";
        return std::move(m_out);
    }

private:
    void header();
    void metadata();
    void annotateStep(const PlannedStep& step);
    void annotateRegions();
    void launch(const PlannedActivity& activity);
    void gpuSide(const PlannedActivity& activity);
    std::string collectiveArgs(const PlannedActivity& activity) const;
    int threadOf(const PlannedActivity& activity) const
    {
        return activity.onAutogradThread ? m_autogradThread : m_mainThread;
    }
    void complete(std::string_view category, std::string_view name, int pid, int tid, std::int64_t start,
                  std::int64_t duration, std::string_view args);
    void flow(char phase, const PlannedActivity& activity, int pid, int tid, std::int64_t time);

    const RunPlan& m_plan;
    const PlannedRank& m_rank;
    const int m_mainThread, m_autogradThread, m_pinThread;
    std::string m_out;
    std::int64_t m_lastLaunchNs = 0;
};

void KinetoWriter::header()
{
    const WorkloadDescription& d = m_plan.description;
    m_out = "{\n  \"schemaVersion\": 1,\n  \"deviceProperties\": [\n";
    for (int device = 0; device < d.ranksPerHost(); ++device) {
        m_out += "    {\"id\": " + number(device) + ", \"name\": " + inQuotes(d.gpuName)
            + ", \"totalGlobalMem\": 85174583296, \"computeMajor\": 8, \"computeMinor\": 0, "
              "\"maxThreadsPerBlock\": 1024, "
              "\"warpSize\": 32, \"numSms\": "
            + number(d.multiprocessors) + (device + 1 < d.ranksPerHost() ? "},\n" : "}\n");
    }
    std::vector<int> all;
    for (const PlannedRank& rank : m_plan.ranks)
        all.push_back(rank.rank);
    m_out += "  ],\n  \"distributedInfo\": {\"backend\": \"nccl\", \"rank\": " + number(m_rank.rank)
        + ", \"world_size\": " + number(d.ranks())
        + ", \"pg_count\": 1, \"pg_config\": [{\"pg_name\": \"0\", \"pg_desc\": \"default_pg\", "
          "\"backend_config\": \"cuda:nccl\", "
          "\"pg_size\": "
        + number(d.ranks()) + ", \"ranks\": " + list(all)
        + "}], \"nccl_version\": \"2.21.5\"},\n  \"with_stack\": 0,\n  \"record_shapes\": 1,\n"
        + "  \"displayTimeUnit\": \"ms\",\n  \"baseTimeNanoseconds\": " + number(d.wallClockNs - bootNs)
        + ",\n  \"hostname\": " + inQuotes(m_rank.host) + ",\n  \"traceEvents\": [\n";
}

void KinetoWriter::complete(std::string_view category, std::string_view name, int pid, int tid,
                            std::int64_t start, std::int64_t duration, std::string_view args)
{
    m_out += "  {\"ph\": \"X\", \"cat\": " + inQuotes(category) + ", \"name\": " + inQuotes(name)
        + ", \"pid\": " + number(pid) + ", \"tid\": " + number(tid) + ", \"ts\": " + micros(bootNs + start)
        + ", \"dur\": " + micros(duration) + ", \"args\": {" + std::string(args) + "}},\n";
}

void KinetoWriter::metadata()
{
    const auto add = [&](const char* kind, int pid, int tid, const std::string& args) {
        m_out += "  {\"ph\": \"M\", \"name\": " + inQuotes(kind) + ", \"pid\": " + number(pid)
            + ", \"tid\": " + number(tid) + ", \"ts\": " + micros(bootNs + m_plan.steps.front().startNs)
            + ", \"args\": {" + args + "}},\n";
    };
    add("process_name", m_mainThread, 0, "\"name\": \"python3\"");
    add("process_labels", m_mainThread, 0, "\"labels\": \"CPU\"");
    add("process_name", m_rank.device, 0, "\"name\": \"python3\"");
    add("process_labels", m_rank.device, 0, "\"labels\": \"GPU " + number(m_rank.device) + "\"");
    for (const int stream : {7, 20, 24})
        add("thread_name", m_rank.device, stream, "\"name\": \"stream " + number(stream) + "\"");
    add("thread_name", m_mainThread, m_mainThread,
        "\"name\": \"thread " + number(m_mainThread) + " (python3)\"");
    add("thread_name", m_mainThread, m_autogradThread,
        "\"name\": \"thread " + number(m_autogradThread) + " (pt_autograd_0)\"");
    add("thread_name", m_mainThread, m_pinThread,
        "\"name\": \"thread " + number(m_pinThread) + " (pt_data_pin)\"");
}

void KinetoWriter::annotateStep(const PlannedStep& step)
{
    const std::string name = "ProfilerStep#" + std::to_string(step.number);
    complete("user_annotation", name, m_mainThread, m_mainThread, step.startNs, step.durationNs,
             "\"External id\": 1");
    std::int64_t first = step.startNs + step.durationNs;
    std::int64_t last = step.startNs;
    std::int64_t lastLaunch = step.startNs;
    std::int64_t lastEnd = step.startNs;
    for (const PlannedActivity& a : m_rank.activities) {
        if (a.startNs < step.startNs || a.startNs >= step.startNs + step.durationNs)
            continue;
        lastLaunch = std::max(lastLaunch, a.launchNs);
        lastEnd = std::max(lastEnd, a.endNs());
        if (a.stream != 7)
            continue;
        first = std::min(first, a.startNs);
        last = std::max(last, a.endNs());
    }
    complete("gpu_user_annotation", name, m_rank.device, 7, first, last - first, "\"External id\": 1");
    const std::int64_t wait = lastLaunch + 12 * us;
    complete("cuda_runtime", "cudaDeviceSynchronize", m_mainThread, m_mainThread, wait,
             lastEnd + 12 * us - wait, "\"cbid\": 165, \"correlation\": " + number(step.number + 100));
    complete("user_annotation", "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", m_mainThread,
             m_mainThread, step.startNs + 4 * us, 120 * us, "\"External id\": 5");
    complete("cpu_op", "aten::pin_memory", m_mainThread, m_pinThread, step.startNs + 900 * us, 210 * us,
             "\"External id\": 2");
    complete("cpu_op", "aten::copy_", m_mainThread, m_pinThread, step.startNs + 940 * us, 150 * us,
             "\"External id\": 3");
}

/// One annotation around each run of launches of the same region; the autograd thread has none.
void KinetoWriter::annotateRegions()
{
    const auto& activities = m_rank.activities;
    for (std::size_t i = 0; i < activities.size();) {
        std::size_t end = i + 1;
        while (end < activities.size() && activities[end].region == activities[i].region
               && activities[end].step == activities[i].step)
            ++end;
        if (!activities[i].onAutogradThread && !activities[i].region.empty()) {
            const std::int64_t begin = activities[i].launchNs - 9'500;
            complete("user_annotation", activities[i].region, m_mainThread, m_mainThread, begin,
                     activities[end - 1].launchNs + 9'500 - begin, "\"External id\": 4");
        }
        i = end;
    }
}

std::string KinetoWriter::collectiveArgs(const PlannedActivity& activity) const
{
    const PlannedCollective& call = *activity.collective;
    return ", \"Collective name\": " + inQuotes(call.name) + ", \"In msg nelems\": " + number(call.inElements)
        + ", \"Out msg nelems\": " + number(call.outElements) + ", \"Group size\": "
        + number(static_cast<std::int64_t>(call.ranks.size())) + ", \"dtype\": " + inQuotes(call.elementType)
        + ", \"In split size\": \"[]\", \"Out split size\": \"[]\", \"Process Group Name\": "
        + inQuotes(call.groupName) + ", \"Process Group Description\": " + inQuotes(call.groupDescription)
        + ", \"Process Group Ranks\": " + inQuotes(list(call.ranks)) + ", \"Rank\": " + number(m_rank.rank)
        + ", \"Seq\": " + number(call.sequence);
}

void KinetoWriter::flow(char phase, const PlannedActivity& activity, int pid, int tid, std::int64_t time)
{
    m_out += std::string("  {\"ph\": \"") + phase + "\", \"id\": " + number(activity.correlation)
        + ", \"pid\": " + number(pid) + ", \"tid\": " + number(tid) + ", \"ts\": " + micros(bootNs + time)
        + ", \"cat\": \"ac2g\", \"name\": \"ac2g\"" + (phase == 'f' ? ", \"bp\": \"e\"" : "") + "},\n";
}

/// The operator, what it calls, and the CUDA call, nested as they are on a CPU thread.
void KinetoWriter::launch(const PlannedActivity& activity)
{
    const int thread = threadOf(activity);
    const std::int64_t at = activity.launchNs;
    const std::string id = "\"External id\": " + number(activity.correlation);
    if (activity.awaitedEndNs >= 0) {
        const std::int64_t wait = m_lastLaunchNs + 12 * us;
        complete("cuda_runtime", "cudaStreamSynchronize", m_mainThread, m_mainThread, wait,
                 activity.awaitedEndNs + 12 * us - wait,
                 "\"cbid\": 131, \"correlation\": " + number(activity.step + 500));
    }
    if (activity.collective) {
        complete("cpu_op", "c10d::" + activity.collective->operation, m_mainThread, thread, at - 9 * us,
                 18 * us, id);
        complete("user_annotation", "nccl:" + activity.collective->name, m_mainThread, thread, at - 8 * us,
                 16 * us, id);
        complete("cpu_op", "record_param_comms", m_mainThread, thread, at - 7 * us, 14 * us,
                 id + collectiveArgs(activity));
    } else if (activity.onAutogradThread) {
        complete("cpu_op", "autograd::engine::evaluate_function: " + activity.cpuOp, m_mainThread, thread,
                 at - 9 * us, 18 * us, id);
        complete("cpu_op", activity.cpuOp, m_mainThread, thread, at - 7 * us, 14 * us, id);
    } else {
        complete("cpu_op", activity.cpuOp, m_mainThread, thread, at - 7 * us, 15 * us, id);
        if (activity.cpuOp == "aten::linear")
            complete("cpu_op", "aten::addmm", m_mainThread, thread, at - 5 * us, 12 * us, id);
    }
    const char* call = activity.kind == PlannedKind::Memcpy ? "cudaMemcpyAsync"
        : activity.kind == PlannedKind::Memset              ? "cudaMemsetAsync"
        : activity.collective                               ? "cudaLaunchKernelExC"
                                                            : "cudaLaunchKernel";
    complete("cuda_runtime", call, m_mainThread, thread, at, 4'600,
             id + ", \"cbid\": 211, \"correlation\": " + number(activity.correlation));
    flow('s', activity, m_mainThread, thread, at);
    m_lastLaunchNs = at;
}

void KinetoWriter::gpuSide(const PlannedActivity& activity)
{
    const std::string where = "\"External id\": " + number(activity.correlation) + ", \"device\": "
        + number(m_rank.device) + ", \"context\": 1, \"stream\": " + number(activity.stream)
        + ", \"correlation\": " + number(activity.correlation);
    flow('f', activity, m_rank.device, activity.stream, activity.startNs);
    if (!activity.isKernel()) {
        complete(activity.kind == PlannedKind::Memcpy ? "gpu_memcpy" : "gpu_memset", activity.name,
                 m_rank.device, activity.stream, activity.startNs, activity.durationNs,
                 where + ", \"bytes\": " + number(activity.bytes));
        return;
    }
    if (activity.collective)
        complete("gpu_user_annotation", "nccl:" + activity.collective->name, m_rank.device, activity.stream,
                 activity.startNs, activity.durationNs, where);
    char blocks[24];
    std::snprintf(blocks, sizeof blocks, "%.6g",
                  static_cast<double>(activity.grid) / m_plan.description.multiprocessors);
    complete("kernel", activity.name, m_rank.device, activity.stream, activity.startNs, activity.durationNs,
             "\"queued\": 0, " + where
                 + ", \"registers per thread\": 96, \"shared memory\": 49152, \"blocks per SM\": " + blocks
                 + ", \"warps per SM\": 16, \"grid\": [" + number(activity.grid)
                 + ", 1, 1], \"block\": [256, 1, 1], \"est. achieved occupancy %\": 25"
                 + (activity.collective ? collectiveArgs(activity) : std::string()));
}

} // namespace

std::string kinetoJson(const RunPlan& plan, const PlannedRank& rank)
{
    return KinetoWriter(plan, rank).write();
}

} // namespace collscope
