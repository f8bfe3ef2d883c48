// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/nsys/nsys_file.h"

#include <algorithm>

namespace collscope {

namespace {

// NVTX event types (ENUM_NSYS_EVENT_TYPE).
constexpr std::int64_t nvtxMark = 34;
constexpr std::int64_t nvtxThreadName = 39;
constexpr std::int64_t nvtxPushPop = 59;
constexpr std::int64_t nvtxStartEnd = 60;

std::string tidText(std::int64_t globalTid)
{
    return std::to_string(globalTid & nsysThreadMask);
}

} // namespace

const NsysFile::CpuThread& NsysFile::threadOf(std::int64_t globalTid)
{
    const auto [found, isNew] = m_threads.try_emplace(globalTid);
    CpuThread& thread = found->second;
    if (!isNew)
        return thread;
    // A process's threads belong to the GPU to which it gave the most work; threads of a process without GPU
    // work belong to the first GPU.
    std::uint64_t most = 0;
    for (auto& [id, device] : m_devices) {
        const auto activity = device.activityByProcess.find(nsysProcessOf(globalTid));
        if (activity != device.activityByProcess.end() && activity->second > most) {
            most = activity->second;
            thread.device = &device;
        }
    }
    if (!thread.device)
        thread.device = m_devices.empty() ? &deviceFor(-1) : &m_devices.begin()->second;
    thread.track
        = thread.device->builder.track(TrackKind::CpuThread, nsysPidText(globalTid), tidText(globalTid));
    return thread;
}

void NsysFile::readRuntime()
{
    readEvents(NsysTables::runtime, {"start", "end", "correlationId", "globalTid", "nameId|name"},
               [this](const NsysRow& row) {
                   const std::optional<TimeRange> times = timesOf(row);
                   if (!times)
                       return;
                   const std::int64_t globalTid = row.integer(3);
                   const CpuThread& thread = threadOf(globalTid);
                   SliceRow slice;
                   slice.startNs = times->beginNs;
                   slice.durationNs = times->lengthNs();
                   slice.name = nameOf(row, 4);
                   slice.category = SliceCategory::Runtime;
                   slice.correlation
                       = correlationOf(*thread.device, nsysProcessOf(globalTid), row.integer(2));
                   thread.device->builder.addSlice(thread.track, slice);
                   if (m_nccl.hasKernels())
                       m_nccl.addLaunch(globalTid, row.integer(2), times->beginNs);
               });
}

void NsysFile::addNvtx(const NsysRow& row)
{
    const std::int64_t type = row.integer(2, nvtxPushPop);
    const std::int64_t globalTid = row.integer(3);
    if (type == nvtxThreadName) {
        if (const auto name = m_database.name(row, 4, m_fragment.strings))
            threadOf(globalTid).device->builder.setThreadName(nsysPidText(globalTid), tidText(globalTid),
                                                              m_fragment.strings.view(*name));
        return;
    }
    if (type != nvtxMark && type != nvtxPushPop && type != nvtxStartEnd) {
        ++m_fragment.source.excluded;
        note(Severity::Info, "nvtx_definitions",
             "NVTX rows that only define domains, categories or resources are not shown.", 1);
        return;
    }
    const std::optional<TimeRange> times = timesOf(row);
    if (!times)
        return;
    const StringId name = nameOf(row, 4);
    if (type == nvtxMark) {
        const CpuThread& thread = threadOf(globalTid);
        thread.device->builder.addInstant(thread.track, times->beginNs, name);
    } else if (row.isNull(1)) {
        m_openRanges.push_back({name, times->beginNs, globalTid});
    } else if (const std::string_view text = m_fragment.strings.view(name);
               type == nvtxPushPop && NcclRanges::isName(text)) {
        NcclRanges::Range range;
        range.name = name;
        range.times = *times;
        range.globalTid = globalTid;
        range.text = text;
        range.payload = ncclPayloadOfJson(m_database.textOf(row, 5));
        if (!range.payload)
            range.payload = m_payloadLayouts.decode(row.bytes(6));
        m_nccl.add(std::move(range));
    } else {
        addRange(name, *times, globalTid);
    }
}

void NsysFile::addRange(StringId name, TimeRange times, std::int64_t globalTid,
                        const std::optional<CollectiveCall>& call)
{
    const CpuThread& thread = threadOf(globalTid);
    SliceRow slice;
    slice.startNs = times.beginNs;
    slice.durationNs = times.lengthNs();
    slice.name = name;
    slice.category = SliceCategory::Nvtx;
    if (call)
        slice.collective = thread.device->builder.addCollective(*call);
    thread.device->builder.addSlice(thread.track, slice);
    m_steps.add(name, m_fragment.strings.view(name), times, globalTid);
}

void NsysFile::readPayloadLayouts()
{
    constexpr std::uint64_t mostRows = 1 << 20; // a schema has a few rows per process
    std::uint64_t rows = 0;
    tolerate("NVTX_PAYLOAD_SCHEMA_ENTRIES", [&] {
        m_database.forEachRow("NVTX_PAYLOAD_SCHEMA_ENTRIES",
                              {"domainId", "schemaId", "name", "type", "offset"}, [&](const NsysRow& row) {
                                  m_payloadLayouts.add(row.integer(0), row.integer(1),
                                                       m_database.textOf(row, 2), row.integer(3),
                                                       row.integer(4));
                                  return ++rows < mostRows;
                              });
    });
}

void NsysFile::addNcclRanges(bool isWhole)
{
    m_nccl.resolve(m_fragment.strings, isWhole);
    for (const NcclRanges::Range& range : m_nccl.ranges())
        addRange(range.name, range.times, range.globalTid, range.call);
    if (m_nccl.callCount() > 0 && m_nccl.payloadCount() == 0)
        note(Severity::Notice, "nccl_without_payloads",
             "The export contains NCCL's calls without their payloads: their communicators and message sizes "
             "are unknown. Export the report again with `nsys export --type sqlite --include-blobs=true`.");
    if (m_nccl.ambiguousKernels() > 0)
        note(Severity::Notice, "nccl_groups",
             "Groups of NCCL calls (ncclGroupStart to ncclGroupEnd) launched several kernels; which call "
             "launched which kernel is unknown, so "
                 + std::to_string(m_nccl.ambiguousKernels()) + " kernels have no message size.");
}

void NsysFile::readNvtx()
{
    readPayloadLayouts();
    const std::uint64_t damage = m_damagedTables;
    readEvents(NsysTables::nvtx,
               {"start", "end", "eventType", "globalTid", "text|textId", "jsonText|jsonTextId", "binaryData"},
               [this](const NsysRow& row) { addNvtx(row); });
    addNcclRanges(m_damagedTables == damage);
    for (const OpenRange& range : m_openRanges) {
        addRange(range.name, {range.beginNs, std::max(range.beginNs, m_lastNs)}, range.globalTid);
        note(Severity::Notice, "open_range",
             "An NVTX range has no end; it is shown up to the end of the capture.");
    }
    if (m_steps.hasRepeatedNumbers())
        note(Severity::Notice, "repeated_step",
             "One thread used the same step number more than once; ranges of one number were merged into one "
             "step.");
}

void NsysFile::readNames()
{
    tolerate("ThreadNames", [this] {
        m_database.forEachRow("ThreadNames", {"globalTid", "nameId"}, [this](const NsysRow& row) {
            const auto thread = m_threads.find(row.integer(0));
            if (thread == m_threads.end())
                return true;
            if (const auto name = m_database.name(row, 1, m_fragment.strings))
                thread->second.device->builder.setThreadName(
                    nsysPidText(thread->first), tidText(thread->first), m_fragment.strings.view(*name));
            return true;
        });
    });
    tolerate("PROCESSES", [this] {
        m_database.forEachRow("PROCESSES", {"globalPid", "name"}, [this](const NsysRow& row) {
            const std::int64_t process = row.integer(0);
            const auto thread = m_threads.lower_bound(process);
            if (thread == m_threads.end() || nsysProcessOf(thread->first) != process)
                return true;
            if (const auto name = m_database.name(row, 1, m_fragment.strings))
                thread->second.device->builder.setProcessName(nsysPidText(process),
                                                              m_fragment.strings.view(*name));
            return true;
        });
    });
    tolerate("TARGET_INFO_SYSTEM_ENV", [this] {
        m_database.forEachRow("TARGET_INFO_SYSTEM_ENV", {"name", "value"}, [this](const NsysRow& row) {
            if (row.text(0) == "Hostname")
                m_host = m_fragment.strings.intern(row.text(1));
            return !m_host;
        });
    });
}

} // namespace collscope
