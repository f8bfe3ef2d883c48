// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/texts/kineto_text.h"

#include "model/readers/measurements/hardware_toml.h"
#include "tests/support/texts/fragment_text.h"
#include "tests/support/workloads/run_writer.h"

#include <QTemporaryDir>

#include <limits>

namespace collscope {

namespace {

constexpr int hostPid = 1;

std::string inQuotes(std::string_view text)
{
    return '"' + std::string(text) + '"';
}

const Value* detail(const MetricResult& result, std::string_view key)
{
    for (const auto& [name, value] : result.details) {
        if (name == key)
            return &value;
    }
    return nullptr;
}

std::shared_ptr<const HardwareDatabase> shippedHardwareDatabase()
{
    static const std::shared_ptr<const HardwareDatabase> hardware = [] {
        HardwareDatabase all;
        for (const char* file : {"devices.toml", "models.toml"}) {
            auto more = readHardwareDatabase(
                std::string(COLLSCOPE_SOURCE_FOLDER "/resources/knowledge/") + file, all);
            if (more)
                all = std::move(*more);
        }
        return std::make_shared<const HardwareDatabase>(std::move(all));
    }();
    return hardware;
}

} // namespace

KinetoText::KinetoText(int rank, int worldSize, std::string gpu)
    : m_rank(rank)
    , m_worldSize(worldSize)
    , m_gpu(std::move(gpu))
{ }

void KinetoText::event(std::string_view category, std::string_view name, int pid, int tid, double start,
                       double duration, const std::string& args)
{
    m_events += (m_events.empty() ? "" : ",\n");
    m_events += R"({"ph":"X","cat":)" + inQuotes(category) + R"(,"name":)" + inQuotes(name) + R"(,"pid":)"
        + std::to_string(pid) + R"(,"tid":)" + std::to_string(tid) + R"(,"ts":)" + numberText(start)
        + R"(,"dur":)" + numberText(duration) + R"(,"args":{)" + args + "}}";
}

void KinetoText::annotation(std::string_view name, int thread, double start, double duration)
{
    event("user_annotation", name, hostPid, thread, start, duration, "");
}

void KinetoText::cpuOp(std::string_view name, int thread, double start, double duration)
{
    event("cpu_op", name, hostPid, thread, start, duration, "");
}

void KinetoText::python(std::string_view name, int thread, double start, double duration)
{
    event("python_function", name, hostPid, thread, start, duration, "");
}

void KinetoText::overhead(std::string_view name, int thread, double start, double duration)
{
    event("overhead", name, hostPid, thread, start, duration, "");
}

int KinetoText::launch(int thread, double start)
{
    return call("cudaLaunchKernel", thread, start, 0.2);
}

int KinetoText::call(std::string_view name, int thread, double start, double duration)
{
    event("cuda_runtime", name, hostPid, thread, start, duration,
          R"("correlation":)" + std::to_string(++m_correlation));
    return m_correlation;
}

void KinetoText::kernel(std::string_view name, int stream, double start, double duration, int correlation)
{
    work("kernel", name, stream, start, duration, correlation);
}

void KinetoText::work(std::string_view category, std::string_view name, int stream, double start,
                      double duration, int correlation)
{
    event(category, name, 0, stream, start, duration,
          R"("device":0,"stream":)" + std::to_string(stream)
              + (correlation > 0 ? R"(,"correlation":)" + std::to_string(correlation) : ""));
}

void KinetoText::link(int correlation, int thread, double from, int stream, double to, bool ends)
{
    const auto end = [&](std::string_view phase, int pid, int tid, double time) {
        m_events += R"(,{"ph":)" + inQuotes(phase) + R"(,"cat":"ac2g","name":"ac2g","bp":"e","id":)"
            + std::to_string(correlation) + R"(,"pid":)" + std::to_string(pid) + R"(,"tid":)"
            + std::to_string(tid) + R"(,"ts":)" + numberText(time) + "}";
    };
    end("s", hostPid, thread, from);
    if (ends)
        end("f", 0, stream, to);
}

void KinetoText::collective(std::string_view name, std::string_view description, int stream, double start,
                            double duration, int correlation)
{
    event("kernel", "ncclDevKernel_Generic", 0, stream, start, duration,
          R"("device":0,"stream":)" + std::to_string(stream)
              + (correlation > 0 ? R"(,"correlation":)" + std::to_string(correlation) : "")
              + R"(,"Collective name":)" + inQuotes(name)
              + R"(,"In msg nelems":1000,"Out msg nelems":1000,"Group size":2,"dtype":"BFloat16",)"
              + R"("Process Group Name":)" + inQuotes(description) + R"(,"Process Group Description":)"
              + inQuotes(description));
}

void KinetoText::copy(int stream, double start, double duration)
{
    event("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", 0, stream, start, duration,
          R"("device":0,"bytes":1024,"stream":)" + std::to_string(stream));
}

void KinetoText::arrow(std::string_view kind, int fromThread, double from, int toThread, double to)
{
    const std::string id = std::to_string(++m_arrows);
    for (const bool begin : {true, false}) {
        m_events += R"(,{"ph":)" + inQuotes(begin ? "s" : "f") + R"(,"cat":)" + inQuotes(kind) + R"(,"name":)"
            + inQuotes(kind) + R"(,"bp":"e","id":)" + id + R"(,"pid":)" + std::to_string(hostPid)
            + R"(,"tid":)" + std::to_string(begin ? fromThread : toThread) + R"(,"ts":)"
            + numberText(begin ? from : to) + "}";
    }
}

void KinetoText::also(const KinetoText& other)
{
    m_files["rank" + std::to_string(other.m_rank) + "_trace.json"] = other.text();
}

std::string KinetoText::text() const
{
    return R"({"schemaVersion":1,"deviceProperties":[{"id":0,"name":)" + inQuotes(m_gpu)
        + R"(,"numSms":108}],"distributedInfo":{"backend":"nccl","rank":)" + std::to_string(m_rank)
        + R"(,"world_size":)" + std::to_string(m_worldSize) + "},\"traceEvents\":[\n" + m_events + "\n]}\n";
}

TraceModelPtr KinetoText::load() const
{
    const QTemporaryDir folder;
    const auto path = [&](const std::string& name) {
        return folder.filePath(QString::fromStdString(name)).toStdString();
    };
    writeFile(path("rank" + std::to_string(m_rank) + "_trace.json"), text());
    for (const auto& [name, content] : m_files)
        writeFile(path(name), content);
    auto model = loadPath(folder.path().toStdString());
    return model ? *model : nullptr;
}

MetricResult measure(const TraceModel& model, std::string_view name, MetricOptions options)
{
    if (!options.hardware)
        options.hardware = shippedHardwareDatabase();
    const auto request = findMetric(name);
    return request ? evaluate(model, *request, options) : MetricResult();
}

MetricResult measureRank(const TraceModel& model, std::string_view name, std::int32_t rank)
{
    MetricOptions options;
    options.rank = rank;
    return measure(model, name, options);
}

double numberOf(const MetricResult& result, std::string_view key)
{
    const Value* const value = detail(result, key);
    if (value && value->as<double>())
        return *value->as<double>();
    if (value && value->as<std::int64_t>())
        return static_cast<double>(*value->as<std::int64_t>());
    return std::numeric_limits<double>::quiet_NaN();
}

std::string textOf(const MetricResult& result, std::string_view key)
{
    const Value* const value = detail(result, key);
    return value && value->as<std::string>() ? *value->as<std::string>() : std::string();
}

} // namespace collscope
