// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/nsys/nsys_memory.h"

#include "model/readers/nsys/nsys_file.h"
#include "model/readers/nsys/sqlite_requests.h"

#include <SQLiteCpp/Database.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace collscope {

namespace {

/// The columns of a table that NsysFile reads, separated by blanks. `numbers` are INTEGER in the SQLite
/// export: a text of digits becomes a number in them, any other text stays a text. The tables of events come
/// first, in the order of NsysTables::all.
struct TableLayout
{
    std::string_view name, numbers, texts;
};

constexpr std::array<TableLayout, 25> layouts{{
    {NsysTables::kernels,
     "start end deviceId streamId correlationId globalPid shortName demangledName name mangledName gridX "
     "gridY "
     "gridZ blockX blockY blockZ registersPerThread staticSharedMemory dynamicSharedMemory",
     ""},
    {NsysTables::copies, "start end deviceId streamId correlationId globalPid bytes copyKind", ""},
    {NsysTables::memsets, "start end deviceId streamId correlationId globalPid bytes", ""},
    {NsysTables::graphs, "start end deviceId streamId correlationId globalPid graphId", ""},
    {NsysTables::runtime, "start end correlationId globalTid nameId name", ""},
    {NsysTables::nvtx, "start end eventType globalTid textId jsonTextId", "text jsonText binaryData"},
    {NsysTables::metrics, "timestamp typeId metricId value", ""},
    {NsysTables::cards, "start end globalId portId metricsListId metricsIdx value", ""},
    {NsysTables::switches, "start end globalId portId metricsListId metricsIdx value", ""},
    {"StringIds", "id", "value"},
    {"TARGET_INFO_SESSION_START_TIME", "utcEpochNs", ""},
    {"ANALYSIS_DETAILS", "startTime", ""},
    {"TARGET_INFO_GPU", "id smCount", "name"},
    {"TARGET_INFO_CUDA_DEVICE", "pid cudaId gpuId numMultiprocessors", ""},
    {"TARGET_INFO_GPU_METRICS", "typeId metricId", "metricName"},
    {"TARGET_INFO_NETWORK_METRICS", "metricsListId metricsIdx", "name unit"},
    {"TARGET_INFO_NIC_INFO", "nicId", "name"},
    {"NIC_ID_MAP", "nicId globalId", ""},
    {"NET_IB_DEVICE_INFO", "guid", "name"},
    {"TARGET_INFO_SYSTEM_ENV", "", "name value"},
    {"NVTX_PAYLOAD_SCHEMA_ENTRIES", "domainId schemaId type offset", "name"},
    {"ThreadNames", "globalTid nameId", ""},
    {"PROCESSES", "globalPid", "name"},
    {NsysTables::syncs, "deviceId streamId correlationId globalPid syncType eventSyncId", ""},
    {NsysTables::cudaEvents, "streamId correlationId globalPid eventSyncId", ""},
}};

std::vector<std::string_view> words(std::string_view text)
{
    std::vector<std::string_view> found;
    while (!text.empty()) {
        const std::size_t blank = std::min(text.find(' '), text.size());
        found.push_back(text.substr(0, blank));
        text.remove_prefix(std::min(blank + 1, text.size()));
    }
    return found;
}

std::unique_ptr<SQLite::Database> openInMemory()
{
    limitSqliteRequests();
    return std::make_unique<SQLite::Database>(
        ":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE | SQLite::OPEN_NOMUTEX);
}

void execute(sqlite3* handle, const std::string& sql)
{
    const int code = sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, nullptr);
    if (code != SQLITE_OK)
        throwSqliteFailure(handle, code);
}

} // namespace

/// A created table, and the statement that adds a row to it.
class NsysMemoryTables::Insert
{
public:
    Insert(sqlite3* handle, const TableLayout& layout)
        : m_handle(handle)
        , m_columns(words(layout.numbers))
    {
        std::string columns, marks;
        const std::size_t numbers = m_columns.size();
        const std::vector<std::string_view> texts = words(layout.texts);
        m_columns.insert(m_columns.end(), texts.begin(), texts.end());
        for (std::size_t i = 0; i < m_columns.size(); ++i) {
            columns.append(i == 0 ? "\"" : ", \"").append(m_columns[i]).append("\"");
            columns.append(i < numbers ? " INTEGER" : ""); // any version may give a text as an id
            marks.append(i == 0 ? "?" : ", ?");
        }
        const std::string name = '"' + std::string(layout.name) + '"';
        execute(handle, "CREATE TABLE " + name + "(" + columns + ")");
        const std::string insert = "INSERT INTO " + name + " VALUES(" + marks + ")";
        const int code = sqlite3_prepare_v2(handle, insert.c_str(), static_cast<int>(insert.size()),
                                            &m_statement, nullptr);
        if (code != SQLITE_OK)
            throwSqliteFailure(handle, code);
    }
    ~Insert() { sqlite3_finalize(m_statement); }
    Insert(const Insert&) = delete;
    Insert& operator=(const Insert&) = delete;

    void set(std::string_view column, const NsysCell& value)
    {
        const auto found = std::find(m_columns.begin(), m_columns.end(), column);
        if (found == m_columns.end())
            return;
        const int place = static_cast<int>(found - m_columns.begin()) + 1;
        int code = SQLITE_OK;
        if (const auto* integer = std::get_if<std::int64_t>(&value))
            code = sqlite3_bind_int64(m_statement, place, *integer);
        else if (const auto* real = std::get_if<double>(&value))
            code = sqlite3_bind_double(m_statement, place, *real);
        else if (const auto* text = std::get_if<std::string_view>(&value);
                 text && text->size() <= longestText)
            code = sqlite3_bind_text(m_statement, place, text->data(), static_cast<int>(text->size()),
                                     SQLITE_STATIC);
        if (code != SQLITE_OK)
            throwSqliteFailure(m_handle, code);
    }
    void add()
    {
        const int code = sqlite3_step(m_statement);
        sqlite3_reset(m_statement);
        sqlite3_clear_bindings(m_statement);
        if (code != SQLITE_DONE)
            throwSqliteFailure(m_handle, code);
    }
    void clear() { sqlite3_clear_bindings(m_statement); }

private:
    /// Names are not longer, and NsysDatabase would not return a longer one.
    static constexpr std::size_t longestText = std::size_t{8} << 20;

    sqlite3* m_handle;
    std::vector<std::string_view> m_columns;
    sqlite3_stmt* m_statement = nullptr;
};

NsysMemoryTables::NsysMemoryTables()
    : m_database(openInMemory())
    , m_inserts(layouts.size())
{
    // One transaction without a journal: nothing is ever rolled back, and a row costs a third as much.
    execute(m_database->getHandle(), "PRAGMA journal_mode=OFF");
    execute(m_database->getHandle(), "BEGIN");
}

NsysMemoryTables::~NsysMemoryTables() = default;

std::optional<std::size_t> NsysMemoryTables::tableNamed(std::string_view name)
{
    for (std::size_t table = 0; table < layouts.size(); ++table) {
        if (layouts[table].name == name)
            return table;
    }
    return std::nullopt;
}

void NsysMemoryTables::begin(std::size_t table)
{
    m_table = table;
    if (!m_inserts[table])
        m_inserts[table] = std::make_unique<Insert>(m_database->getHandle(), layouts[table]);
    m_inserts[table]->clear();
}

void NsysMemoryTables::set(std::string_view column, NsysCell value)
{
    m_inserts[m_table]->set(column, value);
}

void NsysMemoryTables::end()
{
    m_inserts[m_table]->add();
    m_events += m_table < std::size(NsysTables::all) ? 1u : 0u;
}

NsysDatabase NsysMemoryTables::finish(std::set<std::string> others, const ReadContext& context)
{
    m_inserts.clear();
    execute(m_database->getHandle(), "COMMIT");
    return {std::move(m_database), std::move(others), context};
}

} // namespace collscope
