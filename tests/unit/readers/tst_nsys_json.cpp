// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// JSON exports of Nsight Systems, in both layouts: they are the run that the SQLite export of the same report
// is, and damage costs the line that has it.

#include "metrics/analysis/analysis.h"
#include "metrics/export/written_report.h"
#include "model/readers/reader.h"
#include "tests/support/suite/model_digest.h"
#include "tests/support/suite/stop_requests.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/fragment_text.h"
#include "tests/support/workloads/run_writer.h"

#include <QTemporaryDir>

#include <nlohmann/json.hpp>
#include <sqlite3.h>

#include <filesystem>
#include <functional>
#include <iterator>

namespace collscope {

extern const ReaderDescriptor nsysJsonReader;

namespace {

using json = nlohmann::json;

/// An SQLite export, row by row.
class Database
{
public:
    explicit Database(const std::string& path)
    {
        if (sqlite3_open(path.c_str(), &m_database) != SQLITE_OK)
            qFatal("%s", path.c_str());
    }
    ~Database() { sqlite3_close(m_database); }
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    void run(const char* sql)
    {
        char* error = nullptr;
        if (sqlite3_exec(m_database, sql, nullptr, nullptr, &error) != SQLITE_OK)
            qFatal("%s", error);
    }
    /// Each row as an object without what is NULL.
    std::vector<json> rows(const std::string& table)
    {
        sqlite3_stmt* statement = nullptr;
        const std::string sql = "SELECT * FROM " + table;
        if (sqlite3_prepare_v2(m_database, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK)
            qFatal("%s", sqlite3_errmsg(m_database));
        std::vector<json> rows;
        while (sqlite3_step(statement) == SQLITE_ROW) {
            json row = json::object();
            for (int column = 0; column < sqlite3_column_count(statement); ++column) {
                const char* const name = sqlite3_column_name(statement, column);
                const int type = sqlite3_column_type(statement, column);
                if (type == SQLITE_INTEGER)
                    row[name] = std::int64_t{sqlite3_column_int64(statement, column)};
                else if (type == SQLITE_TEXT)
                    row[name] = reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
            }
            rows.push_back(std::move(row));
        }
        sqlite3_finalize(statement);
        return rows;
    }

private:
    sqlite3* m_database = nullptr;
};

/// What `nsys export --type jsonlines` writes.
std::string rowLines(Database& database)
{
    std::string lines;
    for (const json& table : database.rows("sqlite_master WHERE type = 'table'")) {
        for (json& row : database.rows(table["name"].get<std::string>())) {
            row["table"] = table["name"];
            lines += row.dump() + '\n';
        }
    }
    return lines;
}

/// A 64-bit number of a message.
std::string quoted(const json& row, const char* member)
{
    return std::to_string(row.value(member, std::int64_t{0}));
}

json cudaEvent(const json& row, int type, int eventClass)
{
    json event{{"startNs", quoted(row, "start")},
               {"endNs", quoted(row, "end")},
               {"correlationId", row["correlationId"]},
               {"deviceId", row["deviceId"]},
               {"contextId", "1"},
               {"streamId", quoted(row, "streamId")},
               {"eventClass", eventClass},
               {"globalPid", quoted(row, "globalPid")}};
    return {{"Type", type}, {"CudaEvent", std::move(event)}};
}

/// What `nsys export --type json` writes: events, then names.
std::string eventLines(Database& database)
{
    std::vector<json> lines;
    for (const json& row : database.rows("CUPTI_ACTIVITY_KIND_KERNEL")) {
        json line = cudaEvent(row, 79, 3);
        json& kernel = line["CudaEvent"]["kernel"];
        kernel = {{"shortName", quoted(row, "shortName")}, {"demangledName", quoted(row, "demangledName")}};
        for (const char* member : {"gridX", "gridY", "gridZ", "blockX", "blockY", "blockZ"})
            kernel[member] = row[member];
        lines.push_back(std::move(line));
    }
    for (const json& row : database.rows("CUPTI_ACTIVITY_KIND_MEMCPY")) {
        json line = cudaEvent(row, 80, 1);
        line["CudaEvent"]["memcpy"] = {{"sizebytes", quoted(row, "bytes")},
                                       {"copyKind", quoted(row, "copyKind")},
                                       {"srcKind", 0},
                                       {"dstKind", 2}};
        lines.push_back(std::move(line));
    }
    for (const json& row : database.rows("CUPTI_ACTIVITY_KIND_MEMSET")) {
        json line = cudaEvent(row, 80, 2);
        line["CudaEvent"]["memset"] = json::object();
        lines.push_back(std::move(line));
    }
    for (const json& row : database.rows("CUPTI_ACTIVITY_KIND_RUNTIME")) {
        json event{{"startNs", quoted(row, "start")},       {"endNs", quoted(row, "end")},
                   {"correlationId", row["correlationId"]}, {"globalTid", quoted(row, "globalTid")},
                   {"name", quoted(row, "nameId")},         {"eventClass", 0}};
        lines.push_back({{"Type", 48}, {"TraceProcessEvent", std::move(event)}});
    }
    for (const json& row : database.rows("NVTX_EVENTS")) {
        json event{{"Type", row["eventType"]},
                   {"Timestamp", quoted(row, "start")},
                   {"EndTimestamp", quoted(row, "end")},
                   {"GlobalTid", quoted(row, "globalTid")},
                   {"DomainId", "0"},
                   {"NsTime", true}};
        if (row.contains("text"))
            event["Text"] = row["text"];
        else
            event["TextId"] = quoted(row, "textId");
        lines.push_back({{"Type", row["eventType"]}, {"NvtxEvent", std::move(event)}});
    }
    json names = json::array({"[Unknown]"}); // its index is 0
    for (const json& row : database.rows("StringIds ORDER BY id"))
        names.push_back(row["value"]);
    lines.push_back({{"data", std::move(names)}});
    std::string text;
    for (const json& line : lines)
        text += line.dump() + '\n';
    return text;
}

/// What all metrics answer about a run.
QString answers(const TraceModel& model)
{
    Analysis analysis(model, MetricOptions());
    std::vector<NamedResult> results;
    for (const MetricDescriptor& metric : allMetrics()) {
        MetricRequest request{std::string(metric.id), &metric, metric.unit};
        MetricResult result = evaluate(analysis, request);
        results.push_back({std::move(request), std::move(result)});
    }
    return QString::fromStdString(resultsJson(results));
}

// A kernel, its launch, a copy, a range: one line each, then their names. Devices and ids as nsys writes
// them.
constexpr const char* smallEvents[]{
    R"({"Type":79,"CudaEvent":{"startNs":"1000","endNs":"2000","correlationId":11,"deviceId":0,"contextId":"1","streamId":"7","eventClass":3,"globalPid":"1677721600","kernel":{"shortName":"1","demangledName":"1","gridX":4,"gridY":1,"gridZ":1,"blockX":128,"blockY":1,"blockZ":1,"staticSharedMemory":16,"dynamicSharedMemory":8,"registersPerThread":32}}})",
    R"({"Type":48,"TraceProcessEvent":{"startNs":"900","endNs":"950","correlationId":11,"globalTid":"1677721700","name":"2","eventClass":0}})",
    R"({"Type":80,"CudaEvent":{"startNs":"2100","endNs":"2200","correlationId":12,"deviceId":0,"contextId":"1","streamId":"7","eventClass":1,"globalPid":"1677721600","memcpy":{"sizebytes":"4096","copyKind":"1","srcKind":0,"dstKind":2}}})",
    R"({"Type":59,"NvtxEvent":{"Type":59,"Timestamp":"800","Text":"Train Step 1","GlobalTid":"1677721700","EndTimestamp":"3000","DomainId":"0","NsTime":true}})",
};
constexpr const char* smallNames = R"({"data":["[Unknown]","ampere_gemm","cudaLaunchKernel"]})";

std::string smallText()
{
    std::string text;
    for (const char* line : smallEvents)
        text.append(line).append("\n");
    return text + smallNames + '\n';
}

} // namespace

class TestNsysJson : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_folder;

    std::string path(const char* name) const
    {
        return m_folder->filePath(QString::fromUtf8(name)).toStdString();
    }
    Result<TraceFragment> read(std::string_view text, const ReadContext& context = ReadContext()) const
    {
        const std::string file = path("report.json");
        writeFile(file, text);
        return nsysJsonReader.read({file, text.size(), -1, {}}, context);
    }
    static bool isConserved(const TraceFragment& fragment)
    {
        return fragment.source.eventsInFile == fragment.source.shown + fragment.source.excluded
            && fragment.problems.excludedEvents() == fragment.source.excluded;
    }

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void rowsAreTheRunOfTheDatabase_data()
    {
        QTest::addColumn<bool>("gzip");
        QTest::newRow("plain") << false;
        QTest::newRow("gzip") << true;
    }
    void rowsAreTheRunOfTheDatabase()
    {
        QFETCH(bool, gzip);
        RunFiles files;
        files.kineto = false;
        files.nsys = true;
        files.gpuMetrics = true;
        writeRun(planRun(lateDescription()), path("run"), files);
        const auto expected = loadPath(path("run"));
        QVERIFY(expected);
        {
            Database database(path("run/nsys_0.sqlite"));
            const std::string lines = rowLines(database);
            writeFile(path(gzip ? "run/nsys_0.jsonl.gz" : "run/nsys_0.jsonl"), gzip ? gzipped(lines) : lines);
        }
        std::filesystem::remove(path("run/nsys_0.sqlite"));
        const auto model = loadPath(path("run"));
        QVERIFY(model);
        QCOMPARE(modelDigest(**model), modelDigest(**expected));
        QCOMPARE(answers(**model), answers(**expected));
    }
    void eventsAreTheRunOfTheDatabase()
    {
        RunFiles files;
        files.kineto = files.nvlink = files.card = false;
        files.nsys = true;
        writeRun(planRun(lateDescription()), path("run"), files);
        {
            Database database(path("run/nsys_0.sqlite"));
            // What the messages are not known to say.
            database.run("DROP TABLE TARGET_INFO_GPU; DROP TABLE TARGET_INFO_CUDA_DEVICE;"
                         "DROP TABLE TARGET_INFO_SESSION_START_TIME;"
                         "UPDATE CUPTI_ACTIVITY_KIND_MEMSET SET bytes = NULL;");
            std::filesystem::create_directory(path("json"));
            writeFile(path("json/nsys_0.json"), eventLines(database));
        }
        const auto expected = loadPath(path("run"));
        const auto model = loadPath(path("json"));
        QVERIFY(expected && model);
        QCOMPARE(modelDigest(**model), modelDigest(**expected));
        QCOMPARE(answers(**model), answers(**expected));
    }
    void namesMayStandAnywhere()
    {
        const std::string events = smallText().substr(0, smallText().find("{\"data\""));
        const std::string separate = "{\"type\":\"String\",\"id\":\"1\",\"value\":\"ampere_gemm\"}\n"
                                     "{\"type\":\"String\",\"id\":\"2\",\"value\":\"cudaLaunchKernel\"}\n";
        const std::string printed = "{\"data\":[\"what\",\"the\",\"program printed\"]}\n";
        const std::string threads
            = "{\"data\":[{\"nameIdx\":\"2\",\"priority\":\"10\",\"globalTid\":\"1677721700\"}]}\n";
        for (const std::string& text :
             {events + smallNames, smallNames + ("\n" + events), separate + events, events + separate,
              events + smallNames + "\r\n\n" + printed + threads}) {
            const auto fragment = read(text);
            QVERIFY2(fragment, text.c_str());
            QVERIFY2(!findProblem(fragment->problems, "missing_name"), text.c_str());
            QVERIFY(isConserved(*fragment));
            QCOMPARE(fragment->source.eventsInFile, std::uint64_t{4});
            QCOMPARE(fragment->timelines.size(), std::size_t{1});
            const Timeline& timeline = fragment->timelines[0];
            QCOMPARE(timeline.steps.size(), std::size_t{1});
            QVERIFY(timeline.launchOf(11));
            for (const Track& track : fragment->tracks) {
                if (track.kind != TrackKind::GpuStream)
                    continue;
                QCOMPARE(track.slices.size(), std::size_t{2});
                QCOMPARE(fragment->strings.view(track.slices.name[0]), std::string_view("ampere_gemm"));
                QCOMPARE(track.slices.startNs[0], std::int64_t{1000});
                const KernelDetail& kernel = timeline.kernelDetails[track.slices.detail[0]];
                QCOMPARE(kernel.grid[0], 4u);
                QCOMPARE(kernel.sharedMemoryBytes, 24);
                QCOMPARE(timeline.kernelDetails[track.slices.detail[1]].bytes, std::int64_t{4096});
            }
        }
    }
    void damageCostsItsLine()
    {
        const std::size_t events = std::size(smallEvents);
        const std::function<std::string(std::string)> damages[]{
            [](const std::string& line) { return line.substr(0, line.size() / 2); }, // cut off
            [](const std::string& line) { return line.substr(line.size() / 2); },
            [](std::string line) { return line.replace(line.find(':'), 1, "\x01"); },
            [](const std::string&) { return std::string("[1,2]"); },
        };
        for (std::size_t damaged = 0; damaged < events; ++damaged) {
            for (const auto& damage : damages) {
                std::string text;
                for (std::size_t i = 0; i < events; ++i)
                    text += (i == damaged ? damage(smallEvents[i]) : std::string(smallEvents[i])) + '\n';
                const auto fragment = read(text + smallNames);
                QVERIFY2(fragment, text.c_str());
                QVERIFY2(isConserved(*fragment), text.c_str());
                QCOMPARE(fragment->source.eventsInFile, std::uint64_t{events});
                QCOMPARE(fragment->source.excluded, std::uint64_t{1});
                const Diagnostic* const problem = findProblem(fragment->problems, "damaged_line");
                QVERIFY2(problem, text.c_str());
                QCOMPARE(problem->count, std::uint64_t{1});
                QCOMPARE(
                    problem->firstOffset,
                    static_cast<std::uint64_t>(damaged == 0 ? 0 : text.find(damage(smallEvents[damaged]))));
            }
        }
    }
    void aFileThatIsCutOffKeepsWhatIsWhole()
    {
        const std::string text = smallText();
        for (std::size_t cut = 0; cut <= text.size(); ++cut) {
            const auto fragment = read(std::string_view(text).substr(0, cut));
            if (fragment)
                QVERIFY2(isConserved(*fragment), std::to_string(cut).c_str());
            else
                QVERIFY(fragment.error().message.find("nsys export --type sqlite") != std::string::npos);
        }
    }
    void bytesThatAreNoTextCostNothing()
    {
        std::string text = smallText();
        text.replace(text.find("Train Step 1"), 12, "Train Step 1\xff");
        const auto fragment = read(text);
        QVERIFY(fragment);
        QVERIFY(findProblem(fragment->problems, "invalid_utf8"));
        QCOMPARE(fragment->source.excluded, std::uint64_t{0});
        QCOMPARE(fragment->timelines.at(0).steps.size(), std::size_t{1});
    }
    void countsWhatItLeavesOut()
    {
        const auto fragment = read(
            smallText()
            + R"({"Type":106,"CudaEvent":{"startNs":"1","endNs":"2","eventClass":5,"sync":{"syncType":3}}})"
              "\n"
              R"({"Type":48,"TraceProcessEvent":{"startNs":"1","endNs":"2","globalTid":"1677721700","name":"2","eventClass":27}})"
              "\n"
              R"({"Type":31,"CompositeEvent":{"startNs":"1"}})"
              "\n"
              R"({"Type":75,"NvtxEvent":{"Type":75,"Timestamp":"1","Text":"domain","GlobalTid":"1677721700"}})"
              "\n"
              R"({"Type":59,"NvtxEvent":{"Type":59,"Timestamp":"1","Text":"ticks","GlobalTid":"1677721700","NsTime":false}})"
              "\n"
              R"({"Type":79,"CudaEvent":{"endNs":"2","deviceId":0,"eventClass":3,"kernel":{"shortName":"1"}}})"
              "\n"
              R"({"table":"OSRT_API","start":1,"end":2})"
              "\n"
              R"({"table":"ENUM_NSYS_EVENT_TYPE","id":1,"name":"x"})"
              "\n");
        QVERIFY(fragment);
        QVERIFY(isConserved(*fragment));
        QCOMPARE(fragment->source.eventsInFile, std::uint64_t{std::size(smallEvents) + 3});
        QCOMPARE(fragment->source.excluded, std::uint64_t{3});
        for (const char* code : {"nvtx_definitions", "unknown_clock", "row_without_time"})
            QVERIFY2(findProblem(fragment->problems, code), code);
        const Diagnostic* const others = findProblem(fragment->problems, "tables_not_read");
        QVERIFY(others);
        for (const char* name : {"CompositeEvent", "CudaEvent", "OSRT_API", "TraceProcessEvent"})
            QVERIFY2(others->explanation.find(name) != std::string::npos, name);
        QVERIFY(others->explanation.find("ENUM") == std::string::npos);
    }
    void stopsWhenAsked()
    {
        ReadContext context;
        context.stop = stopRequested();
        const auto fragment = read(smallText(), context);
        QVERIFY(!fragment);
        QCOMPARE(fragment.error().kind, Error::Kind::Cancelled);
    }
    void aLineThatDoesNotFitIsLeftOut()
    {
        ReadContext context;
        context.memoryLeft = [] { return std::uint64_t{1} << 20; };
        const std::string longName
            = "{\"table\":\"StringIds\",\"id\":9,\"value\":\"" + std::string(5 << 20, 'x') + "\"}\n";
        const auto fragment = read(longName + smallText(), context);
        QVERIFY(fragment);
        QVERIFY(findProblem(fragment->problems, "long_line"));
        QVERIFY(isConserved(*fragment));
        QCOMPARE(fragment->source.shown, std::uint64_t{std::size(smallEvents)});
        const auto roomy = read(longName + smallText());
        QVERIFY(roomy);
        QVERIFY(!findProblem(roomy->problems, "long_line"));
    }
    void recognisesBothLayouts()
    {
        for (const char* head : {"{\"id\":0,\"table\":\"StringIds\",\"value\":\"[Unknown]\"}\n",
                                 "{\"table\": \"NVTX_EVENTS\", \"start\": 1}",
                                 "{\"name\":\"x\",\"table\":\"META_DATA_CAPTURE\",\"value\":\"false\"}",
                                 smallNames, smallEvents[0], smallEvents[3]})
            QVERIFY2(nsysJsonReader.sniff("report.json", head) == Sniff::Yes, head);
        for (const char* head : {"{\"data\":[\"one\",\"two\"]}", "{\"table\":\"users\",\"id\":1}",
                                 "{\"traceEvents\":[]}", "[{\"CudaEvent\":{}}]", "SQLite format 3", "", "{}"})
            QVERIFY2(nsysJsonReader.sniff("report.json", head) == Sniff::No, head);
    }
    void aReportIsReadOnce()
    {
        const auto filesOf = [&] {
            std::vector<std::string> names;
            const auto plan = planLoad({path("run")}, {});
            for (const PlannedFile& planned : plan ? plan->files : std::vector<PlannedFile>())
                names.push_back(std::filesystem::path(planned.file.path).filename().string());
            return names;
        };
        RunFiles files;
        files.kineto = files.nvlink = files.card = false;
        files.nsys = true;
        writeRun(planRun(WorkloadDescription()), path("run"), files);
        writeFile(path("run/nsys_0.nsys-rep"), "report");
        writeFile(path("run/nsys_0.jsonl.gz"), gzipped(smallText()));
        QCOMPARE(filesOf(), (std::vector<std::string>{"nsys_0.sqlite"}));
        std::filesystem::remove(path("run/nsys_0.sqlite"));
        QCOMPARE(filesOf(), (std::vector<std::string>{"nsys_0.jsonl.gz"}));
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestNsysJson)
#include "tst_nsys_json.moc"
