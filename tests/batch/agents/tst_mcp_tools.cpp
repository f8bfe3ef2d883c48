// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The tools of `collscope mcp`: the bytes of --batch, pages, locations.

#include "metrics/summary/summarized_events.h"
#include "model/queries/location_text.h"
#include "tests/batch/agents/mcp_client.h"
#include "tests/batch/program.h"
#include "tests/support/runs/hung_example.h"
#include "tests/support/runs/nccl_job.h"
#include "tests/support/runs/reduced_folder.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/run_folder.h"
#include "tests/support/suite/suite.h"
#include "tests/support/workloads/planted_run.h"

#include <QDir>
#include <QFile>

#include <filesystem>
#include <fstream>

namespace collscope {

namespace fs = std::filesystem;
using Json = nlohmann::json;

namespace {

/// Every text under the key "location", at any depth.
void collectLocations(const Json& value, std::vector<std::string>& locations)
{
    if (value.is_object() && value.contains("location") && value["location"].is_string())
        locations.push_back(value["location"]);
    if (value.is_structured()) {
        for (const Json& member : value)
            collectLocations(member, locations);
    }
}

QByteArray fileText(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("cannot read " + path.toUtf8());
}

} // namespace

class TestMcpTools : public QObject
{
    Q_OBJECT

    RunFolder m_folder;
    std::string m_run, m_other, m_hang, m_network, m_history;

    static QString text(const std::string& value) { return QString::fromStdString(value); }
    QStringList root() const { return {text(fs::canonical(m_folder.path("")).string())}; }

private slots:
    void initTestCase()
    {
        PlantedPlan plan;
        plan.cause = PlantedCause::SlowCpu;
        plan.culprit = 2;
        plan.extraUs = 500;
        plan.offsetUs[1] = 3000;
        for (const char* name : {"run", "other", "hang", "network", "history"})
            fs::create_directories(m_folder.path(name));
        m_run = fs::canonical(m_folder.path("run")).string();
        m_other = fs::canonical(m_folder.path("other")).string();
        m_hang = fs::canonical(m_folder.path("hang")).string();
        writePlanted(plan, m_run);
        plan.extraUs = 0;
        plan.seed = 2;
        writePlanted(plan, m_other);
        writeHungExample(m_hang);
        m_network = fs::canonical(m_folder.path("network")).string();
        m_history = fs::canonical(m_folder.path("history")).string();
        NcclJob job;
        job.socketsBetween = {{0, 1}};
        std::ofstream(m_network + "/nccl.log") << job.text();
        std::ofstream log(m_history + "/train.log");
        for (int step = 1; step <= 200; ++step)
            log << " iteration " << step << "/ 500 | consumed samples: " << step * 8
                << " | elapsed time per iteration (ms): " << (step < 100 ? 1000 : 1300) + step % 7
                << ".0 | learning rate: 1.0E-04 |\n";
    }

    void sameBytesAsBatch_data()
    {
        QTest::addColumn<QString>("tool");
        QTest::addColumn<QString>("arguments");
        QTest::addColumn<QStringList>("words");
        const auto row = [](const char* title, const char* tool, const char* arguments, const char* words) {
            QTest::newRow(title) << QString::fromLatin1(tool) << QString::fromLatin1(arguments)
                                 << QString::fromLatin1(words).split(QLatin1Char(' '));
        };
        row("findings", "findings", R"({"run": "run"})", "findings RUN --json --without-run");
        row("findings of a selection", "findings",
            R"({"run": "run", "top": 2, "rank": 1, "steps": "3-4", "clocks": "raw"})",
            "findings RUN --json --without-run --top 2 --rank 1 --steps 3-4 --clocks raw");
        row("findings of a range", "findings", R"({"run": "run", "range": "1.5-4"})",
            "findings RUN --json --without-run --range 1.5-4");
        row("two metrics", "metrics", R"({"run": "run", "metric": ["comm_comp_overlap", "straggler"]})",
            "metrics RUN --json --metric comm_comp_overlap,straggler");
        row("one metric", "metrics", R"({"run": "run", "metric": "avg_step_time", "steps": 3})",
            "metrics RUN --json --metric avg_step_time --steps 3");
        row("a metric without a value", "metrics", R"({"run": "run", "metric": ["max_throughput"]})",
            "metrics RUN --json --metric max_throughput");
        row("all metrics", "metrics", R"({"run": "run", "metric": ["all"]})",
            "metrics RUN --json --metric all");
        row("the list", "list_metrics", "{}", "metrics --list-metrics --json");
        row("a metric explained", "explain", R"({"run": "run", "metric": "comm_comp_overlap"})",
            "explain RUN --metric comm_comp_overlap --json");
        row("a step explained", "explain", R"({"run": "run", "step": 4})", "explain RUN --step 4 --json");
        row("what would help", "what_if", R"({"run": "run"})", "what-if RUN --json");
        row("scenarios", "what_if", R"({"run": "run", "scenario": ["comm=0", "bandwidth=2"]})",
            "what-if RUN --json --scenario comm=0 --scenario bandwidth=2");
        row("a gate that is passed", "gate",
            R"({"baseline": "run", "test": "other", "max": ["avg_step_time=+5%", "comm_comp_overlap=-90%"]})",
            "gate RUN OTHER --json --max avg_step_time=+5% --max comm_comp_overlap=-90%");
        row("a gate that is not passed", "gate",
            R"({"test": "run", "max": ["avg_step_time=+1%"], "baseline": "other", "steps": "2-5"})",
            "gate OTHER RUN --json --max avg_step_time=+1% --steps 2-5");
        row("a hang", "hang", R"({"run": "hang"})", "hang HANG --json");
        row("a network", "network", R"({"run": "network"})", "network NETWORK --json");
        row("a history", "history", R"({"run": "history"})", "history HISTORY --json");
        row("a hang as told", "hang", R"({"run": "hang", "hung": true})", "hang HANG --json --hung");
    }
    void sameBytesAsBatch()
    {
        QFETCH(const QString, tool);
        QFETCH(const QString, arguments);
        QFETCH(QStringList, words);
        words.replaceInStrings(QStringLiteral("RUN"), text(m_run));
        words.replaceInStrings(QStringLiteral("OTHER"), text(m_other));
        words.replaceInStrings(QStringLiteral("HANG"), text(m_hang));
        words.replaceInStrings(QStringLiteral("NETWORK"), text(m_network));
        words.replaceInStrings(QStringLiteral("HISTORY"), text(m_history));
        const ProgramRun batch = runBatchProgram(words);
        QVERIFY2(!batch.out.isEmpty(), batch.err.constData());
        McpClient client(root());
        const ToolPages answer = client.call(tool.toStdString(), Json::parse(arguments.toStdString()));
        QVERIFY2(!answer.isError, answer.text.c_str());
        QCOMPARE(QByteArray::fromStdString(answer.text), batch.out);
        QCOMPARE(answer.note.value("exit_code", 0), batch.exitCode);
        // What was said beside the numbers is told, too.
        QCOMPARE(answer.note.contains("messages"), !batch.err.isEmpty());
        // The line that the note gives prints the same.
        QStringList line = QProcess::splitCommand(
            text(answer.note["same_as"]).replace(QLatin1Char('\''), QLatin1Char('"')));
        QCOMPARE(line.takeFirst(), QStringLiteral("collscope"));
        QCOMPARE(runProgram(line).out, batch.out);
    }

    void pages()
    {
        for (const int tokens : {2000, 8000, 20'000}) {
            McpClient client(root() + QStringList{QStringLiteral("--max-tokens"), QString::number(tokens)});
            for (const auto& [tool, arguments] :
                 std::vector<std::pair<std::string, Json>>{{"metrics", {{"run", "run"}, {"metric", {"all"}}}},
                                                           {"collectives", {{"run", "run"}, {"limit", 1000}}},
                                                           {"slices", {{"run", "run"}, {"limit", 1000}}},
                                                           {"findings", {{"run", "run"}}}}) {
                const ToolPages answer = client.call(tool, arguments);
                QVERIFY(!answer.isError);
                QVERIFY2(answer.mostBytes <= static_cast<std::size_t>(tokens) * 2, tool.c_str());
                QVERIFY2(tokens > 2000 || answer.pages.size() > 1, tool.c_str());
                for (const std::string& page : answer.pages)
                    QVERIFY(page.ends_with('\n'));
                // Without pages: the same bytes.
                McpClient whole(root()
                                + QStringList{QStringLiteral("--max-tokens"), QStringLiteral("1000000")});
                QCOMPARE(whole.call(tool, arguments).text, answer.text);
            }
        }
    }
    void aPageOfTheDefaultSize()
    {
        McpClient client(root());
        const ToolPages answer = client.call("metrics", {{"run", "run"}, {"metric", {"all"}}});
        QVERIFY(answer.mostBytes <= 16'000);
        QVERIFY(answer.pages.size() > 2);
        QVERIFY(answer.pages.front().size() > 12'000); // as much as fits
    }
    void aCursorOfChangedFiles()
    {
        fs::create_directories(m_folder.path("changing"));
        PlantedPlan plan;
        writePlanted(plan, m_folder.path("changing"));
        McpClient client(root());
        const Json arguments{{"run", "changing"}, {"limit", 1000}};
        const ToolPages before = client.call("collectives", arguments);
        // The same question twice is the same answer; after a change of the files it is a new one.
        QCOMPARE(client.call("collectives", arguments).text, before.text);
        Json rest{{"run", "changing"}, {"metric", {"all"}}};
        const Json first = client.callOnce("metrics", rest);
        rest["cursor"] = Json::parse(first["content"].back()["text"].get<std::string>())["next_cursor"];
        plan.seed = 7;
        plan.steps = 4;
        writePlanted(plan, m_folder.path("changing"));
        // The next page is of the answer that was begun, as long as that is kept.
        QVERIFY(!client.callOnce("metrics", rest)["isError"].get<bool>());
        const ToolPages after = client.call("collectives", arguments);
        QVERIFY(after.text != before.text);
        for (const char* tool : {"findings", "stragglers", "gaps", "slices"})
            client.callOnce(tool, {{"run", "changing"}});
        QVERIFY(client.callOnce("metrics", rest)["isError"].get<bool>());
        McpClient fresh(root());
        QCOMPARE(fresh.call("collectives", arguments).text, after.text);
        Json next = arguments;
        next["cursor"] = "10.123";
        QVERIFY(client.callOnce("collectives", next)["isError"].get<bool>());
    }

    /// A file in a folder that had none, and one rewritten with the size and time that it had.
    void filesThatComeAndChange()
    {
        const fs::path run = m_folder.path("growing");
        fs::create_directories(run / "later");
        writePlanted(PlantedPlan(), run.string());
        const fs::path spare = m_folder.path("rank3_trace.json");
        fs::rename(run / "rank3_trace.json", spare);
        McpClient client(root());
        const auto files = [&] {
            return client.call("open", {{"run", "growing"}}).json()["run"]["files"].size();
        };
        QCOMPARE(files(), std::size_t{3});
        fs::copy_file(spare, run / "later/rank3_trace.json");
        QCOMPARE(files(), std::size_t{4});
        const fs::path file = run / "rank0_trace.json";
        const auto time = fs::last_write_time(file);
        QByteArray trace = fileText(text(file.string()));
        trace.replace("ncclDevKernel_", "ncclDevKernelX");
        writeFile(file, trace.toStdString());
        fs::last_write_time(file, time);
        const Json renamed{{"run", "growing"}, {"named", "ncclDevKernelX"}};
        QVERIFY(client.call("slices", renamed).lines().front()["rows"].get<int>() > 0);
    }
    /// What does not exist is not an empty answer.
    void absentThingsAreErrors()
    {
        McpClient client(root());
        QVERIFY(client.call("slices", {{"run", "run"}, {"rank", 55}}).isError);
        QVERIFY(client.call("gaps", {{"run", "run"}, {"cause", "nonsense"}}).isError);
    }
    /// The key says what the verdict says.
    void theStragglerIsThatOfTheVerdict()
    {
        McpClient client(root());
        const Json late = client.call("stragglers", {{"run", "run"}}).lines().front();
        QCOMPARE(late["straggler"].get<int>(), 2);
        const Json even = client.call("stragglers", {{"run", "other"}}).lines().front();
        QVERIFY2(even["straggler"].is_null(), even.dump().c_str());
    }
    void summariesOpen()
    {
        QVERIFY(writeReduced(m_run, m_folder.path("sums"), 2, Kept::Summaries, summarizeEvents));
        McpClient client(root());
        const ToolPages opened = client.call("open", {{"run", "sums"}});
        QVERIFY2(!opened.isError, opened.text.c_str());
        QCOMPARE(opened.json()["summary"]["ranks"].dump(),
                 client.call("open", {{"run", "run"}}).json()["summary"]["ranks"].dump());
        QVERIFY(!opened.json()["summary"]["ranks"].is_null());
    }

    void rowsHaveLocations()
    {
        McpClient client(root());
        for (const char* tool :
             {"findings", "collectives", "stragglers", "gaps", "slices", "what_if", "explain"}) {
            Json arguments{{"run", "run"}};
            if (std::string(tool) == "explain")
                arguments["step"] = 4;
            const ToolPages answer = client.call(tool, arguments);
            QVERIFY2(!answer.isError, answer.text.c_str());
            std::vector<std::string> locations;
            const Json whole = answer.json();
            if (whole.is_discarded()) {
                const std::vector<Json> lines = answer.lines();
                QVERIFY2(lines.size() > 1, tool);
                QCOMPARE(lines.front()["listed_rows"].get<std::size_t>(), lines.size() - 1);
                for (std::size_t i = 1; i < lines.size(); ++i) {
                    QVERIFY2(lines[i]["location"].is_string(), tool);
                    collectLocations(lines[i], locations);
                }
            } else {
                collectLocations(whole, locations);
            }
            QVERIFY2(!locations.empty(), tool);
            for (const std::string& location : locations) {
                QVERIFY2(parseLocation(location), location.c_str());
                QVERIFY2(location.starts_with("run@"), location.c_str());
            }
        }
        const ToolPages metric = client.call("metrics", {{"run", "run"}, {"metric", {"comm_comp_overlap"}}});
        QVERIFY(parseLocation(metric.note["locations"]["comm_comp_overlap"].get<std::string>()));
    }
    /// A location that leads nowhere is a usage error there.
    void theWindowOpensLocations()
    {
        McpClient client(root());
        const auto opens = [&](const std::string& location) {
            return runProgram({QStringLiteral("--screenshot"), text(m_folder.path("opened.png")),
                               QStringLiteral("--goto"), text(location), text(m_run)})
                .exitCode;
        };
        QCOMPARE(opens("run@0:stream 99:1-2"), 1);
        for (const char* tool : {"collectives", "stragglers", "gaps", "slices"})
            QCOMPARE(opens(client.call(tool, {{"run", "run"}, {"limit", 1}}).lines()[1]["location"]), 0);
        std::vector<std::string> locations;
        collectLocations(client.call("findings", {{"run", "run"}}).json(), locations);
        QCOMPARE(opens(locations.front()), 0);
        const ToolPages metric = client.call("metrics", {{"run", "run"}, {"metric", {"comm_comp_overlap"}}});
        QCOMPARE(opens(metric.note["locations"]["comm_comp_overlap"]), 0);
    }
    void slicesOfALocation()
    {
        McpClient client(root());
        const Json worst = client.call("stragglers", {{"run", "run"}}).lines()[1];
        const std::string location = worst["location"];
        const std::vector<Json> lines
            = client.call("slices", {{"run", "run"}, {"location", location}}).lines();
        QVERIFY(lines.size() > 1);
        QVERIFY(std::any_of(lines.begin() + 1, lines.end(),
                            [&](const Json& row) { return row["location"] == location; }));
        for (std::size_t i = 1; i < lines.size(); ++i)
            QVERIFY(lines[i]["rank"] == worst["late_rank"]);
    }

    void comparesAsBatchDoes()
    {
        const QString out = text(m_folder.path("compared"));
        const ProgramRun batch = runBatchProgram(
            {QStringLiteral("compare"), text(m_run), text(m_other), QStringLiteral("--output"), out,
             QStringLiteral("--final-report"), QStringLiteral("--report-format"), QStringLiteral("json")});
        QVERIFY2(batch.exitCode == 0, batch.err.constData());
        const QByteArray report
            = fileText(out + QStringLiteral("/other/tracelens_analysis/comparison_report.json"));
        McpClient client(root());
        const ToolPages answer = client.call("compare", {{"baseline", "run"}, {"test", "other"}});
        QVERIFY2(!answer.isError, answer.text.c_str());
        const std::size_t head = answer.text.find('\n') + 1;
        QCOMPARE(QByteArray::fromStdString(answer.text.substr(head)), report);
        const Json first = Json::parse(answer.text.substr(0, head));
        QVERIFY2(batch.err.contains(QByteArray::fromStdString(first["headline"])), batch.err.constData());
        int located = 0;
        for (const Json& place : first["locations"]) {
            if (place["baseline"].is_string() && place["test"].is_string()) {
                QVERIFY(parseLocation(place["baseline"].get<std::string>()));
                QVERIFY(place["test"].get<std::string>().starts_with("other@"));
                ++located;
            }
        }
        QVERIFY(located > 3);
    }
    void collectivesAreTheTable()
    {
        const QString out = text(m_folder.path("tables"));
        QCOMPARE(
            runBatchProgram({QStringLiteral("export"), text(m_run), QStringLiteral("--csv"), out}).exitCode,
            0);
        const QList<QByteArray> lines
            = fileText(out + QStringLiteral("/collectives.csv")).trimmed().split('\n');
        McpClient client(root());
        const std::vector<Json> rows
            = client.call("collectives", {{"run", "run"}, {"order", "time"}, {"limit", 5000}}).lines();
        QCOMPARE(rows.size(), static_cast<std::size_t>(lines.size())); // a head each
        const QList<QByteArray> columns = lines.front().split(',');
        for (std::size_t i = 1; i < rows.size(); ++i) {
            const Json& row = rows[i];
            // No cell of this run contains a comma.
            const QList<QByteArray> cells = lines[1 + row["collective_id"].get<int>()].split(',');
            for (qsizetype c = 0; c < columns.size(); ++c) {
                const auto cell = row.find(columns[c].toStdString());
                if (cell == row.end())
                    continue;
                const std::string value = cell->is_null() ? std::string()
                    : cell->is_string()                   ? cell->get<std::string>()
                                                          : cell->dump();
                QCOMPARE(QByteArray::fromStdString(value), cells[c]);
            }
        }
        QCOMPARE(rows.front()["rows"].get<qsizetype>(), lines.size() - 1);
    }

    void progressAndCancellation()
    {
        McpClient client(root());
        client.greet();
        const Json answer = client.request(
            "tools/call",
            {{"name", "open"}, {"arguments", {{"run", "run"}}}, {"_meta", {{"progressToken", "load"}}}});
        QVERIFY(answer.contains("result"));
        int last = 0;
        for (const Json& notification : client.notifications()) {
            QCOMPARE(notification["method"].get<std::string>(), std::string("notifications/progress"));
            QCOMPARE(notification["params"]["progressToken"].get<std::string>(), std::string("load"));
            QVERIFY(notification["params"]["progress"].get<int>() > last);
            last = notification["params"]["progress"];
        }
        QCOMPARE(last, 100);
        // A cancelled request is not answered, and the next one is.
        client.write("{\"jsonrpc\": \"2.0\", \"id\": \"a\", \"method\": \"tools/call\", \"params\": "
                     "{\"name\": \"what_if\", "
                     "\"arguments\": {\"run\": \"other\"}}}\n"
                     "{\"jsonrpc\": \"2.0\", \"id\": \"b\", \"method\": \"tools/call\", \"params\": "
                     "{\"name\": \"open\", "
                     "\"arguments\": {\"run\": \"run\"}}}\n"
                     "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/cancelled\", \"params\": "
                     "{\"requestId\": \"b\"}}\n"
                     "{\"jsonrpc\": \"2.0\", \"id\": \"c\", \"method\": \"tools/call\", \"params\": "
                     "{\"name\": \"open\", "
                     "\"arguments\": {\"run\": \"run\"}}}\n");
        for (Json message = client.read(); message.is_object(); message = client.read()) {
            QVERIFY(message["id"] != "b");
            if (message["id"] == "c")
                break;
        }
        QVERIFY(client.request("ping")["result"] == Json::object());
    }
    void realRuns_data() { addRecordedRuns(); }
    void realRuns()
    {
        QFETCH(const QString, run);
        const QString path = QFileInfo(run).canonicalFilePath();
        const ProgramRun batch = runBatchProgram(
            {QStringLiteral("findings"), path, QStringLiteral("--json"), QStringLiteral("--without-run")});
        McpClient client({QFileInfo(path).isDir() ? path : QFileInfo(path).canonicalPath()});
        const ToolPages answer = client.call("findings", {{"run", path.toStdString()}});
        QCOMPARE(answer.isError, batch.exitCode != 0);
        if (batch.exitCode == 0)
            QCOMPARE(QByteArray::fromStdString(answer.text), batch.out);
        for (const char* tool : {"open", "collectives", "stragglers", "gaps"}) {
            const ToolPages rows = client.call(tool, {{"run", path.toStdString()}});
            QVERIFY(!rows.text.empty());
            QVERIFY(rows.mostBytes <= 16'000);
        }
        QCOMPARE(client.end(), 0);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestMcpTools)
#include "tst_mcp_tools.moc"
