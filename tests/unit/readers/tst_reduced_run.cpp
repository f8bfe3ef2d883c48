// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A run that tasks reduce and a merge puts together gives the very numbers of one process that loads all of
// it.

#include "metrics/analysis/analysis.h"
#include "metrics/analysis/kept_events.h"
#include "metrics/causes/cause_answer.h"
#include "metrics/causes/explain.h"
#include "metrics/export/what_if_report.h"
#include "metrics/export/written_report.h"
#include "model/readers/run/delivered_parts.h"
#include "model/readers/run/load_trace.h"
#include "model/readers/run/reduced_run.h"
#include "model/readers/run/reduced_task.h"
#include "tests/support/suite/data_folders.h"
#include "tests/support/suite/run_folder.h"
#include "tests/support/suite/suite.h"
#include "tests/support/workloads/planted_run.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

Q_DECLARE_METATYPE(collscope::MetricOptions)

namespace collscope {

namespace fs = std::filesystem;

namespace {

constexpr const char* version = COLLSCOPE_VERSION;

/// Every metric as JSON, its rows as CSV, and what it counted as text.
QStringList numbersOf(const TraceModel& model, const MetricOptions& options = {})
{
    Analysis analysis(model, options);
    std::vector<NamedResult> results;
    for (const MetricDescriptor& metric : allMetrics()) {
        MetricRequest request{std::string(metric.id), &metric, metric.unit};
        MetricResult result = evaluate(analysis, request);
        results.push_back({std::move(request), std::move(result)});
    }
    QString text = QString::fromStdString(resultsJson(results) + resultsCsv(results));
    for (const NamedResult& named : results)
        text += QString::fromStdString(explanationText(named));
    return text.split(QLatin1Char('\n'));
}

QString difference(const QStringList& one, const QStringList& other)
{
    QString text;
    for (qsizetype i = 0; i < std::max(one.size(), other.size()); ++i) {
        if (one.value(i) != other.value(i))
            text += QStringLiteral("\n- %1\n+ %2").arg(one.value(i), other.value(i));
        if (text.size() > 4000)
            break;
    }
    return text;
}

} // namespace

class TestReducedRun : public QObject
{
    Q_OBJECT

private:
    RunFolder m_folder;
    int m_runs = 0;

    /// Reduces a run in so many tasks; the folder of the parts.
    std::string reduce(const std::string& run, std::uint32_t tasks, Kept kept = Kept::WhatMetricsRead)
    {
        const auto plan = planLoad({run}, {});
        if (!plan)
            return {};
        const std::string name = "parts" + std::to_string(++m_runs) + "/";
        const std::string text = planText(reducePlan(*plan, tasks, kept, version));
        m_folder.write(name + std::string(planName), text);
        for (std::uint32_t task = 0; task < tasks; ++task)
            reduceTask(name, text, task);
        return m_folder.path(name);
    }
    void reduceTask(const std::string& folder, const std::string& text, std::uint32_t task) const
    {
        const auto plan = parsePlan(text);
        std::vector<PackedSection> sections;
        const Status read = reduceFiles(
            filesOfTask(*plan, task), {},
            [&](TraceFragment& fragment) {
                if (plan->kept == Kept::WhatMetricsRead)
                    keepWhatMetricsRead(fragment);
            },
            [&](PackedSection section) -> Status {
                sections.push_back(std::move(section));
                return {};
            });
        QVERIFY(read);
        m_folder.write(folder + partName(task, planHash(text)),
                       partBytes(planHash(text), task, std::move(sections)));
    }
    /// Two ranks that differ, with a card.
    std::string smallRun()
    {
        const std::string name = "small" + std::to_string(++m_runs);
        PlantedPlan plan;
        plan.ranks = 2;
        plan.steps = 3;
        fs::create_directories(m_folder.path(name));
        writePlanted(plan, m_folder.path(name));
        return m_folder.path(name);
    }
    /// One process and 1, 3 and 16 tasks: the same text of every metric. Where one process finds nothing to
    /// measure, nor do the tasks.
    void compare(const QString& run)
    {
        const auto whole = loadPath(run.toStdString());
        const auto merged = loadPath(reduce(run.toStdString(), 1));
        const bool isReducible = whole
            && ((*whole)->memory.empty() || !(*whole)->timelines.empty()); // snapshots are not reduced
        QVERIFY2(merged.has_value() || !isReducible, run.toUtf8().constData());
        if (!merged || !isReducible)
            return;
        const QStringList expected = numbersOf(**whole);
        for (const std::uint32_t tasks : {1u, 3u, 16u}) {
            const auto again = loadPath(reduce(run.toStdString(), tasks));
            QVERIFY2(again, run.toUtf8().constData());
            const QString differs = difference(expected, numbersOf(**again));
            QVERIFY2(differs.isEmpty(), differs.toUtf8().constData());
        }
    }
    static std::vector<fs::path> partsIn(const std::string& folder)
    {
        std::vector<fs::path> parts;
        for (const auto& entry : fs::directory_iterator(folder)) {
            if (entry.path().extension() == partEnding)
                parts.push_back(entry.path());
        }
        std::sort(parts.begin(), parts.end());
        return parts;
    }

private slots:
    void mergesToTheNumbersOfOneProcess_data()
    {
        QTest::addColumn<QString>("run");
        for (const std::uint64_t seed : {3u, 11u, 29u}) {
            const std::string folder = m_folder.path("planted" + std::to_string(seed));
            fs::create_directories(folder);
            writePlanted(plannedBy(seed), folder);
            QTest::addRow("planted %d", static_cast<int>(seed)) << QString::fromStdString(folder);
        }
    }
    void mergesToTheNumbersOfOneProcess()
    {
        QFETCH(const QString, run);
        compare(run);
    }
    /// Runs with other files than one Kineto trace per rank, and what was really recorded.
    void otherRunsMergeToTheSame_data()
    {
        QTest::addColumn<QString>("run");
        QTest::newRow("generated") << generatedRun();
        const QString oracle = oracleFolder(), traces = tracesFolder();
        for (const QString& base :
             {oracle + QStringLiteral("/inputs"), traces + QStringLiteral("/multirank"),
              traces + QStringLiteral("/kineto"), traces + QStringLiteral("/nsys_sqlite"),
              traces + QStringLiteral("/odd")}) {
            std::error_code error;
            for (const auto& entry : fs::directory_iterator(base.toStdString(), error)) {
                const auto& path = entry.path();
                QTest::newRow((path.parent_path().filename() / path.filename()).c_str())
                    << QString::fromStdString(path.string());
            }
        }
    }
    void otherRunsMergeToTheSame()
    {
        QFETCH(const QString, run);
        compare(run);
    }
    void keepsTheNumbersOfEveryChoice_data()
    {
        QTest::addColumn<MetricOptions>("options");
        const auto row = [](const char* name) -> QTestData& { return QTest::newRow(name); };
        MetricOptions options;
        options.attribution = MetricOptions::Attribution::Launch;
        row("attribution by launch") << options;
        options = {};
        options.steps.mode = StepChoice::Mode::All;
        row("all steps") << options;
        options = {};
        options.rank = 1;
        row("one rank") << options;
        options = {};
        options.range = TimeRange{2'000'000, 9'000'000};
        row("range") << options;
        options = {};
        options.clocks = ClockChoice::Aligned;
        options.linkedOnly = true;
        row("aligned, linked only") << options;
    }
    void keepsTheNumbersOfEveryChoice()
    {
        QFETCH(const MetricOptions, options);
        const std::string folder = m_folder.path("choices");
        fs::create_directories(folder);
        writePlanted(plannedBy(17), folder);
        const auto whole = loadPath(folder);
        const auto merged = loadPath(reduce(folder, 4));
        QVERIFY(whole && merged);
        const QString differs = difference(numbersOf(**whole, options), numbersOf(**merged, options));
        QVERIFY2(differs.isEmpty(), differs.toUtf8().constData());
    }
    /// Kernels of which only the execution trace says what they are; `outer` has another call within the one
    /// that launches.
    void callsStayJoined_data()
    {
        QTest::addColumn<bool>("hasLaunches");
        QTest::newRow("without launches") << false;
        QTest::newRow("a call within the one that launches") << true;
    }
    void callsStayJoined()
    {
        QFETCH(const bool, hasLaunches);
        std::string events = "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#1\",\"pid\":"
                             "1,\"tid\":1,\"ts\":0,"
                             "\"dur\":5000}";
        std::string nodes;
        const auto add = [&](const char* category, const char* name, int pid, int ts, int dur,
                             const std::string& args) {
            events.append(",{\"ph\":\"X\",\"cat\":\"").append(category).append("\",\"name\":\"").append(name);
            events.append("\",\"pid\":" + std::to_string(pid) + ",\"tid\":" + std::to_string(pid));
            events.append(",\"ts\":" + std::to_string(ts) + ",\"dur\":" + std::to_string(dur));
            events.append(",\"args\":{" + args + "}}");
        };
        for (int i = 0; i < 4; ++i) {
            const int at = 200 * (i + 1);
            const std::string correlation = "\"correlation\":" + std::to_string(100 + i);
            const std::string id = "\"External id\":" + std::to_string(50 + i);
            if (hasLaunches) {
                add("cpu_op", "record_param_comms", 1, at, 150, id);
                add("cpu_op", "record_param_comms", 1, at + 5, 10,
                    "\"External id\":" + std::to_string(90 + i));
                add("cuda_runtime", "cudaLaunchKernelExC", 1, at + 50, 5, correlation);
            }
            add("kernel", "ncclDevKernel_AllReduce_Sum_f32", 0, at + 60, 15,
                "\"stream\":7," + correlation + "," + id);
        }
        for (int i = 0; i < 5; ++i) {
            nodes.append(i == 0 ? "" : ",").append("{\"id\":" + std::to_string(i + 2));
            nodes.append(
                ",\"name\":\"record_param_comms\",\"ctrl_deps\":1,\"inputs\":{\"values\":[],\"shapes\":[],"
                "\"types\":[]},\"outputs\":{\"values\":[],\"shapes\":[],\"types\":[]},\"attrs\":[{\"name\":"
                "\"rf_id\",\"type\":\"uint64\",\"value\":"
                + std::to_string(50 + i));
            nodes.append(
                "},{\"name\":\"collective_name\",\"type\":\"string\",\"value\":\"allreduce\"},{\"name\":"
                "\"dtype\",\"type\":\"string\",\"value\":\"Float\"},{\"name\":\"pg_size\",\"type\":"
                "\"uint64\","
                "\"value\":2},{\"name\":\"in_msg_nelems\",\"type\":\"uint64\",\"value\":1000},{\"name\":"
                "\"out_msg_nelems\",\"type\":\"uint64\",\"value\":1000}]}");
        }
        const std::string folder = hasLaunches ? "nested" : "launchless";
        m_folder.write(folder + "/rank0_trace.json",
                       "{\"distributedInfo\":{\"rank\":0,\"world_size\":2},\"traceEvents\":[" + events
                           + "]}");
        m_folder.write(folder + "/torch_et_0.json",
                       "{\"schema\":\"1.1.1-chakra.0.0.4\",\"pid\":9,\"nodes\":[" + nodes + "]}");
        const auto whole = loadPath(m_folder.path(folder));
        const auto merged = loadPath(reduce(m_folder.path(folder), 2));
        QVERIFY(whole && merged);
        QVERIFY(findProblem((*whole)->problems, "joined_by_id")
                || findProblem((*whole)->problems, "execution_trace_differs"));
        const QString differs = difference(numbersOf(**whole), numbersOf(**merged));
        QVERIFY2(differs.isEmpty(), differs.toUtf8().constData());
    }
    void everythingIsKeptOnDemand()
    {
        const std::string run = smallRun();
        const auto whole = loadPath(run);
        const auto merged = loadPath(reduce(run, 2, Kept::Everything));
        const auto reduced = loadPath(reduce(run, 2));
        QVERIFY(whole && merged && reduced);
        QVERIFY(!(*merged)->isReduced() && (*reduced)->isReduced());
        // Causes are in what was left out: there is no answer, and no false one.
        Analysis ofWhole(**merged, {}), ofPart(**reduced, {});
        CauseQuestion question;
        question.instance = 0;
        QVERIFY(answerWhy(ofWhole, question).status);
        const CauseAnswer ofReduced = answerWhy(ofPart, question);
        QVERIFY(!ofReduced.status && ofReduced.status.error().message.starts_with("The run was reduced"));
        QVERIFY(!explainStep(ofPart, (*reduced)->timelines.front().steps.front().number));
        QCOMPARE((*merged)->sliceCount(), (*whole)->sliceCount());
        QVERIFY((*reduced)->sliceCount() < (*whole)->sliceCount());
        // Where each came from stays known.
        QCOMPARE((*reduced)->sources.front().path, (*whole)->sources.front().path);
        QCOMPARE((*reduced)->eventCount(), (*whole)->eventCount());
        QCOMPARE((*reduced)->title, (*whole)->title);
    }
    /// The replay needs no operators inside others, so that the parts answer the same.
    void scenariosAreTheSame()
    {
        const std::string run = m_folder.path("whatIf");
        PlantedPlan plan;
        plan.ranks = 8;
        plan.tensorParallel = 2;
        plan.cause = PlantedCause::SlowKernel;
        plan.culprit = 3;
        plan.extraUs = 200;
        fs::create_directories(run);
        writePlanted(plan, run);
        const auto whole = loadPath(run);
        const auto reduced = loadPath(reduce(run, 3));
        QVERIFY(whole && reduced);
        const auto answerOf = [](const TraceModel& model) {
            Analysis analysis(model, {});
            return QString::fromStdString(jsonText(whatIfValue(model, answerWhatIf(analysis, {}))));
        };
        const QString answer = answerOf(**whole);
        QVERIFY(answer.contains(QStringLiteral("rank=3")));
        QCOMPARE(answerOf(**reduced), answer);
    }
    void sameTaskSamePart()
    {
        const std::string run = smallRun();
        const auto bytesOf = [](const fs::path& path) {
            std::ifstream file(path, std::ios::binary);
            return std::string(std::istreambuf_iterator<char>(file), {});
        };
        const auto first = partsIn(reduce(run, 2));
        const auto second = partsIn(reduce(run, 2));
        QCOMPARE(first.size(), std::size_t{2});
        for (std::size_t i = 0; i < first.size(); ++i) {
            QCOMPARE(first[i].filename().string(), second[i].filename().string());
            QVERIFY(bytesOf(first[i]) == bytesOf(second[i]));
        }
        const auto plan = planHash(bytesOf(first[0].parent_path() / planName));
        QVERIFY(isPartWhole(first[0].string(), plan, 0));
        QVERIFY(!isPartWhole(first[0].string(), plan, 1) && !isPartWhole(first[0].string(), plan + 1, 0));
    }
    /// What only the plan knows of a file: which process wrote it, and which files hold nothing.
    void whatTheNamesSayIsKept()
    {
        const auto cycle = [&](const char* stamp, int step) {
            std::string events;
            const auto add = [&](const char* category, const std::string& what, int us) {
                events.append(events.empty() ? "{" : ",{").append("\"ph\":\"X\",\"cat\":\"").append(category);
                events.append("\",\"name\":\"").append(what).append("\",\"pid\":0,\"tid\":7,\"ts\":");
                events.append(std::to_string(us)).append(",\"dur\":4000,\"args\":{\"stream\":7}}");
            };
            for (int i = step; i < step + 3; ++i) {
                add("user_annotation", "ProfilerStep#" + std::to_string(i), 10'000 * i + 1000);
                add("kernel", "gemm", 10'000 * i + 1500);
            }
            m_folder.write(std::string("cycles/node1_4242.") + stamp + ".pt.trace.json",
                           "{\"traceEvents\":[" + events + "]}");
        };
        cycle("1700000000000", 0);
        cycle("1700000005000", 3);
        LoadOptions all;
        all.iteration.mode = IterationChoice::Mode::All;
        const auto plan = planLoad({m_folder.path("cycles")}, all);
        QVERIFY(plan);
        const std::string text = planText(reducePlan(*plan, 2, Kept::WhatMetricsRead, version));
        m_folder.write("merged cycles/" + std::string(planName), text);
        for (const std::uint32_t task : {0u, 1u})
            reduceTask("merged cycles/", text, task);
        const auto whole = loadPath(m_folder.path("cycles"), all);
        const auto merged = loadPath(m_folder.path("merged cycles"));
        QVERIFY(whole && merged);
        QCOMPARE((*whole)->ranks().size(), std::size_t{1});
        const QString differs = difference(numbersOf(**whole), numbersOf(**merged));
        QVERIFY2(differs.isEmpty(), differs.toUtf8().constData());
    }
    void reasonsForMissingRanksAreKept()
    {
        const std::string run = smallRun();
        m_folder.write(fs::path(run).filename().string() + "/rank2_trace.json", "");
        const auto whole = loadPath(run);
        const auto merged = loadPath(reduce(run, 2));
        QVERIFY(whole && merged);
        const Diagnostic* const before = findProblem((*whole)->problems, "ranks_missing");
        const Diagnostic* const after = findProblem((*merged)->problems, "ranks_missing");
        QVERIFY(before && after);
        QVERIFY2(before->explanation.find("its file is empty") != std::string::npos,
                 before->explanation.c_str());
        QCOMPARE(after->explanation, before->explanation);
    }
    void missingPartsAreNamed()
    {
        const std::string folder = reduce(smallRun(), 2);
        const fs::path part = partsIn(folder)[1];
        fs::remove(part);
        const auto merged = loadPath(folder);
        QVERIFY(merged);
        QCOMPARE((*merged)->ranks().size(), std::size_t{1});
        const Diagnostic* missing = findProblem((*merged)->problems, missingPart);
        QVERIFY(missing && missing->severity == Severity::DataLoss);
        QVERIFY(missing->explanation.starts_with("Task 1 of 2 produced no part: 1 file, ranks "));
        // What cannot be opened may be there.
        fs::create_directory(part);
        const auto closed = loadPath(folder);
        QVERIFY(closed);
        QVERIFY(findProblem((*closed)->problems, "unreadable_part"));
        const Diagnostic* told = findProblem((*closed)->problems, missingPart);
        QVERIFY(told);
        QVERIFY2(told->explanation.starts_with("Task 1 of 2 produced a part that cannot be opened: 1 file, "),
                 told->explanation.c_str());
        fs::remove(part);
        fs::remove(partsIn(folder)[0]);
        QVERIFY(!isReducedRun(folder));
    }
    void partsOfAnotherPlanAreForeign()
    {
        const std::string folder = reduce(smallRun(), 2);
        const std::string other = reduce(smallRun(), 2);
        for (const fs::path& part : partsIn(other))
            fs::copy_file(part, fs::path(folder) / part.filename());
        const auto merged = loadPath(folder);
        QVERIFY(merged);
        QCOMPARE((*merged)->ranks().size(), std::size_t{2});
        QVERIFY(findProblem((*merged)->problems, "foreign_part"));
        QVERIFY(!findProblem((*merged)->problems, missingPart));
    }
    void damagedPartsLoadNothingFalse()
    {
        const std::string run = smallRun();
        const auto whole = loadPath(run);
        const QStringList expected = numbersOf(**whole);
        const std::string folder = reduce(run, 1);
        const fs::path part = partsIn(folder).front();
        std::ifstream file(part, std::ios::binary);
        const std::string sound(std::istreambuf_iterator<char>(file), {});
        const auto check = [&](const std::string& bytes) {
            std::ofstream(part, std::ios::binary | std::ios::trunc) << bytes;
            const auto merged = loadPath(folder);
            if (!merged)
                return true;
            const auto& problems = (*merged)->problems;
            return findProblem(problems, missingPart) || findProblem(problems, "unreadable")
                || numbersOf(**merged) == expected;
        };
        for (std::size_t cut = 0; cut < sound.size(); cut += 1 + sound.size() / 40)
            QVERIFY2(check(sound.substr(0, cut)), qPrintable(QString::number(cut)));
        for (std::size_t at = 3; at < sound.size(); at += 1 + sound.size() / 150) {
            std::string bytes = sound;
            bytes[at] = static_cast<char>(bytes[at] ^ 0x21);
            QVERIFY2(check(bytes), qPrintable(QString::number(at)));
        }
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestReducedRun)
#include "tst_reduced_run.moc"
