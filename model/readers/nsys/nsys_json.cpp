// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Reads the JSON that `nsys export` writes: one object per line, in one of two layouts.
//
// Rows (--type jsonlines, new versions): {"table":"NVTX_EVENTS","start":1,"end":2,...}. The members have the
// names of the SQLite export; members that would be NULL are missing.
//
// Events (--type json): {"Type":79,"CudaEvent":{"startNs":"1",...}}, with 64-bit numbers in quotes. Names are
// indices into one list {"data":["[Unknown]",...]}, which may be the first line or one of the last, or lines
// {"type":"String","id":"7","value":"..."} (--separate-strings).
//
// Both are put into tables in memory that have the form of the SQLite export, and are read from there in the
// same way: names may follow the events that use them, and kernels have to be known before the calls that
// launched them.

#include "model/readers/byte_source.h"
#include "model/readers/nsys/nsys_file.h"
#include "model/readers/nsys/nsys_memory.h"
#include "model/readers/text/measurement_text.h"
#include "model/text/valid_text.h"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <exception>
#include <new>

namespace collscope {

namespace {

namespace dom = simdjson::dom;

constexpr std::size_t linesAtOnceBytes = std::size_t{1} << 20;
/// One line may contain all names.
constexpr std::size_t longestLine = std::size_t{256} << 20;
/// Upper bound of simdjson's memory per byte of a line.
constexpr std::size_t parsedPerByte = 16;
/// For a longer line, the parser's memory is not kept.
constexpr std::size_t usualLine = std::size_t{1} << 20;
constexpr double linesShare = 0.5; ///< of the time; the rest is spent on the tables

/// A member of a message whose column has a different name.
struct Renamed
{
    std::string_view member, column;
};
constexpr std::array<Renamed, 2> activityColumns{{{"startNs", "start"}, {"endNs", "end"}}};
constexpr std::array<Renamed, 3> callColumns{{{"startNs", "start"}, {"endNs", "end"}, {"name", "nameId"}}};
constexpr std::array<Renamed, 1> copyColumns{{{"sizebytes", "bytes"}}};
constexpr std::array<Renamed, 6> nvtxColumns{{{"Type", "eventType"},
                                              {"Timestamp", "start"},
                                              {"EndTimestamp", "end"},
                                              {"GlobalTid", "globalTid"},
                                              {"Text", "text"},
                                              {"TextId", "textId"}}};
constexpr std::array<Renamed, 1> threadColumns{{{"nameIdx", "nameId"}}};

/// The kinds of CudaEvents, by "eventClass". Others (synchronization is 5) are in tables that are not read.
struct CudaKind
{
    std::int64_t eventClass;
    std::string_view member; ///< present only in this kind
    const char* table;
};
constexpr std::array<CudaKind, 3> cudaKinds{{{1, "memcpy", NsysTables::copies},
                                             {2, "memset", NsysTables::memsets},
                                             {3, "kernel", NsysTables::kernels}}};

/// Classes of TraceProcessEvents that the SQLite export lists in CUPTI_ACTIVITY_KIND_RUNTIME: calls of the
/// runtime and of the driver, and backtraces of both. Others are calls of the operating system, cuBLAS and so
/// on.
constexpr std::array<std::int64_t, 3> cudaCallClasses{0, 1, 67};

NsysCell cellOf(dom::element value)
{
    switch (value.type()) {
    case dom::element_type::INT64:
        return value.get_int64().value_unsafe();
    case dom::element_type::UINT64: // larger than the integers of SQLite
        return static_cast<double>(value.get_uint64().value_unsafe());
    case dom::element_type::DOUBLE:
        return value.get_double().value_unsafe();
    case dom::element_type::STRING:
        return value.get_string().value_unsafe();
    case dom::element_type::BOOL:
        return std::int64_t{value.get_bool().value_unsafe() ? 1 : 0};
    default:
        return {};
    }
}

/// A number, possibly in quotes.
std::optional<std::int64_t> integerOf(simdjson::simdjson_result<dom::element> value)
{
    std::int64_t number = 0;
    if (value.get(number) == simdjson::SUCCESS)
        return number;
    std::string_view text;
    if (value.get(text) != simdjson::SUCCESS)
        return std::nullopt;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

bool isMember(const dom::object& object, std::string_view key)
{
    return object.at_key(key).error() == simdjson::SUCCESS;
}

class NsysJsonFile
{
public:
    NsysJsonFile(const SourceFile& file, const ReadContext& context)
        : m_file(file)
        , m_context(context)
    { }

    Result<TraceFragment> read()
    {
        auto source = ByteSource::open(m_file.path);
        if (!source)
            return source.error();
        if (!readLines(**source))
            return Error{Error::Kind::Cancelled, "Loading was cancelled.", m_file.path, 0};
        noteDamage(**source, m_file.path, m_offset, m_problems);
        source->reset();
        if (m_tables.events() == 0)
            return Error{Error::Kind::Format,
                         "The JSON export of Nsight Systems contains no CUDA, NVTX or GPU metric events; "
                         "profile with `nsys profile --trace=cuda,nvtx` and run `nsys export --type sqlite "
                         "--include-blobs=true REPORT.nsys-rep`.",
                         m_file.path, 0};
        NsysDatabase database = m_tables.finish(std::move(m_others), m_context);
        ReadContext context = m_context;
        context.progress = [this](std::uint64_t bytes) {
            m_context.progress(static_cast<std::uint64_t>(linesShare * ReadContext::readShare
                                                              * static_cast<double>(m_file.bytes)
                                                          + (1 - linesShare) * static_cast<double>(bytes)));
        };
        NsysFile file(m_file, context, database);
        file.addLost(m_problems, m_lost);
        return file.read();
    }

private:
    bool readLines(ByteSource& source);
    void takeLine(const char* text, std::size_t bytes);
    void takeObject(const dom::object& object);
    void takeRow(const dom::object& row, std::string_view table);
    void takeCuda(const dom::object& event);
    void takeCall(const dom::object& event);
    void takeNvtx(const dom::object& event, simdjson::simdjson_result<dom::element> type);
    void takeList(const dom::array& list);

    void begin(std::string_view table) { m_tables.begin(*NsysMemoryTables::tableNamed(table)); }
    /// Sets the columns that have a member's name, or the name that `renamed` maps it to.
    void set(const dom::object& object, std::span<const Renamed> renamed = {})
    {
        for (const auto field : object) {
            const auto other = std::find_if(renamed.begin(), renamed.end(),
                                            [&](const Renamed& r) { return r.member == field.key; });
            m_tables.set(other == renamed.end() ? field.key : other->column, cellOf(field.value));
        }
    }
    /// Records a part of the export that is not read, to be named once.
    void addOther(std::string_view name)
    {
        constexpr std::size_t most = 100; // an export has a few tens
        if (m_others.size() < most && name.size() < most && name != "DIAGNOSTIC_EVENT"
            && name != "DiagnosticEvent")
            m_others.emplace(name);
    }
    void excludeBroken(std::string_view code, std::string_view explanation)
    {
        ++m_lost;
        m_problems.add(Severity::DataLoss, code, m_file.path, m_offset, explanation, 1);
    }

    const SourceFile& m_file;
    const ReadContext& m_context;
    NsysMemoryTables m_tables;
    dom::parser m_parser;
    Diagnostics m_problems;
    std::set<std::string> m_others;
    std::uint64_t m_offset = 0; ///< of the line, in the inflated file
    std::uint64_t m_lost = 0;
    bool m_hasNames = false; ///< a later list of texts is the program's output
};

/// Reads the file line by line; false if the user cancelled. Keeps one line, or a piece of several, in
/// memory.
bool NsysJsonFile::readLines(ByteSource& source)
{
    std::vector<char> buffer;
    std::size_t filled = 0;
    bool skips = false; // inside a line that is too long
    for (bool more = true; more;) {
        if (m_context.mustStop())
            return false;
        if (buffer.size() < filled + linesAtOnceBytes + simdjson::SIMDJSON_PADDING)
            buffer.resize(std::max(2 * filled, filled + linesAtOnceBytes) + simdjson::SIMDJSON_PADDING);
        const std::size_t got = source.read(std::span<char>(buffer).subspan(filled, linesAtOnceBytes));
        more = got == linesAtOnceBytes;
        m_context.progress(static_cast<std::uint64_t>(linesShare * ReadContext::readShare
                                                      * static_cast<double>(source.diskBytesRead())));
        const char* const end = buffer.data() + filled + got;
        const char* line = buffer.data();
        const char* searched = buffer.data() + filled;
        while (const void* const found = searched < end
                   ? std::memchr(searched, '\n', static_cast<std::size_t>(end - searched))
                   : nullptr) {
            const char* const newline = static_cast<const char*>(found);
            if (!skips)
                takeLine(line, static_cast<std::size_t>(newline - line));
            skips = false;
            searched = newline + 1;
            m_offset += static_cast<std::uint64_t>(searched - line);
            line = searched;
        }
        filled = static_cast<std::size_t>(end - line);
        const bool isTooLong = filled > longestLine
            || (filled > usualLine && more && m_context.memoryLeft() / parsedPerByte < filled);
        if (isTooLong && !skips)
            excludeBroken("long_line",
                          "A line is longer than the memory allows; it was skipped. Export the report as "
                          "SQLite: `nsys export --type sqlite`.");
        skips = skips || isTooLong;
        if (skips) {
            m_offset += filled;
            filled = 0;
        }
        std::memmove(buffer.data(), line, filled);
    }
    if (filled > 0)
        takeLine(buffer.data(), filled);
    m_offset += filled;
    return true;
}

/// Processes one line, which must be followed by the padding that simdjson reads.
void NsysJsonFile::takeLine(const char* text, std::size_t bytes)
{
    const std::string_view line(text, bytes);
    if (line.find_first_not_of(" \t\r") == std::string_view::npos)
        return;
    dom::parser own; // frees the memory for a long line
    dom::parser& parser = bytes > usualLine ? own : m_parser;
    dom::element root;
    simdjson::error_code error = parser.parse(text, bytes, false).get(root);
    if (error == simdjson::UTF8_ERROR) {
        error = parser.parse(validText(line)).get(root);
        if (error == simdjson::SUCCESS)
            m_problems.add(
                Severity::Notice, "invalid_utf8", m_file.path, m_offset,
                "A line contains bytes that are not UTF-8; they are shown as the replacement character.");
    }
    if (error == simdjson::MEMALLOC)
        throw std::bad_alloc();
    dom::object object;
    if (error != simdjson::SUCCESS || root.get(object) != simdjson::SUCCESS)
        return excludeBroken("damaged_line",
                             "A line is not a JSON object: it is damaged or cut off, and was skipped. Export "
                             "the report again.");
    takeObject(object);
}

void NsysJsonFile::takeObject(const dom::object& object)
{
    std::string_view text;
    dom::object event;
    dom::array list;
    if (object["table"].get(text) == simdjson::SUCCESS) {
        takeRow(object, text);
    } else if (object["CudaEvent"].get(event) == simdjson::SUCCESS) {
        takeCuda(event);
    } else if (object["TraceProcessEvent"].get(event) == simdjson::SUCCESS) {
        takeCall(event);
    } else if (object["NvtxEvent"].get(event) == simdjson::SUCCESS) {
        takeNvtx(event, object["Type"]);
    } else if (isMember(object, "Type")) {
        for (const auto field : object) {
            if (field.key != "Type" && field.value.is_object())
                addOther(field.key);
        }
    } else if (object["data"].get(list) == simdjson::SUCCESS) {
        takeList(list);
    } else if (object["type"].get(text) == simdjson::SUCCESS && (text == "String" || text == "ThreadName")) {
        begin(text == "String" ? "StringIds" : "ThreadNames");
        set(object);
        m_tables.end();
    }
}

void NsysJsonFile::takeRow(const dom::object& row, std::string_view table)
{
    if (const auto known = NsysMemoryTables::tableNamed(table)) {
        m_tables.begin(*known);
        set(row);
        m_tables.end();
    } else if (isMember(row, "start") || isMember(row, "timestamp") || isMember(row, "rawTimestamp")) {
        addOther(table);
    }
}

void NsysJsonFile::takeCuda(const dom::object& event)
{
    const std::optional<std::int64_t> eventClass = integerOf(event["eventClass"]);
    for (const CudaKind& kind : cudaKinds) {
        if (eventClass ? *eventClass != kind.eventClass : !isMember(event, kind.member))
            continue;
        begin(kind.table);
        set(event, activityColumns);
        dom::object own;
        if (event[kind.member].get(own) == simdjson::SUCCESS)
            set(own, copyColumns);
        return m_tables.end();
    }
    addOther("CudaEvent");
}

void NsysJsonFile::takeCall(const dom::object& event)
{
    const std::int64_t eventClass = integerOf(event["eventClass"]).value_or(cudaCallClasses.front());
    if (std::find(cudaCallClasses.begin(), cudaCallClasses.end(), eventClass) == cudaCallClasses.end())
        return addOther("TraceProcessEvent");
    begin(NsysTables::runtime);
    set(event, callColumns);
    m_tables.end();
}

void NsysJsonFile::takeNvtx(const dom::object& event, simdjson::simdjson_result<dom::element> type)
{
    bool isInNs = true;
    if (event["NsTime"].get(isInNs) == simdjson::SUCCESS && !isInNs)
        return excludeBroken("unknown_clock",
                             "An NVTX event has times that are not nanoseconds; it was skipped. Export the "
                             "report as SQLite: `nsys export --type sqlite`.");
    begin(NsysTables::nvtx);
    if (type.error() == simdjson::SUCCESS)
        m_tables.set("eventType", cellOf(type.value_unsafe()));
    set(event, nvtxColumns);
    m_tables.end();
}

/// Adds all names, by their index; or the names of threads.
void NsysJsonFile::takeList(const dom::array& list)
{
    const bool areNames = !m_hasNames;
    std::int64_t id = -1;
    for (const dom::element element : list) {
        ++id;
        std::string_view text;
        dom::object thread;
        if (areNames && element.get(text) == simdjson::SUCCESS) {
            m_hasNames = true;
            begin("StringIds");
            m_tables.set("id", id);
            m_tables.set("value", text);
            m_tables.end();
        } else if (element.get(thread) == simdjson::SUCCESS && isMember(thread, "globalTid")) {
            begin("ThreadNames");
            set(thread, threadColumns);
            m_tables.end();
        }
    }
}

bool isNsysTable(std::string_view name)
{
    return name.starts_with("CUPTI_ACTIVITY_KIND_") || name.starts_with("TARGET_INFO_")
        || name.starts_with("META_DATA_") || name.starts_with("ENUM_")
        || NsysMemoryTables::tableNamed(name).has_value();
}

Sniff sniffNsysJson(std::string_view, std::string_view head)
{
    const std::size_t first = head.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos || head[first] != '{')
        return Sniff::No;
    std::string dense; // blanks are irrelevant; the names on a line may be longer than the head
    for (const char c : head.substr(first)) {
        if (c != ' ')
            dense.push_back(c);
    }
    const auto holds = [&](std::string_view text) { return dense.find(text) != std::string::npos; };
    if (dense.starts_with("{\"data\":[\"[Unknown]\"")) // the first name of every report
        return Sniff::Yes;
    constexpr std::string_view key = "\"table\":\"";
    for (std::size_t at = dense.find(key); at != std::string::npos; at = dense.find(key, at + 1)) {
        const std::size_t name = at + key.size();
        if (isNsysTable(std::string_view(dense).substr(name, dense.find('"', name) - name)))
            return Sniff::Yes;
    }
    constexpr std::array<std::string_view, 4> events{"\"CudaEvent\":{", "\"NvtxEvent\":{",
                                                     "\"TraceProcessEvent\":{", "\"TargetInfoEvent\":{"};
    return holds("\"Type\":") && std::any_of(events.begin(), events.end(), holds) ? Sniff::Yes : Sniff::No;
}

Result<TraceFragment> readNsysJson(const SourceFile& file, const ReadContext& context)
{
    try {
        return NsysJsonFile(file, context).read();
    } catch (const std::bad_alloc&) {
        throw; // the caller handles lack of memory
    } catch (const std::exception& failure) {
        if (context.mustStop())
            return Error{Error::Kind::Cancelled, "Loading was cancelled.", file.path};
        return Error{Error::Kind::Format,
                     std::string("The JSON export cannot be converted to tables (") + failure.what()
                         + "); export the report with `nsys export --type sqlite`.",
                     file.path, 0};
    }
}

} // namespace

extern const ReaderDescriptor nsysJsonReader;
const ReaderDescriptor nsysJsonReader{"nsys_json", "Nsight Systems JSON export", SourceKind::Nsys,
                                      sniffNsysJson, readNsysJson};

} // namespace collscope
