// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// An exam of 30 questions, answered from the output of the tools alone. The truth is what was planned.

#include "tests/batch/agents/exam_runs.h"
#include "tests/batch/agents/mcp_client.h"
#include "tests/support/suite/suite.h"

#include <cmath>
#include <functional>
#include <memory>

namespace collscope {

using Json = nlohmann::json;

namespace {

/// A question: the answer read from tools, and the truth.
struct ExamQuestion
{
    const char* text;
    std::function<Json(McpClient&)> answer;
    std::function<Json(const ExamRuns&)> truth;
};

Json rowsOf(McpClient& client, const char* tool, Json arguments)
{
    return client.call(tool, std::move(arguments)).lines();
}

/// The first row of a tool: the largest by its order.
Json firstRow(McpClient& client, const char* tool, Json arguments)
{
    return rowsOf(client, tool, std::move(arguments)).at(1);
}

Json metricOf(McpClient& client, const char* metric, Json arguments)
{
    arguments["metric"] = {metric};
    return client.call("metrics", arguments).json()[metric];
}

std::vector<PlannedStep> innerSteps(const RunPlan& plan)
{
    return {plan.steps.begin() + 1, plan.steps.end() - 1};
}

double meanStepNs(const RunPlan& plan)
{
    double sum = 0;
    for (const PlannedStep& step : innerSteps(plan))
        sum += static_cast<double>(step.durationNs);
    return sum / static_cast<double>(plan.steps.size() - 2);
}

/// The collective with the largest value.
template<typename Value>
ExamCollective largest(const RunPlan& plan, Value value)
{
    const std::vector<ExamCollective> all = collectivesOf(plan);
    return *std::max_element(all.begin(), all.end(),
                             [&](const auto& a, const auto& b) { return value(a) < value(b); });
}

std::int64_t idleNs(const RunPlan& plan, std::size_t rank)
{
    std::int64_t sum = 0;
    for (const PlannedStep& step : innerSteps(plan)) {
        for (const auto& [from, to] : gapsOf(plan.ranks[rank], step))
            sum += to - from;
    }
    return sum;
}

std::int64_t longestGapNs(const RunPlan& plan, std::size_t rank)
{
    std::int64_t longest = 0;
    for (const PlannedStep& step : innerSteps(plan)) {
        for (const auto& [from, to] : gapsOf(plan.ranks[rank], step))
            longest = std::max(longest, to - from);
    }
    return longest;
}

/// Count and summed duration of the planned kernels with a text in their name.
std::pair<std::int64_t, std::int64_t> kernelsNamed(const RunPlan& plan, std::size_t rank, const char* text)
{
    std::pair<std::int64_t, std::int64_t> sums;
    for (const PlannedActivity& activity : plan.ranks[rank].activities) {
        if (activity.name.find(text) == std::string::npos)
            continue;
        ++sums.first;
        sums.second += activity.durationNs;
    }
    return sums;
}

/// The row of a sheet in the comparison whose first cell is this; the cells by column.
Json comparedRow(McpClient& client, const char* sheetName, const char* first)
{
    const ToolPages answer = client.call("compare", {{"baseline", "even"}, {"test", "late"}});
    const Json book = Json::parse(answer.text.substr(answer.text.find('\n') + 1));
    for (const Json& sheet : book["sheets"]) {
        for (const Json& row : sheet["rows"]) {
            if (sheet["name"] != sheetName || row[0] != first)
                continue;
            Json cells;
            for (std::size_t i = 0; i < row.size(); ++i)
                cells[sheet["columns"][i].get<std::string>()] = row[i];
            return cells;
        }
    }
    return {};
}

bool isSame(const Json& answer, const Json& truth)
{
    if (answer.is_number() && truth.is_number()) {
        const double a = answer, b = truth;
        return std::abs(a - b) <= 1e-9 * std::abs(b);
    }
    return answer == truth;
}

std::vector<ExamQuestion> questions();

} // namespace

class TestMcpExam : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    std::unique_ptr<ExamRuns> m_runs;
    std::unique_ptr<McpClient> m_client;
    int m_right = 0;

private slots:
    void initTestCase()
    {
        m_runs = std::make_unique<ExamRuns>(m_folder.path().toStdString());
        m_client = std::make_unique<McpClient>(QStringList{m_folder.path()});
        m_client->greet();
    }
    void question_data()
    {
        QTest::addColumn<int>("number");
        const std::vector<ExamQuestion> all = questions();
        for (std::size_t i = 0; i < all.size(); ++i)
            QTest::newRow(all[i].text) << static_cast<int>(i);
    }
    void question()
    {
        QFETCH(const int, number);
        const ExamQuestion question = questions()[static_cast<std::size_t>(number)];
        const Json answer = question.answer(*m_client);
        const Json truth = question.truth(*m_runs);
        QVERIFY2(!truth.is_null(), "the exam itself does not know");
        QVERIFY2(isSame(answer, truth), (answer.dump() + " instead of " + truth.dump()).c_str());
        ++m_right;
    }
    void allOfThem() { QCOMPARE(m_right, 30); }
    void cleanupTestCase() { QCOMPARE(m_client->end(), 0); }
};

namespace {

std::vector<ExamQuestion> questionsOfOneRun()
{
    using Runs = const ExamRuns&;
    return {
        {"How many ranks does the run have?",
         [](McpClient& c) {
             return c.call("open", {{"run", "late"}}).json()["summary"]["ranks"];
         },
         [](Runs r) { return Json(r.late.ranks.size()); }},
        {"How many ranks should it have?",
         [](McpClient& c) {
             return c.call("open", {{"run", "late"}}).json()["summary"]["world_size"];
         },
         [](Runs r) { return Json(r.late.description.ranks()); }},
        {"Which is its last step?",
         [](McpClient& c) {
             return c.call("open", {{"run", "late"}}).json()["summary"]["steps"]["last"];
         },
         [](Runs r) { return Json(r.late.steps.back().number); }},
        {"How long is a step, in seconds?",
         [](McpClient& c) {
             return metricOf(c, "avg_step_time", {{"run", "late"}})["value"];
         },
         [](Runs r) { return Json(meanStepNs(r.late) / 1e9); }},
        {"What do the parts of a step add up to, in ns?",
         [](McpClient& c) {
             std::int64_t sum = 0;
             const Json findings = c.call("findings", {{"run", "late"}}).json();
             for (const Json& part : findings["parts"])
                 sum += part["ns_per_step"].get<std::int64_t>();
             return findings["step_ns"] == sum ? Json(sum) : Json("not the step");
         },
         [](Runs r) { return Json(std::llround(meanStepNs(r.late))); }},
        {"How much of the communication of rank 1 is hidden, in percent?",
         [](McpClient& c) {
             return metricOf(c, "comm_comp_overlap", {{"run", "late"}, {"rank", 1}})["value"];
         },
         [](Runs r) { return Json(expectedNumbers(r.late).overlapPercent.at(1)); }},
        {"And on average over the ranks?",
         [](McpClient& c) {
             return metricOf(c, "comm_comp_overlap", {{"run", "late"}})["value"];
         },
         [](Runs r) { return Json(expectedNumbers(r.late).meanOverlapPercent); }},
        {"How many collectives does a rank call in a step?",
         [](McpClient& c) {
             return metricOf(c, "coll_call_num", {{"run", "late"}})["value"];
         },
         [](Runs r) { return Json(expectedNumbers(r.late).callsPerStep); }},
        {"What is the highest throughput of an NVLink of GPU 1, in GB/s?",
         [](McpClient& c) {
             return metricOf(c, "max_throughput", {{"run", "late"}, {"rank", 1}})["value"];
         },
         [](Runs r) { return Json(expectedNumbers(r.late).links.at(1).maxGBps); }},
        {"On which link was that?",
         [](McpClient& c) {
             return metricOf(c, "max_throughput", {{"run", "late"}, {"rank", 1}})["link_id"];
         },
         [](Runs r) { return Json(expectedNumbers(r.late).links.at(1).maxLink); }},
        {"How many bytes did the NVLinks of GPU 0 send?",
         [](McpClient& c) {
             return metricOf(c, "total_communication", {{"run", "late"}, {"rank", 0}})["tx_bytes"];
         },
         [](Runs r) { return Json(expectedNumbers(r.late).links.at(0).txBytes); }},
        {"Is the memory that was allocated known?",
         [](McpClient& c) {
             return metricOf(c, "memory_peak", {{"run", "late"}})["status"];
         },
         [](Runs) { return Json("missing_input"); }}, // no snapshot was written
    };
}

std::vector<ExamQuestion> questionsOfCollectives()
{
    using Runs = const ExamRuns&;
    return {
        {"How many collectives does the run have?",
         [](McpClient& c) {
             return rowsOf(c, "collectives", {{"run", "late"}, {"limit", 1}})[0]["rows"];
         },
         [](Runs r) { return Json(collectivesOf(r.late).size()); }},
        {"How many of them are reduce-scatters?",
         [](McpClient& c) {
             return rowsOf(c, "collectives",
                           {{"run", "late"}, {"operation", "_reduce_scatter_base"}})[0]["rows"];
         },
         [](Runs r) {
             const std::vector<ExamCollective> all = collectivesOf(r.late);
             return Json(std::count_if(all.begin(), all.end(),
                                       [](const auto& own) { return own.name == "_reduce_scatter_base"; }));
         }},
        {"How long did ranks wait in the one in which they waited longest, in ns?",
         [](McpClient& c) {
             return firstRow(c, "collectives", {{"run", "late"}})["waited_ns"];
         },
         [](Runs r) {
             return Json(largest(r.late, [](const auto& own) { return own.waitedNs(); }).waitedNs());
         }},
        {"For which rank did they wait there?",
         [](McpClient& c) {
             return firstRow(c, "collectives", {{"run", "late"}})["awaited_rank"];
         },
         [](Runs r) {
             const ExamCollective worst = largest(r.late, [](const auto& own) { return own.waitedNs(); });
             return Json(worst.ranks[worst.last()]);
         }},
        {"What is the largest time between the first and the last rank, in ns?",
         [](McpClient& c) {
             return firstRow(c, "collectives", {{"run", "late"}, {"order", "skew"}})["skew_ns"];
         },
         [](Runs r) { return Json(largest(r.late, [](const auto& own) { return own.skewNs(); }).skewNs()); }},
        {"How large is the largest message, in bytes?",
         [](McpClient& c) {
             return firstRow(c, "collectives", {{"run", "late"}, {"order", "bytes"}})["bytes"];
         },
         [](Runs r) { return Json(largest(r.late, [](const auto& own) { return own.bytes; }).bytes); }},
        {"How long does the longest transfer take, in ns?",
         [](McpClient& c) {
             return firstRow(c, "collectives", {{"run", "late"}, {"order", "transfer"}})["transfer_ns"];
         },
         [](Runs r) {
             return Json(largest(r.late, [](const auto& own) { return own.transferNs(); }).transferNs());
         }},
        {"How many collectives begin in step 12?",
         [](McpClient& c) {
             return rowsOf(c, "collectives", {{"run", "late"}, {"step", 12}})[0]["rows"];
         },
         [](Runs r) {
             const PlannedStep& step = r.late.steps[2];
             const std::vector<ExamCollective> all = collectivesOf(r.late);
             return Json(std::count_if(all.begin(), all.end(), [&](const auto& own) {
                 return own.firstBeginNs() >= step.startNs
                     && own.firstBeginNs() < step.startNs + step.durationNs;
             }));
         }},
        {"Who makes the others wait?",
         [](McpClient& c) {
             return rowsOf(c, "stragglers", {{"run", "late"}})[0]["straggler"];
         },
         [](Runs r) { return Json(r.late.description.stragglerRank); }},
    };
}

std::vector<ExamQuestion> questionsOfPlaces()
{
    using Runs = const ExamRuns&;
    return {
        {"How long was GPU 0 idle in the measured steps, in ns?",
         [](McpClient& c) {
             return rowsOf(c, "gaps", {{"run", "late"}, {"rank", 0}})[0]["idle_ns"];
         },
         [](Runs r) { return Json(idleNs(r.late, 0)); }},
        {"How long is its longest gap, in ns?",
         [](McpClient& c) {
             return firstRow(c, "gaps", {{"run", "late"}, {"rank", 0}})["duration_ns"];
         },
         [](Runs r) { return Json(longestGapNs(r.late, 0)); }},
        {"How many flash kernels ran on rank 2?",
         [](McpClient& c) {
             return rowsOf(c, "slices",
                           {{"run", "late"}, {"rank", 2}, {"named", "pytorch_flash"}})[0]["rows"];
         },
         [](Runs r) { return Json(kernelsNamed(r.late, 2, "pytorch_flash").first); }},
        {"How long did they take together, in ns?",
         [](McpClient& c) {
             return rowsOf(c, "slices",
                           {{"run", "late"}, {"rank", 2}, {"named", "pytorch_flash"}})[0]["total_ns"];
         },
         [](Runs r) { return Json(kernelsNamed(r.late, 2, "pytorch_flash").second); }},
        {"Why did step 4 of the other run take as long as it did, and because of which rank?",
         [](McpClient& c) {
             const Json why = c.call("explain", {{"run", "caused"}, {"step", 4}}).json();
             return Json{why["verdict"], why["cause"], why["rank"]};
         },
         [](Runs r) {
             return Json{"late_rank", "slow_cpu", r.caused.culprit};
         }},
    };
}

std::vector<ExamQuestion> questionsOfRuns()
{
    using Runs = const ExamRuns&;
    return {
        {"Which ranks are missing?",
         [](McpClient& c) {
             const Json open = c.call("open", {{"run", "incomplete"}}).json();
             const std::set<int> there = open["run"]["ranks"];
             std::set<int> missing;
             for (int rank = 0; rank < open["summary"]["world_size"].get<int>(); ++rank) {
                 if (!there.contains(rank))
                     missing.insert(rank);
             }
             return Json(missing);
         },
         [](Runs r) { return Json(r.incomplete.missing); }},
        {"By how many ms did the step become longer?",
         [](McpClient& c) { return comparedRow(c, "Step_Waterfall", "step")["diff_ms"]; },
         [](Runs r) {
             return Json(
                 static_cast<double>(std::llround(meanStepNs(r.late)) - std::llround(meanStepNs(r.even)))
                 / 1e6);
         }},
        {"Which rank of the job that hung did not go on, and is that proved?",
         [](McpClient& c) {
             const Json hang = c.call("hang", {{"run", "hung"}}).json();
             return Json{hang["hang"], hang["findings"][0]["ranks"]};
         },
         [](Runs) {
             return Json{"yes", {5}};
         }},
        {"Which number has the call that it did not make, in which group of ranks?",
         [](McpClient& c) {
             const Json finding = c.call("hang", {{"run", "hung"}}).json()["findings"][0];
             return Json{finding["seq"], finding["group"]["ranks"]};
         },
         [](Runs) {
             return Json{7, {4, 5}};
         }},
    };
}

std::vector<ExamQuestion> questions()
{
    std::vector<ExamQuestion> all = questionsOfOneRun();
    for (const auto& more : {questionsOfCollectives(), questionsOfPlaces(), questionsOfRuns()})
        all.insert(all.end(), more.begin(), more.end());
    return all;
}

} // namespace

} // namespace collscope

COLLSCOPE_TEST(collscope::TestMcpExam)
#include "tst_mcp_exam.moc"
