// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/workloads/run_writer.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <algorithm>

namespace collscope {

namespace {

const char* const schema = R"sql(
CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE TARGET_INFO_SESSION_START_TIME(utcEpochNs INTEGER, utcTime TEXT, localTime TEXT);
CREATE TABLE TARGET_INFO_GPU(id INTEGER, name TEXT, smCount INTEGER, totalMemory INTEGER);
CREATE TABLE TARGET_INFO_CUDA_DEVICE(gpuId INTEGER, cudaId INTEGER, pid INTEGER, uuid TEXT, numMultiprocessors INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL, contextId INTEGER,
    greenContextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, demangledName INTEGER NOT NULL,
    shortName INTEGER NOT NULL, mangledName INTEGER, gridX INTEGER, gridY INTEGER, gridZ INTEGER, blockX INTEGER, blockY INTEGER,
    blockZ INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY(start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER,
    correlationId INTEGER, globalPid INTEGER, bytes INTEGER, copyKind INTEGER, srcKind INTEGER, dstKind INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET(start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER,
    correlationId INTEGER, globalPid INTEGER, bytes INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start INTEGER, end INTEGER, eventClass INTEGER, globalTid INTEGER, correlationId INTEGER,
    nameId INTEGER, returnValue INTEGER);
CREATE TABLE NVTX_EVENTS(start INTEGER, end INTEGER, eventType INTEGER, rangeId INTEGER, category INTEGER, color INTEGER, text TEXT,
    globalTid INTEGER, endGlobalTid INTEGER, textId INTEGER, domainId INTEGER);
)sql";

const char* const metricsSchema = R"sql(
CREATE TABLE GPU_METRICS(timestamp INTEGER, typeId INTEGER, metricId INTEGER, value INTEGER);
CREATE TABLE TARGET_INFO_GPU_METRICS(typeId INTEGER, typeName TEXT, sourceId INTEGER, metricId INTEGER, metricName TEXT);
)sql";

constexpr std::int64_t metricsPeriodNs = 100'000;

/// What a GPU is sampled for: the share of each period in which the plan has such work running, scaled.
struct PlannedMetric
{
    const char* name;
    bool (*counts)(const PlannedActivity& activity);
    double scale;
};
bool isComputing(const PlannedActivity& activity)
{
    return activity.isKernel() && !activity.collective;
}
bool isCommunicating(const PlannedActivity& activity)
{
    return activity.collective.has_value();
}
bool isCopying(const PlannedActivity& activity)
{
    return activity.kind == PlannedKind::Memcpy;
}
constexpr PlannedMetric plannedMetrics[]{
    {"SMs Active [Throughput %]", isComputing, 1},
    {"SM Issue [Throughput %]", isComputing, 0.45},
    {"Tensor Active [Throughput %]", isComputing, 0.7},
    {"NVLink TX Requests User Data [Throughput %]", isCommunicating, 0.8},
    {"NVLink RX Responses User Data [Throughput %]", isCommunicating, 0.75},
    {"DRAM Read Bandwidth [Throughput %]", isComputing, 0.3},
    {"DRAM Write Bandwidth [Throughput %]", isComputing, 0.2},
    {"PCIe RX Throughput [Throughput %]", isCopying, 0.9},
};

/// The demangled name without its parameters, as nsys shortens it.
std::string shortName(const std::string& name)
{
    std::string text = name.substr(0, name.find('<'));
    text = text.substr(0, text.find("(int"));
    text = text.substr(0, text.find("(nccl"));
    const std::size_t scope = text.rfind(':');
    return scope == std::string::npos ? text : text.substr(scope + 1);
}

class NsysWriter
{
public:
    NsysWriter(const RunPlan& plan, const std::filesystem::path& path, bool gpuMetrics)
        : m_plan(plan)
        , m_database(path.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
        , m_gpuMetrics(gpuMetrics)
    { }

    void write()
    {
        SQLite::Transaction transaction(m_database);
        m_database.exec(schema);
        if (m_gpuMetrics)
            m_database.exec(metricsSchema);
        insert("TARGET_INFO_SESSION_START_TIME", {m_plan.description.wallClockNs, 0, 0});
        const WorkloadDescription& d = m_plan.description;
        for (int device = 0; device < d.ranksPerHost(); ++device) {
            SQLite::Statement gpu(m_database, "INSERT INTO TARGET_INFO_GPU VALUES(?, ?, ?, 85174583296)");
            gpu.bind(1, device);
            gpu.bind(2, d.gpuName);
            gpu.bind(3, d.multiprocessors);
            gpu.exec();
            insert("TARGET_INFO_CUDA_DEVICE", {device, device, 4242, 0, d.multiprocessors});
            for (const PlannedActivity& activity : m_plan.ranks[static_cast<std::size_t>(device)].activities)
                add(activity, device);
            if (m_gpuMetrics)
                addMetrics(device);
        }
        for (std::size_t i = 0; i < m_plan.steps.size(); ++i)
            addStep(m_plan.steps[i], i % 2 == 1);
        transaction.commit();
    }

private:
    void insert(const std::string& table, const std::vector<std::int64_t>& values)
    {
        std::string marks;
        for (std::size_t i = 0; i < values.size(); ++i)
            marks += i > 0 ? ", ?" : "?";
        SQLite::Statement statement(m_database, "INSERT INTO " + table + " VALUES(" + marks + ")");
        for (std::size_t i = 0; i < values.size(); ++i)
            statement.bind(static_cast<int>(i) + 1, values[i]);
        statement.exec();
    }

    std::int64_t stringId(const std::string& text)
    {
        const auto [found, isNew]
            = m_strings.try_emplace(text, static_cast<std::int64_t>(m_strings.size()) + 1);
        if (isNew) {
            SQLite::Statement statement(m_database, "INSERT INTO StringIds VALUES(?, ?)");
            statement.bind(1, found->second);
            statement.bind(2, text);
            statement.exec();
        }
        return found->second;
    }

    void add(const PlannedActivity& activity, int device)
    {
        // One process per GPU, and correlation ids of different processes repeat; nsys tells them apart by
        // globalPid.
        const std::int64_t process = std::int64_t{0x1000000} * (std::int64_t{4242} + device);
        const std::int64_t correlation
            = std::int64_t{activity.correlation} + std::int64_t{device} * 1'000'000;
        const std::int64_t end = activity.endNs();
        if (activity.kind == PlannedKind::Memcpy) {
            insert("CUPTI_ACTIVITY_KIND_MEMCPY",
                   {activity.startNs, end, device, 1, activity.stream, correlation, process, activity.bytes,
                    activity.bytes > 4 ? 1 : 2, 0, 0});
        } else if (activity.kind == PlannedKind::Memset) {
            insert("CUPTI_ACTIVITY_KIND_MEMSET",
                   {activity.startNs, end, device, 1, activity.stream, correlation, process, activity.bytes});
        } else {
            insert("CUPTI_ACTIVITY_KIND_KERNEL",
                   {activity.startNs, end, device, 1, 0, activity.stream, correlation, process,
                    stringId(activity.name), stringId(shortName(activity.name)), 0, activity.grid, 1, 1, 256,
                    1, 1});
        }
        insert("CUPTI_ACTIVITY_KIND_RUNTIME",
               {activity.launchNs, activity.launchNs + 4'600, 0, process + 4242 + device, correlation,
                stringId("cudaLaunchKernel_v7000"), 0});
    }

    void addMetrics(int device)
    {
        const auto& activities = m_plan.ranks[static_cast<std::size_t>(device)].activities;
        const PlannedStep& last = m_plan.steps.back();
        const std::int64_t gpu = 256 + device; // the GPU is in the lowest byte
        std::int64_t id = 0;
        for (const PlannedMetric& metric : plannedMetrics) {
            ++id;
            SQLite::Statement name(m_database,
                                   "INSERT INTO TARGET_INFO_GPU_METRICS VALUES(?, 'GPU', 0, ?, ?)");
            name.bind(1, gpu);
            name.bind(2, id);
            name.bind(3, metric.name);
            name.exec();
            for (std::int64_t end = metricsPeriodNs; end <= last.startNs + last.durationNs;
                 end += metricsPeriodNs) {
                std::int64_t busyNs = 0;
                for (const PlannedActivity& activity : activities) {
                    if (metric.counts(activity))
                        busyNs += std::max<std::int64_t>(
                            0,
                            std::min(end, activity.endNs())
                                - std::max(end - metricsPeriodNs, activity.startNs));
                }
                const double share
                    = std::min(1.0, static_cast<double>(busyNs) / static_cast<double>(metricsPeriodNs));
                insert("GPU_METRICS", {end, gpu, id, static_cast<std::int64_t>(100 * metric.scale * share)});
            }
        }
    }

    /// Older exports write the text itself, newer ones an id into StringIds; a file of ours has both.
    void addStep(const PlannedStep& step, bool asId)
    {
        const std::string text = "Train Step " + std::to_string(step.number);
        SQLite::Statement statement(
            m_database, "INSERT INTO NVTX_EVENTS VALUES(?, ?, 59, NULL, NULL, NULL, ?, 77, NULL, ?, 0)");
        statement.bind(1, step.startNs);
        statement.bind(2, step.startNs + step.durationNs);
        if (asId)
            statement.bind(4, stringId(text));
        else
            statement.bind(3, text);
        statement.exec();
    }

    const RunPlan& m_plan;
    SQLite::Database m_database;
    bool m_gpuMetrics;
    std::map<std::string, std::int64_t> m_strings;
};

} // namespace

void writeNsys(const RunPlan& plan, const std::filesystem::path& path, bool gpuMetrics)
{
    std::filesystem::remove(path);
    NsysWriter(plan, path, gpuMetrics).write();
}

} // namespace collscope
