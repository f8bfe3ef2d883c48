// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// User-defined metrics against numbers worked out by hand, and what a wrong file is answered with.

#include "app/files/user_metrics.h"
#include "metrics/analysis/analysis.h"
#include "metrics/export/written_report.h"
#include "model/readers/byte_source.h"
#include "tests/support/runs/all_steps.h"
#include "tests/support/suite/close.h"
#include "tests/support/suite/suite.h"
#include "tests/support/texts/fragment_text.h"
#include "tests/support/workloads/run_writer.h"

#include <QTemporaryDir>

#include <cmath>
#include <fstream>
#include <iterator>
#include <map>

namespace collscope {

namespace {

constexpr const char* helpFolder = COLLSCOPE_SOURCE_FOLDER "/resources/help/";

Result<MetricCatalog> define(const std::string& text, MetricCatalog catalog = {},
                             const char* name = "mine.toml")
{
    const QTemporaryDir folder;
    const std::string path = folder.filePath(QString::fromLatin1(name)).toStdString();
    writeFile(path, text);
    return readUserMetrics(path, std::move(catalog));
}

/// The result of a definition that consists of the lines given, plus an id and a unit.
MetricResult measure(const TraceModel& model, const std::string& lines, const MetricOptions& options = {})
{
    const auto catalog = define("[[metric]]\nid = \"mine\"\nunit = \"u\"\n" + lines + "\n");
    if (!catalog) {
        MetricResult result;
        result.reason = catalog.error().message;
        return result;
    }
    return evaluate(model, *catalog->find("mine"), options);
}

double valueOf(const TraceModel& model, const std::string& lines, const MetricOptions& options = {})
{
    return measure(model, lines, options).value.value_or(std::nan(""));
}

std::string event(const char* category, const char* name, int tid, int startUs, int durationUs,
                  const std::string& args = {})
{
    return std::string(R"({"ph":"X","cat":")") + category + R"(","name":")" + name + R"(","pid":)"
        + (std::string_view(category) == "kernel" || std::string_view(category) == "gpu_memcpy" ? "0" : "900")
        + R"(,"tid":)" + std::to_string(tid) + R"(,"ts":)" + std::to_string(startUs) + R"(,"dur":)"
        + std::to_string(durationUs) + R"(,"args":{)" + args + "}}";
}

std::string onStream(int stream, const char* more = "")
{
    return R"("device":0,"stream":)" + std::to_string(stream) + more;
}

/// One rank, three steps of 100 us. In the middle one: compute 110-130, an all-reduce of the group mesh_tp
/// with 4000 bytes 120-150, a copy 160-165, an all-reduce of unknown size 190-210 (into the next step); on
/// the CPU an operator 100-150 with another one inside it 110-120.
TraceModelPtr handMadeRun()
{
    std::string text = R"({"distributedInfo":{"rank":0,"world_size":2},"traceEvents":[)";
    for (int step = 0; step < 3; ++step)
        text += event("user_annotation", ("ProfilerStep#" + std::to_string(step)).c_str(), 900, step * 100,
                      100)
            + ",";
    text += event("kernel", "ampere_sgemm", 7, 110, 20, onStream(7)) + ","
        + event("kernel", "ncclDevKernel_AllReduce_Sum_f32", 20, 120, 30,
                onStream(20,
                         R"(,"Collective name":"allreduce","In msg nelems":1000,"Out msg nelems":1000,)"
                         R"("dtype":"Float","Process Group Name":"1",)"
                         R"("Process Group Description":"mesh_tp","Group size":2)"))
        + "," + event("gpu_memcpy", "Memcpy HtoD", 7, 160, 5, onStream(7, R"(,"bytes":4096)")) + ","
        + event("kernel", "ncclDevKernel_AllReduce_Sum_bf16", 20, 190, 20, onStream(20)) + ","
        + event("cpu_op", "aten::linear", 901, 100, 50) + "," + event("cpu_op", "aten::mm", 901, 110, 10)
        + "]}";
    const QTemporaryDir folder;
    const std::string path = folder.filePath(QStringLiteral("rank0_trace.json")).toStdString();
    writeFile(path, text);
    auto model = loadPath(path);
    return model ? *model : nullptr;
}

/// Seconds in the inner steps of each rank that the plan's activities fulfilling `counts` take, added up.
template<typename Counts>
std::map<int, double> plannedSeconds(const RunPlan& plan, const Counts& counts)
{
    std::map<int, double> seconds;
    for (const PlannedRank& rank : plan.ranks) {
        for (std::size_t s = 1; s + 1 < plan.steps.size(); ++s) {
            const PlannedStep& step = plan.steps[s];
            for (const PlannedActivity& a : rank.activities) {
                const std::int64_t begin = std::max(a.startNs, step.startNs);
                const std::int64_t end = std::min(a.endNs(), step.startNs + step.durationNs);
                if (begin < end && counts(a))
                    seconds[rank.rank] += static_cast<double>(end - begin) / 1e9;
            }
        }
    }
    return seconds;
}

std::string contentOf(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

class TestUserMetrics : public QObject
{
    Q_OBJECT

private:
    TraceModelPtr m_run;

private slots:
    void initTestCase()
    {
        m_run = handMadeRun();
        QVERIFY(m_run);
    }
    void byHand_data()
    {
        QTest::addColumn<QString>("lines");
        QTest::addColumn<double>("expected");
        const auto row = [](const char* name, const char* lines, double expected) {
            QTest::newRow(name) << QString::fromLatin1(lines) << expected;
        };
        row("share of the window",
            "numerator = { time = \"union\", class = \"communication\" }\n"
            "denominator = { window = \"time\" }\nfactor = 100",
            40);
        row("union of kernels", "sum = [{ time = \"union\", class = \"kernel\", factor = 1e6 }]", 50);
        row("sum of kernels", "sum = [{ time = \"sum\", class = \"kernel\", factor = 1e6 }]", 60);
        row("two classes", "numerator = { time = \"sum\", class = [\"gemm\", \"copy\"], factor = 1e6 }", 25);
        row("name",
            "numerator = { time = \"sum\", class = \"kernel\", name = \"reduce.*F32\", factor = 1e6 }", 30);
        row("name with padding", "numerator = { count = true, class = \"kernel\", name = \".*gemm.*\" }", 1);
        row("name at its end", "numerator = { count = true, class = \"kernel\", name = \"(f32|gemm)$\" }", 2);
        row("group by description",
            "numerator = { time = \"sum\", class = \"communication\", group = \"TP\", factor = 1e6 }", 30);
        row("group by name", "numerator = { count = true, class = \"communication\", group = \"1\" }", 1);
        row("stream", "numerator = { time = \"sum\", class = \"gpu\", streams = 7, factor = 1e6 }", 25);
        row("count starts in the window", "numerator = { count = true, class = \"allreduce\" }", 2);
        row("copied bytes", "numerator = { bytes = true, class = \"copy\" }", 4096);
        row("message bytes", "numerator = { bytes = true, class = \"communication\" }", 4000);
        row("union of nested operators", "numerator = { time = \"union\", class = \"cpu_op\", factor = 1e6 }",
            50);
        row("sum of nested operators", "numerator = { time = \"sum\", class = \"cpu_op\", factor = 1e6 }",
            60);
        row("terms add up",
            "sum = [{ count = true, class = \"gemm\", factor = 10 }, { window = \"steps\" }, 0.5]", 11.5);
        row("denominators add up",
            "numerator = { count = true, class = \"kernel\" }\ndenominator = [{ window = \"steps\" }, 1]",
            1.5);
        row("metric", "numerator = { metric = \"avg_step_time\" }\nfactor = 1e6", 100);
        row("alias of a metric in its unit", "numerator = { metric = \"iter_time\" }\nfactor = 1e3", 100);
        row("metric and events",
            "numerator = { time = \"union\", class = \"kernel\" }\ndenominator = { metric = "
            "\"avg_step_time\" }",
            0.5);
        row("nothing there", "numerator = { count = true, class = \"alltoall\" }", 0);
    }
    void byHand()
    {
        QFETCH(QString, lines);
        QFETCH(double, expected);
        const MetricResult result = measure(*m_run, lines.toStdString());
        QVERIFY2(result.value.has_value(), result.reason.c_str());
        COLLSCOPE_CLOSE(*result.value, expected);
        QCOMPARE(result.unit, std::string("u"));
        QCOMPARE(result.scope, std::string("rank 0"));
        QCOMPARE(result.window, std::string("inner steps"));
        QVERIFY(result.definition.find("mine.toml, line 1") != std::string::npos);
    }
    void windowsAreThoseOfTheOptions()
    {
        const std::string share = "numerator = { time = \"sum\", class = \"communication\", factor = 1e6 }";
        MetricOptions all = allSteps();
        COLLSCOPE_CLOSE(valueOf(*m_run, share, all), 50);
        MetricOptions last;
        last.steps = {StepChoice::Mode::Range, 2, 2};
        COLLSCOPE_CLOSE(valueOf(*m_run, share, last), 10);
        COLLSCOPE_CLOSE(valueOf(*m_run, "numerator = { count = true, class = \"communication\" }", last), 0);
        MetricOptions range;
        range.range = TimeRange{125'000, 200'000};
        COLLSCOPE_CLOSE(valueOf(*m_run, share, range), 35);
        MetricOptions other;
        other.rank = 5;
        QVERIFY(measure(*m_run, share, other).state == MetricState::MissingInput);
    }
    void theResultExplainsItself()
    {
        MetricOptions options;
        options.wantEvidence = true;
        const MetricResult bytes = measure(*m_run,
                                           "numerator = { bytes = true, class = \"communication\" }\n"
                                           "denominator = { window = \"steps\" }",
                                           options);
        QCOMPARE(bytes.warnings.size(), std::size_t{1});
        QVERIFY2(bytes.warnings[0].find("1 of 2 events") != std::string::npos, bytes.warnings[0].c_str());
        QCOMPARE(bytes.inputs.size(), std::size_t{2});
        QVERIFY2(bytes.inputs[0].find("4000 bytes") != std::string::npos, bytes.inputs[0].c_str());
        QCOMPARE(bytes.evidence.size(), std::size_t{2});
        for (const SliceRef slice : bytes.evidence)
            QVERIFY(m_run->nameOf(slice).find("AllReduce") != std::string_view::npos);
        QCOMPARE(bytes.evidenceRanges.size(), std::size_t{1});
        // A row for the rank and one for its step.
        QCOMPARE(bytes.rows.size(), std::size_t{2});
        QVERIFY(bytes.rows[0].rank == 0 && !bytes.rows[0].step && bytes.rows[0].value == 4000);
        QVERIFY(bytes.rows[1].step == 1 && bytes.rows[1].value == 4000);
        const MetricResult none = measure(*m_run, "numerator = { count = true, class = \"alltoall\" }");
        QVERIFY(!none.warnings.empty() && none.warnings[0].find("alltoall") != std::string::npos);
    }
    void withoutItsInputThereIsAReason()
    {
        const auto reasonOf = [&](const char* lines, MetricState state) {
            const MetricResult result = measure(*m_run, lines);
            return result.state == state && !result.value ? result.reason : "state is not as expected";
        };
        const auto mentions = [](const std::string& reason, const char* words) {
            return reason.find(words) != std::string::npos;
        };
        std::string reason
            = reasonOf("numerator = { metric = \"max_throughput\" }", MetricState::MissingInput);
        QVERIFY2(mentions(reason, "max_throughput: "), reason.c_str());
        reason = reasonOf("numerator = { window = \"time\" }\n"
                          "denominator = { time = \"sum\", class = \"alltoall\" }",
                          MetricState::NotApplicable);
        QVERIFY2(mentions(reason, "time (sum) of alltoall, is 0"), reason.c_str());
        reason = reasonOf("numerator = { bytes = true, class = \"communication\", name = \"bf16\" }",
                          MetricState::MissingInput);
        QVERIFY2(mentions(reason, "1 events"), reason.c_str());
        reason = reasonOf("numerator = { count = true, class = \"gemm\", ranks = [3] }",
                          MetricState::NotApplicable);
        QVERIFY2(mentions(reason, "not in the run"), reason.c_str());
    }
    void ranksAreReducedAsAsked()
    {
        WorkloadDescription description;
        description.dataParallel = 2;
        description.stragglerRank = 2;
        description.lateNs = 150'000;
        const RunPlan plan = planRun(description);
        const QTemporaryDir folder;
        writeRun(plan, folder.path().toStdString(), RunFiles());
        const auto model = loadPath(folder.path().toStdString());
        QVERIFY(model.has_value());
        const auto gemm = plannedSeconds(
            plan, [](const PlannedActivity& a) { return a.name.find("gemm") != std::string::npos; });
        const auto compute
            = plannedSeconds(plan, [](const PlannedActivity& a) { return a.isKernel() && !a.collective; });
        QCOMPARE(gemm.size(), std::size_t{4});
        std::vector<double> shares;
        double gemmSum = 0;
        double computeSum = 0;
        for (const auto& [rank, seconds] : gemm) {
            shares.push_back(seconds / compute.at(rank));
            gemmSum += seconds;
            computeSum += compute.at(rank);
        }
        const double sum = shares[0] + shares[1] + shares[2] + shares[3];
        const std::string share = "numerator = { time = \"sum\", class = \"kernel\", name = \"gemm\" }\n"
                                  "denominator = { time = \"sum\", class = \"compute\" }\n";
        QVERIFY(!areClose(sum / 4, gemmSum / computeSum)); // else mean and pooled would pass for each other
        COLLSCOPE_CLOSE(valueOf(**model, share), sum / 4);
        COLLSCOPE_CLOSE(valueOf(**model, share + "reduce = \"pooled\""), gemmSum / computeSum);
        COLLSCOPE_CLOSE(valueOf(**model, share + "reduce = \"sum\""), sum);
        COLLSCOPE_CLOSE(valueOf(**model, share + "reduce = \"max\""),
                        *std::max_element(shares.begin(), shares.end()));
        COLLSCOPE_CLOSE(valueOf(**model, share + "reduce = \"min\""),
                        *std::min_element(shares.begin(), shares.end()));
        MetricOptions one;
        one.rank = 2;
        COLLSCOPE_CLOSE(valueOf(**model, share, one), shares[2]);
        QCOMPARE(measure(**model, share, one).reduction, std::string("one rank"));
        // A term of some ranks: a ratio of two ranks is pooled, a mean is over those ranks.
        COLLSCOPE_CLOSE(valueOf(**model,
                                "numerator = { time = \"sum\", class = \"gemm\", ranks = 2 }\n"
                                "denominator = { time = \"sum\", class = \"gemm\", ranks = [0] }\n"
                                "reduce = \"pooled\""),
                        gemm.at(2) / gemm.at(0));
        COLLSCOPE_CLOSE(valueOf(**model, "numerator = { time = \"sum\", class = \"gemm\", ranks = [0, 2] }"),
                        (gemm.at(0) + gemm.at(2)) / 2);
    }
    void metricsAloneGiveTheRatioOfTheirValues()
    {
        const auto model = loadPath(COLLSCOPE_SOURCE_FOLDER "/resources/demo");
        QVERIFY(model.has_value());
        const auto builtIn = [&](const char* id) { return evaluate(**model, *findMetric(id), {}); };
        const MetricResult exposed = builtIn("exposed_communication_time");
        const MetricResult step = builtIn("avg_step_time");
        const std::string share = "numerator = { metric = \"exposed_communication_time\" }\n"
                                  "denominator = { metric = \"avg_step_time\" }\n";
        const MetricResult result = measure(**model, share);
        COLLSCOPE_CLOSE(result.value.value_or(0), *exposed.value / *step.value);
        QCOMPARE(result.reduction, std::string("of the metrics' values"));
        QCOMPARE(result.scope, exposed.scope);
        double sum = 0;
        for (const MetricRow& row : exposed.rows) {
            for (const MetricRow& other : step.rows)
                sum += row.rank && !row.step && other.rank == row.rank && !other.step
                    ? row.value / other.value
                    : 0;
        }
        COLLSCOPE_CLOSE(valueOf(**model, share + "reduce = \"mean of ranks\""), sum / 8);
    }
    void mistakesNameLineAndRemedy_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("line");
        QTest::addColumn<QString>("remedy");
        const auto row = [](const char* text, int line, const char* remedy) {
            QTest::newRow(remedy) << QString::fromLatin1(text) << line << QString::fromLatin1(remedy);
        };
        const auto inMetric = [](const char* lines, int line, const char* remedy) {
            QTest::newRow(remedy) << QString::fromLatin1("[[metric]]\nid = \"mine\"\nunit = \"s\"\n")
                    + QString::fromLatin1(lines)
                                  << line << QString::fromLatin1(remedy);
        };
        row("", 1, "[[metric]]");
        row("[[metric]\n", 1, "not valid TOML");
        row("\n[[metrics]]\n", 2, "'metrics' is not a key");
        row("[[metric]]\nunit = \"s\"\n", 1, "'id' is missing");
        row("[[metric]]\nid = \"Mine\"\n", 2, "'Mine' is not a valid id");
        row("[[metric]]\nid = \"mine\"\nnumerator = 3\n", 1, "'unit' is missing");
        row("[[metric]]\nid = \"avg_step_time\"\nunit = \"s\"\nsum = [{ window = \"time\" }]\n", 2,
            "built-in metric avg_step_time");
        row("[[metric]]\nid = \"iter_time_16\"\nunit = \"s\"\nsum = [{ window = \"time\" }]\n", 2, "taken");
        row("[[metric]]\nid = \"all\"\nunit = \"s\"\nsum = [{ window = \"time\" }]\n", 2, "all metrics");
        inMetric("", 1, "nothing to compute");
        inMetric("numeratr = 3\n", 4, "'numeratr' is not a key of a [[metric]]");
        inMetric("numerator = 3\n", 1, "all its terms are numbers");
        inMetric("numerator = \"fast\"\n", 4, "must be a number, a term");
        inMetric("numerator = { metric = \"avg_step_tim\" }\n", 4, "Nearest: avg_step_time, ");
        inMetric("numerator = { class = \"kernel\" }\n", 4, "exactly one of time, bytes, count, metric");
        inMetric("numerator = { time = \"sum\", count = true, class = \"kernel\" }\n", 4,
                 "more than one measure");
        inMetric("numerator = { time = \"sum\" }\n", 4, "'class' is missing");
        inMetric("numerator = { time = \"mean\", class = \"gpu\" }\n", 4, "\"union\", \"sum\"");
        inMetric("numerator = { time = \"sum\", class = \"kernels\" }\n", 4, "'kernels' is not a class");
        inMetric("numerator = { time = \"sum\", class = \"gpu\", name = \"[a\" }\n", 4, "regular expression");
        inMetric("numerator = { time = \"sum\", class = \"gpu\", name = \"(a)\\\\1\" }\n", 4,
                 "back-reference");
        inMetric("numerator = { bytes = true, class = \"gemm\" }\n", 4, "only collectives and copies");
        inMetric("numerator = { bytes = false, class = \"copy\" }\n", 4, "must be true");
        inMetric("numerator = { time = \"sum\", class = \"gpu\", ranks = [0, -1] }\n", 4, "whole number");
        inMetric("numerator = { time = \"sum\", class = \"cpu_op\", streams = 7 }\n", 4,
                 "applies to GPU events");
        inMetric("numerator = { metric = \"avg_step_time\", class = \"gpu\" }\n", 4, "selects events");
        inMetric("numerator = { window = \"time\" }\nfactor = \"100\"\n", 5, "'factor' must be a number");
        inMetric("numerator = { window = \"time\" }\nreduce = \"median\"\n", 5, "\"mean of ranks\"");
        inMetric("numerator = { window = \"time\" }\nreduce = \"values\"\n", 5, "one number per rank");
        inMetric("numerator = { window = \"time\" }\nsum = [1]\n", 5, "expected one of them");
        inMetric("numerator = { window = \"time\" }\nbetter = \"bigger\"\n", 5, "\"lower\", \"higher\"");
        inMetric("numerator = { window = \"time\" }\ntitle = \"two\\nlines\"\n", 5, "one line of text");
        inMetric("numerator = { window = \"time\" }\n[[metric]]\nid = \"mine\"\nunit = \"s\"\n"
                 "numerator = { window = \"steps\" }\n",
                 6, "taken: it is defined in");
        inMetric("numerator = { window = \"time\" }\n[[metric]]\nid = \"other\"\nunit = \"s\"\n"
                 "numerator = { metric = \"mine\" }\n",
                 8, "itself user-defined");
    }
    void mistakesNameLineAndRemedy()
    {
        QFETCH(QString, text);
        QFETCH(int, line);
        QFETCH(QString, remedy);
        const auto catalog = define(text.toStdString());
        QVERIFY(!catalog.has_value());
        const std::string& message = catalog.error().message;
        const std::string place = "mine.toml:" + std::to_string(line) + ": ";
        QVERIFY2(message.find(place) != std::string::npos, message.c_str());
        QVERIFY2(message.find(remedy.toStdString()) != std::string::npos, message.c_str());
        QVERIFY2(message.ends_with('.'), message.c_str());
    }
    void filesThatAreNone()
    {
        QVERIFY(!readUserMetrics("no such file.toml", {}).has_value());
        QVERIFY(!readUserMetrics(COLLSCOPE_SOURCE_FOLDER, {}).has_value());
        const auto large = define(std::string(std::size_t{2} << 20, '#'));
        QVERIFY(!large.has_value());
        QVERIFY2(large.error().message.find("1 MiB") != std::string::npos, large.error().message.c_str());
    }
    void hardPatternsStayQuick()
    {
        // Exponential in a backtracking matcher, a stack overflow in a recursive one.
        EventFilter filter;
        QCOMPARE(setNamePattern(filter, "(a+)+$"), std::string());
        QVERIFY(!std::regex_search(std::string(60, 'a') + "b", *filter.nameRegex));
        QVERIFY(!setNamePattern(filter, "(((a{100}){100}){100}){100}").empty());
        QVERIFY(!setNamePattern(filter, std::string(201, 'a')).empty());
        QCOMPARE(setNamePattern(filter, ".*"), std::string());
        QVERIFY(std::regex_search(std::string("anything"), *filter.nameRegex));
    }
    void catalogueFindsBoth()
    {
        const auto catalog
            = define("[[metric]]\nid = \"my_share\"\nunit = \"%\"\nnumerator = { window = \"time\" }\n");
        QVERIFY(catalog.has_value());
        QVERIFY(catalog->find("avg_step_time") && !catalog->find("avg_step_time")->user);
        QCOMPARE(catalog->all().size(), allMetrics().size() + 1);
        QCOMPARE(catalog->all().back().name, std::string("my_share"));
        QCOMPARE(catalog->nearest("my_shar").front(), std::string("my_share"));
        // Requests and results outlive the catalogue they come from.
        std::optional<MetricRequest> kept;
        {
            MetricCatalog copy = *catalog;
            kept = copy.find("my_share");
            copy = MetricCatalog();
        }
        QCOMPARE(kept->metric->group, std::string_view("User-defined"));
        QCOMPARE(kept->metric->title, std::string_view("my_share"));
        QVERIFY(evaluate(*m_run, *kept, {}).value.has_value());
        const TraceModel empty;
        const MetricResult result = evaluate(empty, *kept, {});
        QVERIFY(result.state == MetricState::MissingInput && !result.reason.empty());
        QVERIFY(metricListText(*catalog).find("user-defined: ") != std::string::npos);
        QVERIFY(metricListText({}).find("user-defined: ") == std::string::npos);
    }
    void theExampleWorksOnTheDemo()
    {
        const auto catalog = readUserMetrics(std::string(helpFolder) + "metrics-example.toml", {});
        QVERIFY2(catalog.has_value(), catalog ? "" : catalog.error().message.c_str());
        QVERIFY(catalog->userMetricCount() >= 6);
        const auto model = loadPath(COLLSCOPE_SOURCE_FOLDER "/resources/demo");
        QVERIFY(model.has_value());
        std::map<std::string, double> values;
        for (const MetricRequest& request : catalog->all()) {
            if (!request.user)
                continue;
            const MetricResult result = evaluate(**model, request, {});
            QVERIFY2(result.value.has_value(), (request.name + ": " + result.reason).c_str());
            QVERIFY2(result.warnings.empty(), request.name.c_str());
            values[request.name] = *result.value;
        }
        const RunPlan plan = planRun(demoDescription());
        // 2 forward, 2 feed-forward and 4 backward GEMMs in each of 3 layers.
        COLLSCOPE_CLOSE(values.at("gemms_per_step"), 3 * (2 + 2 + 4));
        double bytes = 0;
        for (const PlannedActivity& a : plan.ranks[0].activities) {
            if (a.step == 0 || a.step + 1 == static_cast<int>(plan.steps.size()) || !a.collective)
                continue;
            const PlannedCollective& call = *a.collective;
            const double size = call.elementType == "Float" ? 4 : 2;
            if (call.name == "_allgather_base")
                bytes += size * static_cast<double>(call.outElements);
            else if (call.name == "_reduce_scatter_base")
                bytes += size * static_cast<double>(call.inElements);
        }
        COLLSCOPE_CLOSE(values.at("gathered_gb_per_step"),
                        bytes / 1e9 / static_cast<double>(plan.steps.size() - 2));
        QVERIFY(values.at("communication_of_step") > values.at("exposed_share_of_step"));
    }
    void theHelpPageIsWhatTheProgramSays()
    {
        QVERIFY2(contentOf(std::string(helpFolder) + "metrics.md") == metricListMarkdown({}),
                 "resources/help/metrics.md is out of date; resources/README.md says how to write it again");
    }
    void theFormatPageNamesEveryWord()
    {
        const std::string page = contentOf(std::string(helpFolder) + "user_metrics.md");
        for (const EventClass& c : eventClasses())
            QVERIFY2(page.find("`" + std::string(c.word) + "`") != std::string::npos, c.word.data());
        for (const char* key : {"id",     "title",  "unit",   "meaning", "better", "numerator", "denominator",
                                "sum",    "factor", "reduce", "time",    "bytes",  "count",     "metric",
                                "window", "class",  "name",   "group",   "ranks",  "streams"})
            QVERIFY2(page.find("`" + std::string(key) + "`") != std::string::npos, key);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestUserMetrics)

#include "tst_user_metrics.moc"
