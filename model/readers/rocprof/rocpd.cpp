// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Reads rocpd, the SQLite database of rocprofv3 (*_results.db). Its tables, versions 3 and 4 of the schema,
// are defined by ROCm/rocm-systems, projects/rocprofiler-sdk,
// source/share/rocprofiler-sdk-rocpd/rocpd_tables.sql, and filled by source/lib/output/generateRocpd.cpp.
// Their names end with an id of the process that wrote them; the views without it would have to be executed,
// and are not used.

#include "model/kernels/nccl_functions.h"
#include "model/readers/byte_source.h"
#include "model/readers/rocprof/rocpd_tables.h"
#include "model/readers/rocprof/rocprof_trace.h"
#include "model/text/tables_mark.h"

#include <nlohmann/json.hpp>

#include <array>
#include <charconv>
#include <exception>
#include <new>

namespace collscope {

namespace {

constexpr std::string_view agentTable = "rocpd_info_agent";

/// Arguments of a call of RCCL that tell its size.
struct RcclArguments
{
    std::optional<std::int64_t> count, peer, root;
    std::string elementType;
};

/// ncclDataType_t, as PyTorch names the types.
std::string rcclTypeOf(std::string_view text)
{
    static constexpr std::array<std::string_view, 10> types{"Char",   "Byte", "Int",   "UInt32", "Long",
                                                            "UInt64", "Half", "Float", "Double", "BFloat16"};
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc() && end == text.data() + text.size())
        return std::string(number < types.size() ? types[number] : std::string_view());
    return std::string(text);
}

std::optional<std::int64_t> rocpdNumber(std::string_view text)
{
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() && number >= 0 ? std::optional(number)
                                                                                   : std::nullopt;
}

/// The tables of one process that wrote into the database.
class RocpdProcess
{
public:
    RocpdProcess(NsysDatabase& database, std::string suffix, std::int64_t number, const ReadContext& context,
                 const SourceFile& file, RocprofTrace& trace)
        : m_database(database)
        , m_suffix(std::move(suffix))
        , m_number(number)
        , m_context(context)
        , m_file(file)
        , m_trace(trace)
    { }

    void read()
    {
        tolerate("rocpd_string", [this] { readStrings(); });
        tolerate("rocpd_info_node", [this] { readDescriptions(); });
        tolerate("rocpd_track", [this] { readTracks(); });
        tolerate("rocpd_timestamp", [this] { readTimes(); });
        tolerate("rocpd_event", [this] { readEvents(); });
        tolerate("rocpd_arg", [this] { readArguments(); });
        tolerate("rocpd_kernel_dispatch", [this] { readDispatches(); });
        tolerate("rocpd_memory_copy", [this] { readCopies(); });
        tolerate("rocpd_region", [this] { readCalls("rocpd_region", false); });
        tolerate("rocpd_sample", [this] { readCalls("rocpd_sample", true); });
        for (const char* const table :
             {"rocpd_memory_allocate", "rocpd_pmc_event", "rocpd_graph_launch", "rocpd_gpu_pc_sample"})
            tolerate(table, [&] { countRows(table); });
    }

private:
    template<typename Read>
    void tolerate(std::string_view table, Read&& read)
    {
        if (m_database.isStopped())
            return;
        try {
            read();
        } catch (const std::bad_alloc&) {
            throw; // not caused by the file
        } catch (const std::exception& failure) {
            if (m_context.stop.stop_requested())
                throw;
            m_trace.problems().add(Severity::DataLoss, "damaged_table", m_file.path, 0,
                                   "Table " + std::string(table) + " can be read only in part ("
                                       + failure.what() + ").");
        }
    }
    void forEachRow(std::string_view table, std::initializer_list<std::string_view> columns,
                    const std::function<void(const NsysRow&)>& f)
    {
        const auto take = [&](const NsysRow& row) {
            f(row);
            constexpr std::uint64_t reportEvery = 8192;
            if (++m_rows % reportEvery == 0)
                m_context.progress(std::min(m_file.bytes, m_rows * bytesPerRow));
            return true;
        };
        m_database.forEachRow(std::string(table) + m_suffix, columns, take, m_context.parallel);
    }

    /// Numbers of processes that wrote into one database may repeat.
    std::int64_t processOf(std::int64_t pid) const
    {
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(pid)
                                         + (static_cast<std::uint64_t>(m_number) << 32));
    }
    std::string_view textOf(std::int64_t id) const
    {
        const auto text = m_textOf.find(id);
        return text == m_textOf.end() ? std::string_view() : m_texts.view(text->second);
    }

    void readStrings();
    void readDescriptions();
    void readTracks();
    void readTimes();
    void readEvents();
    void readArguments();
    void readDispatches();
    void readCopies();
    void readCalls(std::string_view table, bool areMarkers);
    void countRows(std::string_view table);
    std::uint64_t timeOf(const NsysRow& row, int column, int idColumn);
    RocprofTrace::Record recordOf(const NsysRow& row, RocpdTrack& track);
    std::string_view categoryOf(std::int64_t category) const;
    std::optional<CollectiveCall> collectiveOf(std::string_view function, std::int64_t event);

    static constexpr std::uint64_t bytesPerRow = 100; // in the file, roughly

    NsysDatabase& m_database;
    std::string m_suffix;
    std::int64_t m_number;
    const ReadContext& m_context;
    const SourceFile& m_file;
    RocprofTrace& m_trace;
    StringTable m_texts;
    std::unordered_map<std::int64_t, StringId> m_textOf, m_categoryNames;
    RocpdColumn<RocpdTrack> m_tracks;
    RocpdColumn<std::int64_t> m_times;
    RocpdColumn<RocpdEvent> m_events;
    std::unordered_map<std::int64_t, StringId> m_messages; ///< of markers, by event
    std::unordered_map<std::int64_t, RcclArguments> m_arguments; ///< of calls of RCCL, by event
    std::uint64_t m_rows = 0;
};

void RocpdProcess::readStrings()
{
    forEachRow("rocpd_string", {"id", "string"}, [this](const NsysRow& row) {
        if (row.isText(1))
            m_textOf[row.integer(0)] = m_texts.intern(row.text(1));
    });
    forEachRow("rocpd_info_category", {"id", "name"}, [this](const NsysRow& row) {
        if (row.isText(1))
            m_categoryNames[row.integer(0)] = m_texts.intern(row.text(1));
    });
}

void RocpdProcess::readDescriptions()
{
    constexpr std::int64_t mostGpus = 1 << 16;
    forEachRow("rocpd_info_node", {"id", "hostname"},
               [this](const NsysRow& row) { m_trace.setHost(row.text(1)); });
    forEachRow(
        agentTable, {"id", "pid", "nid", "type", "type_index", "product_name|model_name|name", "extdata"},
        [&](const NsysRow& row) {
            RocprofAgent agent;
            agent.node = row.integer(2);
            agent.isGpu = row.text(3) == "GPU";
            agent.number = static_cast<std::int32_t>(std::clamp<std::int64_t>(row.integer(4), 0, mostGpus));
            if (!row.text(5).empty())
                agent.name = m_trace.strings().intern(row.text(5));
            const auto more = nlohmann::json::parse(row.text(6), nullptr, false);
            if (more.is_object() && more.contains("cu_count") && more["cu_count"].is_number_integer())
                agent.computeUnits = static_cast<std::int32_t>(
                    std::clamp<std::int64_t>(more["cu_count"].get<std::int64_t>(), 0, mostGpus));
            m_trace.addAgent(processOf(row.integer(1)), static_cast<std::uint64_t>(row.integer(0)), agent);
        });
    forEachRow("rocpd_info_kernel_symbol", {"id", "pid", "display_name|kernel_name", "arch_vgpr_count"},
               [&](const NsysRow& row) {
                   if (!row.text(2).empty())
                       m_trace.addKernel(processOf(row.integer(1)),
                                         static_cast<std::uint64_t>(row.integer(0)), row.text(2),
                                         row.integer(3, -1));
               });
    forEachRow("rocpd_info_thread", {"pid", "tid", "name"}, [&](const NsysRow& row) {
        m_trace.setThreadName(processOf(row.integer(0)), row.integer(1), row.text(2));
    });
}

void RocpdProcess::readTracks()
{
    forEachRow("rocpd_track", {"id", "pid", "tid", "agent_id", "queue_id", "stream_id"},
               [this](const NsysRow& row) {
                   m_tracks.add(row.integer(0),
                                {row.integer(1), row.integer(2), row.integer(3, -1), row.integer(4, -1),
                                 row.integer(5, -1)});
               });
    m_tracks.settle();
}

void RocpdProcess::readTimes()
{
    forEachRow("rocpd_timestamp", {"id", "value"},
               [this](const NsysRow& row) { m_times.add(row.integer(0), row.integer(1)); });
    m_times.settle();
}

std::string_view RocpdProcess::categoryOf(std::int64_t category) const
{
    const auto name = m_categoryNames.find(category);
    return name == m_categoryNames.end() ? textOf(category) : m_texts.view(name->second);
}

void RocpdProcess::readEvents()
{
    constexpr std::size_t longestMessage = std::size_t{64} << 10;
    forEachRow("rocpd_event", {"id", "stack_id", "category_id", "extdata"}, [&](const NsysRow& row) {
        const RocpdEvent event{static_cast<std::uint64_t>(std::max<std::int64_t>(row.integer(1), 0)),
                               row.integer(2, -1)};
        m_events.add(row.integer(0), event);
        const std::string_view more = row.text(3);
        if (more.size() <= 2 || more.size() > longestMessage
            || !categoryOf(event.category).starts_with("MARKER"))
            return;
        const auto json = nlohmann::json::parse(more, nullptr, false);
        if (json.is_object() && json.contains("message") && json["message"].is_string())
            m_messages[row.integer(0)] = m_texts.intern(json["message"].get<std::string>());
    });
    m_events.settle();
}

void RocpdProcess::readArguments()
{
    forEachRow("rocpd_arg", {"event_id", "name", "value"}, [this](const NsysRow& row) {
        const std::string_view name = row.text(1);
        const bool isCount = name == "count" || name == "sendcount" || name == "recvcount";
        if (!isCount && name != "datatype" && name != "peer" && name != "root")
            return;
        const RocpdEvent* const event = m_events.find(row.integer(0));
        if (!event || !categoryOf(event->category).starts_with("RCCL"))
            return;
        RcclArguments& own = m_arguments[row.integer(0)];
        const std::string number = row.isText(2) ? std::string(row.text(2)) : std::to_string(row.integer(2));
        if (isCount)
            own.count = rocpdNumber(number);
        else if (name == "peer")
            own.peer = rocpdNumber(number);
        else if (name == "root")
            own.root = rocpdNumber(number);
        else
            own.elementType = rcclTypeOf(number);
    });
}

/// A time of a row: in the row (version 3), or in the table of times (version 4).
std::uint64_t RocpdProcess::timeOf(const NsysRow& row, int column, int idColumn)
{
    std::int64_t time = row.integer(column);
    if (row.isNull(column)) {
        const std::int64_t* const found = m_times.find(row.integer(idColumn));
        time = found ? *found : 0;
    }
    return static_cast<std::uint64_t>(std::max<std::int64_t>(time, 0));
}

/// Columns of a query for recordOf() before those of the table: start, end, their ids, event, track, process,
/// thread.
constexpr int firstOwnColumn = 8;

RocprofTrace::Record RocpdProcess::recordOf(const NsysRow& row, RocpdTrack& track)
{
    if (!row.isNull(5)) {
        if (const RocpdTrack* const found = m_tracks.find(row.integer(5)))
            track = *found;
    }
    track.process = processOf(row.integer(6, track.process));
    track.thread = row.integer(7, track.thread);
    RocprofTrace::Record record;
    record.process = track.process;
    record.beginNs = timeOf(row, 0, 2);
    record.endNs = row.isNull(1) && row.isNull(3) ? record.beginNs : timeOf(row, 1, 3);
    if (const RocpdEvent* const event = m_events.find(row.integer(4, -1)))
        record.correlation = event->correlation;
    return record;
}

void RocpdProcess::readDispatches()
{
    forEachRow("rocpd_kernel_dispatch",
               {"start|timestamp", "end", "start_id|timestamp_id", "end_id", "event_id", "track_id", "pid",
                "tid", "agent_id", "queue_id", "stream_id", "kernel_id", "group_segment_size", "grid_size_x",
                "grid_size_y", "grid_size_z", "workgroup_size_x", "workgroup_size_y", "workgroup_size_z"},
               [this](const NsysRow& row) {
                   RocpdTrack track;
                   RocprofTrace::Dispatch dispatch;
                   static_cast<RocprofTrace::Record&>(dispatch) = recordOf(row, track);
                   dispatch.agent = static_cast<std::uint64_t>(row.integer(firstOwnColumn, track.agent));
                   dispatch.queue = row.integer(firstOwnColumn + 1, track.queue);
                   dispatch.stream = row.integer(firstOwnColumn + 2, track.stream);
                   dispatch.kernel = static_cast<std::uint64_t>(row.integer(firstOwnColumn + 3));
                   dispatch.groupMemory = row.integer(firstOwnColumn + 4, -1);
                   for (int axis = 0; axis < 3; ++axis) {
                       dispatch.workItems[axis] = row.integer(firstOwnColumn + 5 + axis);
                       dispatch.groupSize[axis] = row.integer(firstOwnColumn + 8 + axis);
                   }
                   m_trace.add(dispatch);
               });
}

void RocpdProcess::readCopies()
{
    forEachRow("rocpd_memory_copy",
               {"start|timestamp", "end", "start_id|timestamp_id", "end_id", "event_id", "track_id", "pid",
                "tid", "src_agent_id", "dst_agent_id", "name_id", "size", "stream_id"},
               [this](const NsysRow& row) {
                   RocpdTrack track;
                   RocprofTrace::Copy copy;
                   static_cast<RocprofTrace::Record&>(copy) = recordOf(row, track);
                   if (!row.isNull(firstOwnColumn))
                       copy.source = static_cast<std::uint64_t>(row.integer(firstOwnColumn));
                   if (!row.isNull(firstOwnColumn + 1))
                       copy.destination = static_cast<std::uint64_t>(row.integer(firstOwnColumn + 1));
                   copy.operation = textOf(row.integer(firstOwnColumn + 2, -1));
                   copy.bytes = row.integer(firstOwnColumn + 3, -1);
                   copy.stream = row.integer(firstOwnColumn + 4, track.stream);
                   m_trace.add(copy);
               });
}

/// The call of RCCL with its size, where its arguments tell it: those of all-gather, reduce-scatter and
/// all-to-all count the part of one rank, and the number of ranks is not among them.
std::optional<CollectiveCall> RocpdProcess::collectiveOf(std::string_view function, std::int64_t event)
{
    const auto kind = ncclFunctionClass(function);
    if (!kind)
        return std::nullopt;
    CollectiveCall call;
    call.kind = *kind;
    call.onGpu = false;
    call.name = m_trace.strings().intern(function);
    const auto found = m_arguments.find(event);
    if (found == m_arguments.end())
        return call;
    const RcclArguments& own = found->second;
    call.elementType = m_trace.strings().intern(own.elementType);
    const bool isWhole = *kind == KernelClass::AllReduce || *kind == KernelClass::Broadcast
        || *kind == KernelClass::Reduce || *kind == KernelClass::SendRecv;
    if (isWhole)
        call.inElements = call.outElements = own.count;
    call.sourceRank = function == "ncclRecv" ? own.peer : own.root;
    if (function == "ncclSend")
        call.destinationRank = own.peer;
    return call;
}

/// Reads regions, or samples: markers without a duration.
void RocpdProcess::readCalls(std::string_view table, bool areMarkers)
{
    forEachRow(table,
               {"start|timestamp", "end", "start_id|timestamp_id", "end_id", "event_id", "track_id", "pid",
                "tid", "name_id"},
               [&](const NsysRow& row) {
                   RocpdTrack track;
                   RocprofTrace::Call call;
                   static_cast<RocprofTrace::Record&>(call) = recordOf(row, track);
                   call.thread = track.thread;
                   const std::int64_t id = row.integer(4, -1);
                   const RocpdEvent* const event = m_events.find(id);
                   const std::string_view category = event ? categoryOf(event->category) : std::string_view();
                   call.name = textOf(row.integer(firstOwnColumn, -1));
                   call.isMarker = areMarkers || category.starts_with("MARKER");
                   if (!call.isMarker && category.starts_with("RCCL"))
                       call.collective = collectiveOf(call.name, id);
                   const auto message = call.isMarker ? m_messages.find(id) : m_messages.end();
                   if (message != m_messages.end())
                       call.name = m_texts.view(message->second);
                   if (call.name.empty())
                       call.name = "(unnamed)";
                   m_trace.add(call);
               });
}

void RocpdProcess::countRows(std::string_view table)
{
    std::uint64_t rows = 0;
    forEachRow(table, {"id"}, [&](const NsysRow&) { ++rows; });
    if (rows > 0)
        m_trace.exclude(Severity::Info, "records_not_shown",
                        "Records of memory allocations, scratch memory, performance counters and samples of "
                        "program counters are not shown.",
                        0, rows);
}

Sniff sniffRocpd(std::string_view, std::string_view head)
{
    return head.starts_with("SQLite format 3") && !hasTablesMark(head)
            && head.find("rocpd_") != std::string_view::npos
        ? Sniff::Yes
        : Sniff::No;
}

Result<TraceFragment> readRocpdTables(const SourceFile& file, const ReadContext& context)
{
    NsysDatabase database(file.path, context);
    const std::vector<std::string> writers = database.tablesBeginningWith(agentTable);
    if (writers.empty())
        return Error{Error::Kind::Format,
                     "The database has tables of rocpd, but not those of rocprofv3 (schema 3 or 4); record "
                     "with `rocprofv3 --output-format rocpd`.",
                     file.path, 0};
    RocprofTrace trace(file, context);
    constexpr std::size_t mostWriters = 4096;
    for (std::size_t i = 0; i < std::min(writers.size(), mostWriters); ++i)
        RocpdProcess(database, writers[i].substr(agentTable.size()), static_cast<std::int64_t>(i), context,
                     file, trace)
            .read();
    if (database.isStopped())
        return Error{Error::Kind::Cancelled, "Loading was cancelled.", file.path};
    return trace.finish();
}

Result<TraceFragment> readRocpd(const SourceFile& file, const ReadContext& context)
{
    // SQLite would wait for the other end of a pipe that has taken the file's place.
    if (auto source = ByteSource::open(file.path); !source)
        return source.error();
    try {
        return readRocpdTables(file, context);
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& failure) {
        if (context.mustStop())
            return Error{Error::Kind::Cancelled, "Loading was cancelled.", file.path};
        return Error{Error::Kind::Format,
                     std::string("The file cannot be read as a SQLite database (") + failure.what() + ").",
                     file.path, 0};
    }
}

} // namespace

extern const ReaderDescriptor rocpdReader;
const ReaderDescriptor rocpdReader{"rocpd", "SQLite database of AMD's rocprofv3 (rocpd)", SourceKind::Rocprof,
                                   sniffRocpd, readRocpd};

} // namespace collscope
