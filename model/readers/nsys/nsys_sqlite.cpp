// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/byte_source.h"
#include "model/readers/nsys/nsys_file.h"
#include "model/text/tables_mark.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <new>
#include <system_error>

namespace collscope {

namespace {

/// The year 2001 in ns since the epoch; smaller numbers count from the machine's boot.
constexpr std::int64_t earliestEpochNs = 1'000'000'000'000'000'000;

} // namespace

void NsysFile::tolerate(const char* table, const std::function<void()>& query)
{
    try {
        query();
    } catch (const std::bad_alloc&) {
        throw; // not caused by the file
    } catch (const std::exception& failure) {
        m_cancelled = m_cancelled || m_context.stop.stop_requested();
        if (m_cancelled)
            return;
        ++m_damagedTables;
        note(Severity::DataLoss, "damaged_table",
             std::string("Table ") + table + " can be read only in part (" + failure.what()
                 + "); export the report again with `nsys export --type sqlite`.");
    }
}

void NsysFile::readEvents(const char* table, std::initializer_list<std::string_view> columns,
                          const std::function<void(const NsysRow&)>& f)
{
    if (m_cancelled)
        return;
    std::uint64_t& rows = m_fragment.source.eventsInFile;
    tolerate(table, [&] {
        const auto take = [&](const NsysRow& row) {
            ++rows;
            f(row);
            if (rows % 8192 != 0)
                return true;
            const double part = static_cast<double>(rows) / static_cast<double>(std::max(m_rowsInAll, rows));
            m_context.progress(static_cast<std::uint64_t>(ReadContext::readShare * part
                                                          * static_cast<double>(m_file.bytes)));
            m_cancelled = m_context.mustStop();
            return !m_cancelled;
        };
        m_database.forEachRow(table, columns, take, m_context.parallel);
        m_cancelled = m_cancelled || m_database.isStopped();
    });
}

std::optional<TimeRange> NsysFile::timesOf(const NsysRow& row)
{
    const std::int64_t start = row.isNumber(0) ? row.integer(0) : nsysLargestTimeNs;
    std::int64_t end = nsysLargestTimeNs;
    if (row.isNull(1))
        end = start;
    else if (row.isNumber(1))
        end = row.integer(1);
    if (start >= nsysLargestTimeNs || start <= -nsysLargestTimeNs || end >= nsysLargestTimeNs
        || end <= -nsysLargestTimeNs) {
        exclude("row_without_time", "A row has no usable start or end time; it was skipped.");
        return std::nullopt;
    }
    if (end < start)
        note(Severity::Notice, "negative_duration",
             "A row ends before it starts; it is shown with no duration.");
    m_lastNs = std::max({m_lastNs, start, end});
    return TimeRange{start, std::max(start, end)};
}

StringId NsysFile::nameOf(const NsysRow& row, int column)
{
    if (const std::optional<StringId> name = m_database.name(row, column, m_fragment.strings))
        return *name;
    note(Severity::Notice, "missing_name",
         "A row's name is neither a text nor an id in the export's StringIds; it is shown as (unnamed).");
    return m_fragment.strings.intern("(unnamed)");
}

NsysDevice& NsysFile::deviceFor(std::int32_t device)
{
    return m_devices.try_emplace(device, m_fragment.strings).first->second;
}

/// CUPTI counts correlation ids per process. If several processes share a GPU, the ids of all but the first
/// are replaced, from the top down, so that a kernel is never linked to another process's launch.
std::uint32_t NsysFile::correlationOf(NsysDevice& device, std::int64_t process, std::int64_t id)
{
    if (id <= 0 || id >= Id<void>::noneValue || !device.firstProcess
        || !device.activityByProcess.contains(process))
        return 0;
    if (process == *device.firstProcess)
        return static_cast<std::uint32_t>(id);
    const auto next = Id<void>::noneValue - 1 - static_cast<std::uint32_t>(device.foreignCorrelations.size());
    return device.foreignCorrelations.try_emplace({process, id}, next).first->second;
}

void NsysFile::readSessionStart()
{
    std::int64_t epoch = 0;
    m_database.forEachRow("TARGET_INFO_SESSION_START_TIME", {"utcEpochNs"}, [&](const NsysRow& row) {
        epoch = row.integer(0);
        return false;
    });
    if (epoch < earliestEpochNs || epoch >= 3 * earliestEpochNs) {
        epoch = 0;
        m_database.forEachRow("ANALYSIS_DETAILS", {"startTime"}, [&](const NsysRow& row) {
            epoch = row.integer(0);
            return false;
        });
        if (epoch >= earliestEpochNs && epoch < 3 * earliestEpochNs)
            note(Severity::Notice, "session_start_guessed",
                 "The export has no TARGET_INFO_SESSION_START_TIME; ANALYSIS_DETAILS.startTime is used as "
                 "the wall clock.");
        else
            epoch = 0;
    }
    m_fragment.hasWallClock = epoch != 0;
    m_fragment.isOfDevices = true;
    m_fragment.clockOffsetNs = epoch;
    if (epoch == 0)
        note(Severity::Notice, "no_session_start",
             "The export does not state when the session started, so it cannot be aligned in time with "
             "NVLink counters; export the report again as SQLite, with a newer nsys.");
}

void NsysFile::noteUnreadParts()
{
    constexpr std::size_t longestList = 500; // an export may contain any number of tables
    std::string others;
    tolerate("sqlite_master", [&] {
        std::set<std::string> known(std::begin(NsysTables::all), std::end(NsysTables::all));
        known.insert({NsysTables::syncs, NsysTables::cudaEvents});
        for (const std::string& table : m_database.otherEventTables(known))
            others += (others.empty() ? "" : ", ") + table;
    });
    if (!others.empty())
        note(Severity::Info, "tables_not_read",
             "The export contains more than Collscope shows: " + others.substr(0, longestList) + ".");
    std::string views;
    for (const std::string& name : m_database.notTables())
        views += (views.empty() ? "" : ", ") + name;
    if (!views.empty())
        note(Severity::Notice, "views_not_read",
             "Views and virtual tables would have to be executed, which Collscope does not do; these were "
             "not read: "
                 + views.substr(0, longestList) + ".");
    std::error_code missing;
    if (std::filesystem::file_size(m_file.path + "-wal", missing) > 0 && !missing)
        note(Severity::Notice, "unfinished_database",
             "A write-ahead log is next to the file: the export may still be running or was interrupted.");
}

void NsysFile::finish()
{
    StepSource stepSource = StepSource::WholeTrace;
    const std::vector<Step> steps = m_steps.steps(stepSource);
    for (auto& [id, device] : m_devices) {
        Timeline timeline;
        timeline.kind = SourceKind::Nsys;
        timeline.rank = std::max(id, 0); // the device for now; assemble() adds the file's rank
        timeline.device = id;
        timeline.host = m_host;
        timeline.hasWallClock = m_fragment.hasWallClock;
        if (const auto info = m_deviceInfo.find(id); info != m_deviceInfo.end()) {
            timeline.deviceName = info->second.name;
            timeline.multiprocessors = info->second.multiprocessors;
        }
        timeline.graphTraceSpans = device.graphSpans;
        timeline.steps = steps; // NVTX names steps once for all GPUs of the file
        timeline.stepSource = stepSource;
        if (!device.builder.finish(m_fragment, std::move(timeline), m_context.parallel,
                                   [this](double) { return !m_context.mustStop(); })) {
            m_cancelled = true;
            return;
        }
    }
    m_fragment.source.shown = m_fragment.source.eventsInFile - m_fragment.source.excluded;
}

Result<TraceFragment> NsysFile::read()
{
    if (!m_database.isNsightExport())
        return error(Error::Kind::Format, "The file is a SQLite database, but not an Nsight Systems export.");
    for (const char* const table : NsysTables::all)
        tolerate(table, [&] { m_rowsInAll += m_database.rowsAtMost(table); });
    tolerate("StringIds", [this] { m_database.readStrings(); });
    tolerate("TARGET_INFO_SESSION_START_TIME", [this] { readSessionStart(); });
    tolerate("TARGET_INFO_CUDA_DEVICE", [this] { readDeviceInfo(); });
    // GPU work is read first: it decides to which timeline a process's threads belong.
    readKernels();
    readCopies();
    readMemsets();
    readGraphSpans();
    readRuntime();
    tolerate(NsysTables::syncs, [this] { readSyncs(); });
    readNvtx();
    readMetrics();
    readNetwork();
    if (m_cancelled || m_database.isStopped() || m_context.mustStop())
        return error(Error::Kind::Cancelled, "Loading was cancelled.");
    if (m_fragment.source.eventsInFile == 0)
        return error(
            Error::Kind::Format,
            "The export contains no CUDA, NVTX, GPU metric or network events; profile with `nsys profile "
            "--trace=cuda,nvtx` and export again.");
    readNames();
    noteUnreadParts();
    finish();
    if (m_cancelled || m_database.isStopped())
        return error(Error::Kind::Cancelled, "Loading was cancelled.");
    return std::move(m_fragment);
}

namespace {

Sniff sniffNsys(std::string_view fileName, std::string_view head)
{
    if (!head.starts_with("SQLite format 3") || hasTablesMark(head))
        return Sniff::No;
    // The schema of an export fills the first pages; in a large export it may be elsewhere, and the ending
    // decides.
    for (const std::string_view table :
         {"CUPTI_ACTIVITY_KIND_", "NVTX_EVENTS", "TARGET_INFO_", "ANALYSIS_DETAILS"}) {
        if (head.find(table) != std::string_view::npos)
            return Sniff::Yes;
    }
    return fileName.ends_with(".sqlite") ? Sniff::Yes : Sniff::No;
}

Result<TraceFragment> readNsys(const SourceFile& file, const ReadContext& context)
{
    // SQLite would wait for the other end of a pipe that has taken the file's place.
    if (auto source = ByteSource::open(file.path); !source)
        return source.error();
    try {
        NsysDatabase database(file.path, context);
        return NsysFile(file, context, database).read();
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& failure) {
        if (context.mustStop())
            return Error{Error::Kind::Cancelled, "Loading was cancelled.", file.path};
        return Error{Error::Kind::Format,
                     std::string("The file cannot be read as a SQLite database (") + failure.what()
                         + "); export the report again with `nsys export --type sqlite`.",
                     file.path, 0};
    }
}

} // namespace

extern const ReaderDescriptor nsysReader;
const ReaderDescriptor nsysReader{"nsys", "Nsight Systems SQLite export", SourceKind::Nsys, sniffNsys,
                                  readNsys};

} // namespace collscope
