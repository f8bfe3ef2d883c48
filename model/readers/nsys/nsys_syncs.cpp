// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What streams and CPUs wait for: which event, and on which stream it was recorded.

#include "model/readers/nsys/nsys_file.h"

#include <algorithm>
#include <tuple>

namespace collscope {

namespace {

/// CUpti_ActivitySynchronizationType (CUPTI documentation).
enum SyncType : std::int64_t
{
    EventSync = 1,
    StreamWaitsForEvent = 2,
    StreamSync = 3
};

constexpr std::int64_t notStated = 0xFFFFFFFF; // CUPTI writes the largest number of 32 bits

/// One recording of a CUDA event. Its id is that of the wait, too; the event itself is recorded again and
/// again.
struct EventRecord
{
    std::int64_t process = 0;
    std::int64_t id = 0;
    std::int64_t stream = 0;
    std::int64_t correlation = 0;

    auto key() const { return std::tie(process, id); }
};

std::int32_t streamOf(std::int64_t number)
{
    return number >= 0 && number < notStated
        ? static_cast<std::int32_t>(std::min<std::int64_t>(number, 1 << 30))
        : -1;
}

} // namespace

/// A wait and the recording of its event have the same eventSyncId. Exports without that column tell only
/// which stream waits.
void NsysFile::readSyncs()
{
    std::vector<EventRecord> records;
    m_database.forEachRow(
        NsysTables::cudaEvents, {"globalPid", "eventSyncId", "streamId", "correlationId"},
        [&](const NsysRow& row) {
            if (!row.isNull(1))
                records.push_back({row.integer(0), row.integer(1), row.integer(2), row.integer(3)});
            return !m_context.mustStop();
        });
    std::stable_sort(records.begin(), records.end(),
                     [](const EventRecord& a, const EventRecord& b) { return a.key() < b.key(); });
    m_database.forEachRow(
        NsysTables::syncs, {"globalPid", "eventSyncId", "streamId", "correlationId", "deviceId", "syncType"},
        [&](const NsysRow& row) {
            const std::int64_t type = row.integer(5);
            const std::int64_t process = row.integer(0);
            const auto device = m_devices.find(deviceOf(process, row.integer(4)));
            if (device == m_devices.end() || type < EventSync || type > StreamSync)
                return !m_context.mustStop();
            SyncDetail sync{.correlation = correlationOf(device->second, process, row.integer(3)),
                            .stream = type == EventSync ? -1 : streamOf(row.integer(2, -1))};
            const EventRecord wanted{.process = process, .id = row.integer(1, notStated)};
            const auto found = std::lower_bound(
                records.begin(), records.end(), wanted,
                [](const EventRecord& a, const EventRecord& b) { return a.key() < b.key(); });
            if (type != StreamSync && wanted.id != notStated && found != records.end()
                && found->key() == wanted.key()) {
                sync.waitedStream = streamOf(found->stream);
                sync.recordCorrelation = correlationOf(device->second, process, found->correlation);
            }
            if (sync.correlation != 0)
                device->second.builder.addSync(sync);
            return !m_context.mustStop();
        });
}

} // namespace collscope
