// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Reads one Nsight Systems export, table by table, whether it was written as SQLite or as JSON.
// nsys_sqlite.cpp contains the code that the GPU side (nsys_gpu.cpp) and the CPU side (nsys_cpu.cpp) share.

#include "model/readers/nsys/nsys_database.h"
#include "model/readers/nsys/nsys_ids.h"
#include "model/readers/nsys/nsys_nccl.h"
#include "model/readers/nsys/nsys_steps.h"
#include "model/readers/reader.h"

#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace collscope {

/// Times beyond this (73 years) are damage; the sum of two such times fits in 64 bits.
constexpr std::int64_t nsysLargestTimeNs = std::int64_t{1} << 61;

/// Tables read as events; each of their rows is counted in SourceInfo.
struct NsysTables
{
    static constexpr const char* kernels = "CUPTI_ACTIVITY_KIND_KERNEL";
    static constexpr const char* copies = "CUPTI_ACTIVITY_KIND_MEMCPY";
    static constexpr const char* memsets = "CUPTI_ACTIVITY_KIND_MEMSET";
    static constexpr const char* graphs = "CUPTI_ACTIVITY_KIND_GRAPH_TRACE";
    static constexpr const char* runtime = "CUPTI_ACTIVITY_KIND_RUNTIME";
    static constexpr const char* nvtx = "NVTX_EVENTS";
    static constexpr const char* metrics = "GPU_METRICS";
    static constexpr const char* cards = "NET_NIC_METRIC";
    static constexpr const char* switches = "NET_IB_SWITCH_METRIC";
    static constexpr const char* all[]
        = {kernels, copies, memsets, graphs, runtime, nvtx, metrics, cards, switches};
    // What explains events, and is not shown itself:
    static constexpr const char* syncs = "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION";
    static constexpr const char* cudaEvents = "CUPTI_ACTIVITY_KIND_CUDA_EVENT";
};

/// The data collected for one GPU of the file.
struct NsysDevice
{
    explicit NsysDevice(StringTable& strings)
        : builder(strings)
    { }

    FragmentBuilder builder;
    std::uint64_t graphSpans = 0;
    std::map<std::int64_t, std::uint64_t> activityByProcess; ///< globalPid -> kernels, copies, memsets
    std::optional<std::int64_t> firstProcess;
    std::map<std::pair<std::int64_t, std::int64_t>, std::uint32_t>
        streamTracks; ///< (globalPid, stream) -> track
    std::map<std::pair<std::int64_t, std::int64_t>, std::uint32_t> foreignCorrelations;
};

/// The file's description of a GPU.
struct NsysDeviceInfo
{
    StringId name;
    std::int32_t multiprocessors = 0;
};

class NsysNetworkTable;

/// Reads one export: one query per table, then one timeline per GPU.
class NsysFile
{
public:
    NsysFile(const SourceFile& file, const ReadContext& context, NsysDatabase& database)
        : m_file(file)
        , m_context(context)
        , m_database(database)
    {
        m_fragment.source.path = file.path;
        m_fragment.source.kind = SourceKind::Nsys;
        m_fragment.source.bytes = file.bytes;
        m_fragment.source.iteration = file.iteration;
    }

    /// Reports events that were lost between the file and the tables, with the reasons. Call before read().
    void addLost(const Diagnostics& problems, std::uint64_t events)
    {
        m_fragment.problems.merge(problems);
        m_fragment.source.eventsInFile += events;
        m_fragment.source.excluded += events;
    }
    Result<TraceFragment> read();

private:
    struct OpenRange
    {
        StringId name;
        std::int64_t beginNs = 0;
        std::int64_t globalTid = 0;
    };
    struct CpuThread
    {
        NsysDevice* device = nullptr;
        std::uint32_t track = 0;
    };

    Error error(Error::Kind kind, std::string message) const
    {
        return {kind, std::move(message), m_file.path, 0};
    }
    void note(Severity severity, std::string_view code, std::string_view explanation,
              std::uint64_t excluded = 0)
    {
        m_fragment.problems.add(severity, code, m_file.path, 0, explanation, excluded);
    }
    void exclude(std::string_view code, std::string_view explanation)
    {
        ++m_fragment.source.excluded;
        note(Severity::DataLoss, code, explanation, 1);
    }

    void readSessionStart();
    void readDeviceInfo();
    void readKernels();
    KernelClass kernelClassOf(StringId shortName, std::optional<StringId> fullName);
    void readCopies();
    void readMemsets();
    void readGraphSpans();
    void readRuntime();
    void readSyncs();
    void readNvtx();
    void readMetrics();
    void readNetwork();
    void readNetworkTable(const char* table, NsysNetworkTable& network);
    void readNames();
    void noteUnreadParts();
    void finish();

    /// Runs a query on `table`; a damaged page becomes a problem, and the rows read before it are kept.
    void tolerate(const char* table, const std::function<void()>& query);
    /// Reads one event table: counts its rows and reports progress.
    void readEvents(const char* table, std::initializer_list<std::string_view> columns,
                    const std::function<void(const NsysRow&)>& f);
    /// Start and duration from columns 0 and 1; nullopt, with a problem, if the start is not usable.
    std::optional<TimeRange> timesOf(const NsysRow& row);
    void addGpuWork(const NsysRow& row, SliceRow slice, KernelDetail detail);
    void addNvtx(const NsysRow& row);
    void addRange(StringId name, TimeRange times, std::int64_t globalTid,
                  const std::optional<CollectiveCall>& call = {});
    void readPayloadLayouts();
    /// Adds NCCL's ranges, once all are known.
    void addNcclRanges(bool isWhole);
    StringId nameOf(const NsysRow& row, int column);
    std::int32_t deviceOf(std::int64_t globalPid, std::int64_t deviceId) const;
    NsysDevice& deviceFor(std::int32_t device);
    const CpuThread& threadOf(std::int64_t globalTid);
    std::uint32_t correlationOf(NsysDevice& device, std::int64_t process, std::int64_t id);

    const SourceFile& m_file;
    const ReadContext& m_context;
    NsysDatabase& m_database;
    TraceFragment m_fragment;
    std::map<std::int32_t, NsysDevice> m_devices;
    std::map<std::int32_t, NsysDeviceInfo> m_deviceInfo;
    std::map<std::pair<std::int64_t, std::int64_t>, std::int32_t>
        m_gpuOf; ///< (pid, CUDA ordinal) -> GPU, if ordinals repeat
    std::map<std::int64_t, CpuThread> m_threads; ///< by globalTid
    std::unordered_map<std::uint64_t, KernelClass> m_classByNames; ///< by StringIds, short and full
    NvtxSteps m_steps;
    NvtxPayloadLayouts m_payloadLayouts;
    NcclRanges m_nccl;
    StringId m_host;
    std::vector<OpenRange> m_openRanges; ///< NVTX ranges without an end
    std::int64_t m_lastNs = 0; ///< latest end seen so far, for ranges that are still open
    std::uint64_t m_rowsInAll = 0;
    std::uint64_t m_damagedTables = 0;
    bool m_cancelled = false;
};

} // namespace collscope
