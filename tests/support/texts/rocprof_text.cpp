// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/texts/rocprof_text.h"

#include <QtGlobal>

#include <nlohmann/json.hpp>
#include <sqlite3.h>

#include <filesystem>
#include <map>

namespace collscope {

namespace {

using json = nlohmann::ordered_json; // records begin with their size

constexpr int firstGpuHandle = 1000;
/// CPU agents come first in the numbering of agents.
constexpr int firstGpuNode = 2;

json handle(std::int64_t number)
{
    return {{"handle", number}};
}

json triple(int x)
{
    return {{"x", x}, {"y", 1}, {"z", 1}};
}

/// Numbers the domains and their functions as they come.
struct Domains
{
    json names = json::array({{{"kind", "NONE"}, {"operations", json::array()}}});

    std::pair<int, int> of(const std::string& domain, const std::string& function)
    {
        std::size_t kind = 0;
        while (kind < names.size() && names[kind]["kind"] != domain)
            ++kind;
        if (kind == names.size())
            names.push_back({{"kind", domain}, {"operations", json::array()}});
        json& functions = names[kind]["operations"];
        std::size_t operation = 0;
        while (operation < functions.size() && functions[operation] != function)
            ++operation;
        if (operation == functions.size())
            functions.push_back(function);
        return {static_cast<int>(kind), static_cast<int>(operation)};
    }
};

bool isMarker(const RocprofRun::Call& call)
{
    return call.domain.starts_with("MARKER");
}

std::string functionOf(const RocprofRun::Call& call)
{
    return isMarker(call) ? "roctxRangePushA" : call.name;
}

const char* listOf(const RocprofRun::Call& call)
{
    if (isMarker(call))
        return "marker_api";
    return call.domain.starts_with("RCCL") ? "rccl_api" : "hip_api";
}

json record(std::pair<int, int> kind, std::uint64_t correlation, std::int64_t begin, std::int64_t end)
{
    return {{"size", 100},
            {"kind", kind.first},
            {"operation", kind.second},
            {"correlation_id", {{"internal", correlation}, {"external", 0}}},
            {"start_timestamp", begin},
            {"end_timestamp", end}};
}

std::map<std::string, int> kernelNumbers(const RocprofRun& run)
{
    std::map<std::string, int> numbers;
    for (const RocprofRun::Kernel& kernel : run.kernels)
        numbers.try_emplace(kernel.name, static_cast<int>(numbers.size()) + 1);
    return numbers;
}

/// A database that is filled statement by statement.
class Database
{
public:
    explicit Database(const std::string& path)
    {
        std::filesystem::remove(path);
        sqlite3_open(path.c_str(), &m_database);
    }
    ~Database() { sqlite3_close(m_database); }
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    void run(const std::string& sql)
    {
        char* error = nullptr;
        if (sqlite3_exec(m_database, sql.c_str(), nullptr, nullptr, &error) != SQLITE_OK)
            qFatal("%s: %s", sql.c_str(), error);
    }
    /// Each value is SQL.
    void insert(const std::string& table, const std::vector<std::pair<std::string, std::string>>& values)
    {
        std::string columns, texts;
        for (const auto& [column, value] : values) {
            columns += (columns.empty() ? "\"" : ", \"") + column + "\"";
            texts += (texts.empty() ? "" : ", ") + value;
        }
        run("INSERT INTO \"" + table + "\" (" + columns + ") VALUES (" + texts + ")");
    }

private:
    sqlite3* m_database = nullptr;
};

std::string sqlText(const std::string& text)
{
    std::string sql = "'";
    for (const char c : text)
        sql.append(c == '\'' ? 2 : 1, c);
    return sql + "'";
}

/// Fills the tables of one writer.
class RocpdWriter
{
public:
    RocpdWriter(const std::string& path, const RocprofRun& run, int schema)
        : m_database(path)
        , m_run(run)
        , m_isNew(schema >= 4)
    { }

    void write()
    {
        m_database.run("BEGIN");
        createTables();
        describe();
        for (const RocprofRun::Call& call : m_run.calls)
            add(call);
        for (const RocprofRun::Kernel& kernel : m_run.kernels)
            add(kernel);
        for (const RocprofRun::Copy& copy : m_run.copies)
            add(copy);
        for (int i = 0; i < m_run.allocations; ++i)
            m_database.insert(named("rocpd_memory_allocate"), {{"size", "64"}});
        m_database.run("COMMIT");
    }

private:
    static std::string named(const std::string& table) { return table + "_0199_abcd"; }
    std::string text(const std::string& string)
    {
        const auto [found, isNew] = m_strings.try_emplace(string, m_strings.size() + 1);
        if (isNew)
            m_database.insert(named("rocpd_string"),
                              {{"id", std::to_string(found->second)}, {"string", sqlText(string)}});
        return std::to_string(found->second);
    }

    void create(const std::string& table, const std::string& columns)
    {
        m_database.run("CREATE TABLE \"" + named(table) + "\" (\"id\" INTEGER PRIMARY KEY AUTOINCREMENT, "
                       + columns + ")");
        m_database.run("CREATE VIEW \"" + table + "\" AS SELECT * FROM \"" + named(table) + "\"");
    }
    void createTables()
    {
        const std::string place = m_isNew
            ? "track_id INTEGER, start_id INTEGER, end_id INTEGER, event_id INTEGER"
            : "nid INTEGER, pid INTEGER, tid INTEGER, start BIGINT, \"end\" BIGINT, "
              "event_id INTEGER";
        const std::string queues = m_isNew ? "" : ", queue_id INTEGER, stream_id INTEGER";
        create("rocpd_string", "string TEXT");
        create("rocpd_info_node", "hostname TEXT");
        create("rocpd_info_agent",
               "nid INTEGER, pid INTEGER, type TEXT, type_index INTEGER, name TEXT, product_name TEXT, "
               "extdata TEXT");
        create("rocpd_info_thread", "nid INTEGER, pid INTEGER, tid INTEGER, name TEXT");
        create("rocpd_info_kernel_symbol",
               "nid INTEGER, pid INTEGER, kernel_name TEXT, display_name TEXT, arch_vgpr_count INTEGER");
        create("rocpd_info_category", "name TEXT");
        create("rocpd_track",
               "nid INTEGER, pid INTEGER, tid INTEGER, agent_id INTEGER, queue_id INTEGER, "
               "stream_id INTEGER, name_id INTEGER");
        create("rocpd_timestamp", "value BIGINT, phase INTEGER, track_id INTEGER");
        create("rocpd_event",
               "category_id INTEGER, stack_id INTEGER, parent_stack_id INTEGER, correlation_id "
               "INTEGER, extdata TEXT DEFAULT '{}'");
        create("rocpd_arg", "event_id INTEGER, position INTEGER, type TEXT, name TEXT, value TEXT");
        create("rocpd_region", place + ", name_id INTEGER");
        create("rocpd_sample", place + ", name_id INTEGER, timestamp BIGINT");
        create(
            "rocpd_kernel_dispatch",
            place + queues + (m_isNew ? "" : ", agent_id INTEGER")
                + ", kernel_id INTEGER, group_segment_size INTEGER, workgroup_size_x INTEGER, "
                  "workgroup_size_y "
                  "INTEGER, workgroup_size_z INTEGER, grid_size_x INTEGER, grid_size_y INTEGER, grid_size_z "
                  "INTEGER");
        create("rocpd_memory_copy",
               place + queues
                   + ", name_id INTEGER, dst_agent_id INTEGER, src_agent_id INTEGER, size INTEGER");
        create("rocpd_memory_allocate", "size INTEGER");
    }
    void describe()
    {
        const std::string pid = std::to_string(m_run.pid);
        m_database.insert(named("rocpd_info_node"), {{"id", "7"}, {"hostname", "'node1'"}});
        m_database.insert(named("rocpd_info_agent"),
                          {{"id", "0"}, {"nid", "7"}, {"pid", pid}, {"type", "'CPU'"}, {"type_index", "0"}});
        for (int gpu = 0; gpu < m_run.gpus; ++gpu)
            m_database.insert(named("rocpd_info_agent"),
                              {{"id", std::to_string(firstGpuNode + gpu)},
                               {"nid", "7"},
                               {"pid", pid},
                               {"type", "'GPU'"},
                               {"type_index", std::to_string(gpu)},
                               {"name", "'gfx942'"},
                               {"product_name", "'AMD Instinct MI300X'"},
                               {"extdata", "'{\"cu_count\":304}'"}});
        for (const auto& [name, number] : kernelNumbers(m_run))
            m_database.insert(named("rocpd_info_kernel_symbol"),
                              {{"id", std::to_string(number)},
                               {"pid", pid},
                               {"kernel_name", "'mangled'"},
                               {"display_name", sqlText(name)},
                               {"arch_vgpr_count", "128"}});
    }
    std::string event(const std::string& domain, std::uint64_t correlation, const std::string& more = "{}")
    {
        std::string category = text(domain);
        if (m_isNew) {
            const auto [found, isNew] = m_categories.try_emplace(domain, m_categories.size() + 1);
            category = std::to_string(found->second);
            if (isNew)
                m_database.insert(named("rocpd_info_category"),
                                  {{"id", category}, {"name", sqlText(domain)}});
        }
        const std::string id = std::to_string(++m_lastEvent);
        m_database.insert(named("rocpd_event"),
                          {{"id", id},
                           {"category_id", category},
                           {"stack_id", std::to_string(correlation)},
                           {"extdata", sqlText(more)}});
        return id;
    }
    /// Where and when, as this version has it.
    std::vector<std::pair<std::string, std::string>>
    place(std::int64_t begin, std::int64_t end, std::int64_t thread, const std::string& agent,
          const std::string& queue, const std::string& stream, const std::string& eventId)
    {
        const std::string pid = std::to_string(m_run.pid);
        if (!m_isNew) {
            std::vector<std::pair<std::string, std::string>> values{{"nid", "7"},
                                                                    {"pid", pid},
                                                                    {"tid", std::to_string(thread)},
                                                                    {"start", std::to_string(begin)},
                                                                    {"end", std::to_string(end)},
                                                                    {"event_id", eventId}};
            return values;
        }
        const std::string key = std::to_string(thread) + agent + "/" + queue + "/" + stream;
        const auto [track, isNew] = m_tracks.try_emplace(key, m_tracks.size() + 1);
        const std::string trackId = std::to_string(track->second);
        if (isNew)
            m_database.insert(named("rocpd_track"),
                              {{"id", trackId},
                               {"nid", "7"},
                               {"pid", pid},
                               {"tid", std::to_string(thread)},
                               {"agent_id", agent},
                               {"queue_id", queue},
                               {"stream_id", stream}});
        const auto time = [&](std::int64_t value) {
            const std::string id = std::to_string(++m_lastTime);
            m_database.insert(named("rocpd_timestamp"),
                              {{"id", id}, {"value", std::to_string(value)}, {"track_id", trackId}});
            return id;
        };
        const std::string beginId = time(begin);
        return {{"track_id", trackId}, {"start_id", beginId}, {"end_id", time(end)}, {"event_id", eventId}};
    }

    void add(const RocprofRun::Call& call)
    {
        const std::string more = isMarker(call) ? json{{"message", call.name}}.dump() : "{}";
        const std::string id = event(call.domain, call.correlation, more);
        auto values = place(call.beginNs, call.endNs, call.thread, "NULL", "NULL", "NULL", id);
        values.emplace_back("name_id", text(functionOf(call)));
        m_database.insert(named("rocpd_region"), values);
        for (const auto& [name, value] : call.arguments)
            m_database.insert(named("rocpd_arg"),
                              {{"event_id", id}, {"name", sqlText(name)}, {"value", sqlText(value)}});
    }
    void add(const RocprofRun::Kernel& kernel)
    {
        const std::string id = event("KERNEL_DISPATCH", kernel.correlation);
        const std::string agent = std::to_string(firstGpuNode + kernel.gpu);
        const std::string queue = std::to_string(kernel.queue);
        const std::string stream = std::to_string(kernel.stream);
        auto values = place(kernel.beginNs, kernel.endNs, 1, agent, queue, stream, id);
        if (!m_isNew) {
            values.emplace_back("agent_id", agent);
            values.emplace_back("queue_id", queue);
            values.emplace_back("stream_id", stream);
        }
        values.insert(values.end(),
                      {{"kernel_id", std::to_string(kernelNumbers(m_run).at(kernel.name))},
                       {"group_segment_size", "1024"},
                       {"workgroup_size_x", "256"},
                       {"workgroup_size_y", "1"},
                       {"workgroup_size_z", "1"},
                       {"grid_size_x", "1000"},
                       {"grid_size_y", "1"},
                       {"grid_size_z", "1"}});
        m_database.insert(named("rocpd_kernel_dispatch"), values);
    }
    void add(const RocprofRun::Copy& copy)
    {
        const std::string id = event("MEMORY_COPY", copy.correlation);
        const std::string gpu = std::to_string(firstGpuNode + copy.gpu);
        auto values = place(copy.beginNs, copy.endNs, 1, "NULL", "NULL", "0", id);
        values.insert(values.end(),
                      {{"name_id", text("MEMORY_COPY_" + copy.operation)},
                       {"src_agent_id", copy.operation.starts_with("HOST") ? "0" : gpu},
                       {"dst_agent_id", copy.operation.ends_with("HOST") ? "0" : gpu},
                       {"size", std::to_string(copy.bytes)}});
        m_database.insert(named("rocpd_memory_copy"), values);
    }

    Database m_database;
    const RocprofRun& m_run;
    bool m_isNew;
    std::map<std::string, std::size_t> m_strings, m_categories, m_tracks;
    std::int64_t m_lastEvent = 0, m_lastTime = 0;
};

} // namespace

std::string rocprofJson(const RocprofRun& run, bool eventsFirst)
{
    Domains domains;
    json records = {{"kernel_dispatch", json::array()}, {"hip_api", json::array()},
                    {"marker_api", json::array()},      {"rccl_api", json::array()},
                    {"memory_copy", json::array()},     {"memory_allocation", json::array()}};
    json messages = json::array();
    const std::map<std::string, int> numbers = kernelNumbers(run);
    for (const RocprofRun::Kernel& kernel : run.kernels) {
        json own = record(domains.of("KERNEL_DISPATCH", "KERNEL_DISPATCH_COMPLETE"), kernel.correlation,
                          kernel.beginNs, kernel.endNs);
        own["thread_id"] = 1;
        own["stream_id"] = handle(kernel.stream);
        own["dispatch_info"] = {{"size", 72},
                                {"agent_id", handle(firstGpuHandle + kernel.gpu)},
                                {"queue_id", handle(kernel.queue)},
                                {"kernel_id", numbers.at(kernel.name)},
                                {"group_segment_size", 1024},
                                {"workgroup_size", triple(256)},
                                {"grid_size", triple(1000)}};
        records["kernel_dispatch"].push_back(own);
    }
    for (const RocprofRun::Copy& copy : run.copies) {
        json own = record(domains.of("MEMORY_COPY", "MEMORY_COPY_" + copy.operation), copy.correlation,
                          copy.beginNs, copy.endNs);
        own["bytes"] = copy.bytes;
        own["src_agent_id"] = handle(copy.operation.starts_with("HOST") ? 1 : firstGpuHandle + copy.gpu);
        own["dst_agent_id"] = handle(copy.operation.ends_with("HOST") ? 1 : firstGpuHandle + copy.gpu);
        own["stream_id"] = handle(0);
        records["memory_copy"].push_back(own);
    }
    for (const RocprofRun::Call& call : run.calls) {
        json own
            = record(domains.of(call.domain, functionOf(call)), call.correlation, call.beginNs, call.endNs);
        own["thread_id"] = call.thread;
        if (isMarker(call))
            messages.push_back({{"key", call.correlation}, {"value", call.name}});
        records[listOf(call)].push_back(own);
    }
    for (int i = 0; i < run.allocations; ++i)
        records["memory_allocation"].push_back(record(domains.of("MEMORY_ALLOCATION", "ALLOCATE"), 0, 1, 2));

    json agents = json::array({{{"size", 312}, {"id", handle(1)}, {"type", 1}, {"logical_node_type_id", 0}}});
    for (int gpu = 0; gpu < run.gpus; ++gpu)
        agents.push_back({{"size", 312},
                          {"id", handle(firstGpuHandle + gpu)},
                          {"type", 2},
                          {"logical_node_type_id", gpu},
                          {"name", "gfx942"},
                          {"product_name", "AMD Instinct MI300X"},
                          {"cu_count", 304}});
    json symbols = json::array();
    for (const auto& [name, number] : numbers)
        symbols.push_back({{"size", 88},
                           {"kernel_id", number},
                           {"kernel_name", "mangled"},
                           {"formatted_kernel_name", name},
                           {"arch_vgpr_count", 128}});
    const std::string metadata = json{
        {"node", {{"id", 7}, {"hostname", "node1"}}},
        {"pid", run.pid},
        {"command",
         {"python", "{[\""}}}.dump();
    const std::string descriptions = "\"agents\":" + agents.dump() + ",\"strings\":"
        + json{{"buffer_records", domains.names}, {"marker_api", messages}, {"att_filenames", {"a", "b"}}}
              .dump()
        + ",\"kernel_symbols\":" + symbols.dump();
    const std::string events
        = "\"callback_records\":{\"counter_collection\":[]},\"buffer_records\":" + records.dump();
    return "{\"rocprofiler-sdk-tool\":[{\"metadata\":" + metadata + ","
        + (eventsFirst ? events + "," + descriptions : descriptions + "," + events) + "}]}";
}

void writeRocpd(const std::string& path, const RocprofRun& run, int schema)
{
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    RocpdWriter(path, run, schema).write();
}

} // namespace collscope
