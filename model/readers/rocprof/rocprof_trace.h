// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The records of rocprofv3, in whichever file they are, as timelines: one for each GPU.

#include "model/readers/nsys/nsys_steps.h"
#include "model/readers/reader.h"
#include "model/readers/rocprof/rccl_calls.h"

#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace collscope {

/// A CPU or a GPU of a node.
struct RocprofAgent
{
    std::int64_t node = 0; ///< of the cluster
    bool isGpu = false;
    std::int32_t number = 0; ///< among the node's GPUs
    StringId name; ///< "AMD Instinct MI300X"; none if not stated
    std::int32_t computeUnits = 0; ///< 0 = not stated
};

struct RocprofKernel
{
    StringId name;
    KernelClass kernelClass = KernelClass::None;
    std::int32_t registers = -1; ///< vector registers per thread
};

/// Agents, kernels, correlations and threads are numbered per process; so is `process` by the file.
class RocprofTrace
{
public:
    /// What records have in common.
    struct Record
    {
        std::int64_t process = 0;
        std::uint64_t beginNs = 0, endNs = 0; ///< as written: since the machine booted
        std::uint64_t correlation = 0; ///< 0 = none
    };
    struct Dispatch : Record
    {
        std::uint64_t agent = 0, kernel = 0;
        std::int64_t queue = -1, stream = -1; ///< of the hardware; of HIP
        std::int64_t groupMemory = -1; ///< bytes of LDS
        std::int64_t workItems[3] = {0, 0, 0}; ///< of the grid
        std::int64_t groupSize[3] = {0, 0, 0}; ///< work-items of a workgroup
    };
    struct Copy : Record
    {
        std::optional<std::uint64_t> source, destination; ///< agents
        std::string_view operation; ///< "MEMORY_COPY_HOST_TO_DEVICE"
        std::int64_t bytes = -1;
        std::int64_t stream = -1;
    };
    struct Call : Record
    {
        std::int64_t thread = 0;
        std::string_view name;
        bool isMarker = false; ///< ROCTx
        std::optional<CollectiveCall> collective; ///< of a call of RCCL
    };

    RocprofTrace(const SourceFile& file, const ReadContext& context);

    void addAgent(std::int64_t process, std::uint64_t id, const RocprofAgent& agent);
    void addKernel(std::int64_t process, std::uint64_t id, std::string_view name, std::int64_t registers);
    void setHost(std::string_view name);
    void setThreadName(std::int64_t process, std::int64_t thread, std::string_view name);

    void add(const Dispatch& dispatch);
    void add(const Copy& copy);
    void add(const Call& call);
    /// Counts an event of the file that is not shown.
    void exclude(Severity severity, std::string_view code, std::string_view explanation,
                 std::uint64_t offset = 0, std::uint64_t events = 1);

    StringTable& strings() { return m_fragment.strings; }
    Diagnostics& problems() { return m_fragment.problems; }
    std::uint64_t events() const { return m_fragment.source.eventsInFile; }
    /// Makes the timelines. Cancelled, or Format without any event.
    Result<TraceFragment> finish();

private:
    using Key = std::pair<std::int64_t, std::uint64_t>; ///< process and number
    struct KeyHash
    {
        std::size_t operator()(const Key& key) const
        {
            constexpr std::uint64_t multiplier = 0x9E37'79B9'7F4A'7C15u;
            return static_cast<std::size_t>((key.second + static_cast<std::uint64_t>(key.first) * multiplier)
                                            * multiplier);
        }
    };
    struct Device
    {
        explicit Device(StringTable& strings)
            : builder(strings)
        { }
        FragmentBuilder builder;
        StringId name;
        std::int32_t computeUnits = 0;
        std::map<std::int64_t, std::uint64_t> workOf; ///< kernels and copies by process
        std::map<Key, std::uint32_t> tracks; ///< by process and queue; copies have a queue of their own
    };

    /// The GPU of a record, as the one before had: most records follow others of the same GPU and queue.
    struct Place
    {
        Key agent;
        Device* device = nullptr;
        std::int32_t number = 0; ///< among the node's GPUs
        std::int64_t queue = -1;
        std::uint32_t track = 0;
        std::uint64_t* work = nullptr;
    };

    std::optional<TimeRange> timesOf(const Record& record);
    std::uint32_t correlationOf(const Record& record);
    Place& placeOf(std::int64_t process, std::uint64_t agent, std::int64_t queue);
    Device& deviceOf(std::int64_t process, std::uint64_t agent);
    FragmentBuilder& threadsOf(std::int64_t process);
    std::uint32_t trackOf(Device& device, std::int64_t process, std::int64_t queue);
    void addWork(Place& place, const Record& record, TimeRange times, SliceRow slice, KernelDetail detail);
    void giveThreads();
    void noteUnknownCollectives();
    Timeline timelineOf(std::int32_t number, const Device& device) const;

    const SourceFile& m_file;
    const ReadContext& m_context;
    TraceFragment m_fragment;
    std::unordered_map<Key, RocprofAgent, KeyHash> m_agents;
    std::unordered_map<Key, RocprofKernel, KeyHash> m_kernels;
    std::map<std::int64_t, std::int32_t> m_nodes; ///< number of each node of the cluster
    std::int32_t m_gpusPerNode = 1;
    std::map<std::int32_t, Device> m_devices;
    Place m_last;
    std::map<std::int64_t, FragmentBuilder> m_threads; ///< of each process, until its device is known
    std::unordered_map<Key, std::uint32_t, KeyHash> m_replacedCorrelations;
    std::optional<std::int64_t> m_firstProcess;
    NvtxSteps m_steps;
    StringId m_host;
    std::map<std::int64_t, RcclCalls> m_rcclCalls; ///< by process
    std::uint64_t m_dispatches = 0, m_copies = 0;
};

} // namespace collscope
