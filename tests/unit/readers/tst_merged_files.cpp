// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// One file that another tool made of the traces of several ranks is the same run as the files it was made of.

#include "tests/support/suite/suite.h"
#include "tests/support/texts/fragment_text.h"
#include "tests/support/texts/sample_trace.h"
#include "tests/support/workloads/run_writer.h"

#include <QDir>
#include <QTemporaryDir>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <functional>

namespace collscope {

namespace {

using nlohmann::json;

/// How a tool marks the events of a rank.
using Dialect = std::function<void(json& event, int rank)>;

std::string pidOf(const json& event)
{
    return event["pid"].is_string() ? event["pid"].get<std::string>()
                                    : std::to_string(event["pid"].get<int>());
}

json merged(const std::vector<json>& traces, const Dialect& mark)
{
    json sum = traces.front(); // the metadata are the first one's, as such tools have it
    sum["traceEvents"] = json::array();
    for (std::size_t rank = 0; rank < traces.size(); ++rank) {
        for (json event : traces[rank]["traceEvents"]) {
            mark(event, static_cast<int>(rank));
            sum["traceEvents"].push_back(std::move(event));
        }
    }
    return sum;
}

void asSglang(json& event, int rank)
{
    event["pid"] = "[TP0" + std::to_string(rank) + "] " + pidOf(event);
}

void asSglangWithPipeline(json& event, int rank)
{
    event["pid"]
        = "[TP0" + std::to_string(rank % 2) + "-PP0" + std::to_string(rank / 2) + "] " + pidOf(event);
}

void asTraceLens(json& event, int rank)
{
    const int pid = event["pid"].get<int>();
    event["args"]["rank"] = rank;
    event["args"]["pid_raw"] = pid;
    event["pid"] = pid + rank * 1000;
    if (event.contains("id"))
        event["id"] = event["id"].get<int>() + rank * 1'000'000;
}

void asPrefix(json& event, int rank)
{
    event["pid"] = "rank" + std::to_string(rank) + "_" + pidOf(event);
}

/// Ranks, and of each its slices by name and time.
std::string contents(const TraceModel& model)
{
    std::vector<std::string> lines;
    for (const Timeline& timeline : model.timelines) {
        for (const TrackId id : timeline.tracks) {
            const Track& track = model.track(id);
            for (std::size_t i = 0; i < track.slices.size(); ++i)
                lines.push_back("rank " + std::to_string(timeline.rank) + " "
                                + std::string(model.text(track.slices.name[i])) + " "
                                + std::to_string(track.slices.startNs[i]) + " "
                                + std::to_string(track.slices.durationNs[i]));
        }
        lines.push_back("rank " + std::to_string(timeline.rank) + " flows "
                        + std::to_string(timeline.flows.size()));
    }
    std::sort(lines.begin(), lines.end());
    std::string text;
    for (const std::string& line : lines)
        text += line + "\n";
    return text;
}

} // namespace

class TestMergedFiles : public QObject
{
    Q_OBJECT

private:
    static constexpr int ranks = 4;
    QTemporaryDir m_folder;
    std::vector<json> m_traces;
    std::string m_expected;

    std::string path(const char* name) const
    {
        return m_folder.filePath(QString::fromLatin1(name)).toStdString();
    }

private slots:
    void initTestCase()
    {
        QVERIFY(QDir(m_folder.path()).mkpath(QStringLiteral("ranks")));
        for (int rank = 0; rank < ranks; ++rank) {
            m_traces.push_back(json::parse(sampleTrace(rank, 40 + rank)));
            writeFile(path("ranks") + "/rank" + std::to_string(rank) + ".json", m_traces.back().dump());
        }
        const auto run = loadPath(path("ranks"));
        QVERIFY(run.has_value());
        m_expected = contents(**run);
        QCOMPARE((*run)->timelines.size(), std::size_t{ranks});
    }
    void isTheSameRun_data()
    {
        QTest::addColumn<int>("dialect");
        QTest::newRow("SGLang") << 0;
        QTest::newRow("SGLang, pipeline") << 1;
        QTest::newRow("TraceLens") << 2;
        QTest::newRow("a prefix") << 3;
    }
    void isTheSameRun()
    {
        QFETCH(int, dialect);
        const std::array<Dialect, 4> dialects{asSglang, asSglangWithPipeline, asTraceLens, asPrefix};
        const std::string file = path("all.json");
        writeFile(file, merged(m_traces, dialects[static_cast<std::size_t>(dialect)]).dump());
        const auto run = loadPath(file);
        QVERIFY2(run.has_value(), run ? "" : run.error().message.c_str());
        QCOMPARE(contents(**run), m_expected);
        QVERIFY(findProblem((*run)->problems, "merged_file") != nullptr);
        QVERIFY(findProblem((*run)->problems, "rank_disagrees") == nullptr);
        QCOMPARE((*run)->sources.at(0).excluded, std::uint64_t{0});
    }
    void namesOfProcessesSayRanksToo()
    {
        json all = merged(m_traces, [](json& event, int rank) {
            event["pid"] = event["pid"].get<int>() + 100 * (rank + 1);
        });
        for (const json& event : json(all["traceEvents"]))
            all["traceEvents"].push_back(
                {{"ph", "M"},
                 {"name", "process_name"},
                 {"pid", event["pid"]},
                 {"args", {{"name", "Rank " + std::to_string(event["pid"].get<int>() / 100 - 1)}}}});
        writeFile(path("named.json"), all.dump());
        const auto run = loadPath(path("named.json"));
        QVERIFY(run.has_value());
        QCOMPARE(contents(**run), m_expected);
    }
    void besideItsPartsItIsSetAside()
    {
        const std::string all = path("ranks") + "/merged-1.trace.json";
        writeFile(all, merged(m_traces, asSglang).dump());
        const auto run = loadPath(path("ranks"));
        QVERIFY(run.has_value());
        QCOMPARE(contents(**run), m_expected);
        const Diagnostic* problem = findProblem((*run)->problems, "duplicate_rank");
        QVERIFY(problem && problem->file == all);
        for (const SourceInfo& source : (*run)->sources)
            QCOMPARE(source.eventsInFile, source.shown + source.excluded);
    }
    void ofTwoTheOneWithMoreWorkIsKept()
    {
        QVERIFY(QDir(m_folder.path()).mkpath(QStringLiteral("two")));
        const std::string less = path("two") + "/a.json";
        json smaller = merged(m_traces, asSglang);
        smaller["traceEvents"].erase(smaller["traceEvents"].begin() + 20,
                                     smaller["traceEvents"].begin() + 40);
        writeFile(less, smaller.dump());
        writeFile(path("two") + "/b.json", merged(m_traces, asPrefix).dump());
        const auto run = loadPath(path("two"));
        QVERIFY(run.has_value());
        QCOMPARE(contents(**run), m_expected);
        const Diagnostic* problem = findProblem((*run)->problems, "duplicate_rank");
        QVERIFY(problem && problem->file == less);
        QVERIFY2(problem->explanation.find("b.json") != std::string::npos, problem->explanation.c_str());
        for (const SourceInfo& source : (*run)->sources)
            QCOMPARE(source.eventsInFile, source.shown + source.excluded);
    }
    void otherIterationsAreNoDuplicates()
    {
        for (const char* folder : {"steps/iteration_1", "steps/iteration_2"})
            QVERIFY(QDir(m_folder.path()).mkpath(QString::fromLatin1(folder)));
        writeFile(path("steps/iteration_1") + "/all.json", merged(m_traces, asSglang).dump());
        for (int rank = 0; rank < ranks; ++rank)
            writeFile(path("steps/iteration_2") + "/rank" + std::to_string(rank) + ".json",
                      m_traces[static_cast<std::size_t>(rank)].dump());
        LoadOptions options;
        options.iteration.mode = IterationChoice::Mode::All;
        const auto run = loadPath(path("steps"), options);
        QVERIFY(run.has_value());
        QCOMPARE((*run)->timelines.size(), std::size_t{2 * ranks});
        QVERIFY(findProblem((*run)->problems, "duplicate_rank") == nullptr);
    }
    void wordsThatHoldADimensionSayNoRank_data()
    {
        QTest::addColumn<QString>("label");
        QTest::addColumn<int>("timelines");
        const auto row = [](const char* label, int timelines) {
            QTest::newRow(label) << QString::fromLatin1(label) << timelines;
        };
        for (const char* label : {"[http 800%1] server", "[step %1] python", "[nranks %1]", "ranking_%1"})
            row(label, 1);
        for (const char* label : {"[tp0%1-pp00] x", "[TP%1 PP1]", "[tp%1pp0]", "rank_%1", "[rank 0%1]",
                                  "[http tp%1]", "[DP%1_EP0] python"})
            row(label, 2);
    }
    void wordsThatHoldADimensionSayNoRank()
    {
        QFETCH(QString, label);
        QFETCH(int, timelines);
        json both = merged({m_traces[0], m_traces[1]}, [&](json& event, int rank) {
            event["pid"] = (label.arg(rank + 1) + QStringLiteral(" ")).toStdString() + pidOf(event);
        });
        writeFile(path("words.json"), both.dump());
        const auto run = loadPath(path("words.json"));
        QVERIFY(run.has_value());
        QCOMPARE((*run)->timelines.size(), static_cast<std::size_t>(timelines));
    }
    void oneRankIsNotMerged()
    {
        const std::string file = path("one.json");
        writeFile(file, merged({m_traces.front()}, asSglang).dump());
        const auto run = loadPath(file);
        QVERIFY(run.has_value());
        QCOMPARE((*run)->timelines.size(), std::size_t{1});
        QVERIFY(findProblem((*run)->problems, "merged_file") == nullptr);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestMergedFiles)
#include "tst_merged_files.moc"
