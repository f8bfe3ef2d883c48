// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/texts/gloo_jobs.h"

#include "tests/support/suite/data_folders.h"
#include "tests/support/texts/cpu_rank.h"
#include "tests/support/workloads/run_writer.h"

#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace collscope {

namespace {

constexpr int rankCount = 4;
constexpr int firstStep = 2;
constexpr int stepCount = 6;
constexpr int lateRank = 2;
constexpr double stepUs = 400'000;
constexpr double lateUs = 300'000;
/// gloo runs calls on two threads.
constexpr int glooThreads[] = {2, 3};

const std::string group
    = ",\"backend\":\"gloo\",\"pg_config\":[{\"pg_name\":\"0\",\"pg_desc\":\"default_pg\",\"pg_size\":4,"
      "\"ranks\":[0,1,2,3]}]";

std::string tensor(const std::string& dims, const std::string& more = {})
{
    return "\"Input Dims\":[[" + dims + "]],\"Input type\":[\"float\"]" + more;
}

void writeRanks(const std::vector<CpuRank>& ranks, const std::filesystem::path& folder)
{
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        writeFile(folder / ("rank" + std::to_string(rank) + "_trace.json"), ranks[rank].text());
}

std::vector<CpuRank> emptyRanks()
{
    std::vector<CpuRank> ranks;
    for (int rank = 0; rank < rankCount; ++rank)
        ranks.emplace_back(rank, group, rankCount);
    return ranks;
}

/// When a rank calls the all-reduce of a step, and when all of them leave it, from the step's begin.
double callUs(int rank)
{
    return 20'000 + 100.0 * rank + (rank == lateRank ? lateUs : 0);
}
constexpr double leaveUs = 340'000;

PlantedGloo writeStraggler(const std::filesystem::path& folder)
{
    std::vector<CpuRank> ranks = emptyRanks();
    for (int rank = 0; rank < rankCount; ++rank) {
        CpuRank& own = ranks[static_cast<std::size_t>(rank)];
        for (int step = 0; step < stepCount; ++step) {
            const double begin = stepUs * step;
            own.step(firstStep + step, begin, stepUs - 5'000);
            own.event("cpu_op", "aten::mm", 1, begin + 1'000, callUs(rank) - 2'000);
            own.allReduce(begin + callUs(rank), leaveUs - callUs(rank) - 10, 166016, glooThreads[step % 2]);
        }
    }
    writeRanks(ranks, folder);
    // Rank 0 comes first, and the late rank last.
    return {stepCount, stepCount * (callUs(lateRank) - callUs(0))};
}

void writeLegacy(const std::filesystem::path& folder)
{
    for (int rank = 0; rank < rankCount; ++rank) {
        std::string text = "[";
        const auto event = [&](const std::string& name, int thread, double ts, double dur) {
            text += std::string(text.size() > 1 ? ", " : "") + "{\"name\": \"" + name
                + "\", \"ph\": \"X\", \"ts\": " + std::to_string(static_cast<long>(ts))
                + ", \"dur\": " + std::to_string(static_cast<long>(dur))
                + ", \"tid\": " + std::to_string(thread) + ", \"pid\": \"CPU functions\", \"args\": {}}";
        };
        for (int step = 0; step < stepCount; ++step) {
            const double begin = 100 + stepUs * step;
            event("ProfilerStep#" + std::to_string(firstStep + step), 1, begin, stepUs - 5'000);
            event("aten::mm", 1, begin + 1'000, callUs(rank) - 2'000);
            event("c10d::allreduce_", 1, begin + callUs(rank), 20);
            event("gloo:all_reduce", 2, begin + callUs(rank) + 60, leaveUs - callUs(rank) - 60);
        }
        writeFile(folder / ("rank" + std::to_string(rank) + "_trace.json"), text + "]");
    }
}

/// One call of the planted mesh: operator, span, and their inputs.
struct Kind
{
    const char* operation;
    const char* span;
    std::string operatorArgs, spanArgs;
};

std::vector<Kind> callsOfStep()
{
    const Kind gather{"c10d::allgather_", "gloo:all_gather",
                      "\"Input Dims\":[[],[[32,64]],[]],\"Input type\":[\"\",\"TensorList\",\"\"]",
                      tensor("32,64")};
    // gloo runs a reduce-scatter as an all-reduce of its input.
    const Kind scatter{"c10d::_reduce_scatter_base_", "gloo:all_reduce",
                       "\"Input Dims\":[[8,256],[32,256]],\"Input type\":[\"float\",\"float\"]",
                       tensor("32,256")};
    const Kind broadcast{
        "c10d::broadcast_", "gloo:broadcast",
        "\"Input Dims\":[[[256,256]],[],[],[]],\"Input type\":[\"TensorList\",\"\",\"Scalar\","
        "\"Scalar\"],\"Concrete Inputs\":[\"\",\"\",\"0\",\"0\"]",
        tensor("256,256")};
    const Kind barrier{"c10d::barrier",
                       "gloo:barrier",
                       "\"Input Dims\":[[1],[]],\"Input type\":[\"unsigned char\",\"\"]",
                       {}};
    std::vector<Kind> calls;
    for (int layer = 0; layer < 4; ++layer) {
        calls.push_back(gather);
        calls.push_back(scatter);
    }
    calls.push_back(broadcast);
    calls.push_back(barrier);
    return calls;
}

PlantedGloo writeKinds(const std::filesystem::path& folder)
{
    std::vector<CpuRank> ranks = emptyRanks();
    const std::vector<Kind> calls = callsOfStep();
    PlantedGloo planted;
    for (int step = 0; step < stepCount; ++step) {
        for (CpuRank& rank : ranks)
            rank.step(firstStep + step, stepUs * step, stepUs - 5'000);
        for (std::size_t i = 0; i < calls.size(); ++i) {
            // Two calls are made at once. On odd ranks the second thread is the first to begin.
            const double base = stepUs * step + 10'000 * static_cast<double>(i / 2 + 1);
            std::array<double, rankCount> begins{};
            for (std::size_t rank = 0; rank < rankCount; ++rank) {
                const bool isSecond = (i % 2 == 1) != (rank % 2 == 1);
                begins[rank] = base + 100 + (isSecond ? 20 : 0) + 50 * static_cast<double>(rank);
                ranks[rank].event("cpu_op", calls[i].operation, 1, base + 10 * static_cast<double>(i % 2), 5,
                                  calls[i].operatorArgs);
                ranks[rank].event("user_annotation", calls[i].span, glooThreads[i % 2], begins[rank],
                                  base + 4'000 - begins[rank], calls[i].spanArgs);
            }
            const auto [first, last] = std::minmax_element(begins.begin(), begins.end());
            planted.skewUs += *last - *first;
            ++planted.collectives;
        }
    }
    writeRanks(ranks, folder);
    return planted;
}

/// A tensor from one rank to another. The receiver waits for it.
void transfer(std::vector<CpuRank>& ranks, int from, int to, double ts)
{
    const auto inputs = [](int peer) {
        return "\"Input Dims\":[[[64,256]],[],[],[]],\"Input "
               "type\":[\"TensorList\",\"\",\"Scalar\",\"Scalar\"],"
               "\"Concrete Inputs\":[\"\",\"\",\""
            + std::to_string(peer) + "\",\"0\"]";
    };
    CpuRank& sender = ranks[static_cast<std::size_t>(from)];
    CpuRank& receiver = ranks[static_cast<std::size_t>(to)];
    sender.event("cpu_op", "c10d::send", 1, ts, 90, inputs(to));
    sender.event("user_annotation", "gloo:send", 1, ts + 100, 50, tensor("64,256"));
    receiver.event("cpu_op", "c10d::recv_", 1, ts - 200, 90, inputs(from));
    receiver.event("user_annotation", "gloo:recv", 1, ts - 100, 280, tensor("64,256"));
}

void writePipeline(const std::filesystem::path& folder)
{
    constexpr int microbatches = 4;
    std::vector<CpuRank> ranks = emptyRanks();
    for (int step = 0; step < stepCount; ++step) {
        for (CpuRank& rank : ranks)
            rank.step(firstStep + step, stepUs * step, stepUs - 5'000);
        for (int batch = 0; batch < microbatches; ++batch) {
            const double begin = stepUs * step + 20'000 * (batch + 1);
            for (int stage = 0; stage + 1 < rankCount; ++stage) {
                transfer(ranks, stage, stage + 1, begin + 2'000 * stage);
                transfer(ranks, stage + 1, stage, begin + 200'000 + 2'000 * (rankCount - stage));
            }
        }
    }
    writeRanks(ranks, folder);
    writeFile(
        folder / "workload_card.yaml",
        "version: 1\nworkload:\n  model: {phase: training, precision: fp32}\n"
        "  data: {batch_size: 16, seq_len: 64}\n"
        "  hardware: {xpu_spec: {type: CPU, model: epyc, total_count: 4, count_per_node: 4}}\n"
        "Model-executor:\n  framework: {name: plain}\n"
        "  model_plan_parallelization: {dp_replicate: 1, dp_shard: 1, tp: 1, pp: 4, cp: 1, ep: 1, pp_mb: 4}\n"
        "  communication_library: {name: gloo, version: 1}\n");
}

void writeExecutionTraces(const std::filesystem::path& folder)
{
    const auto node = [](int id, int parent, const std::string& name, const std::string& shapes,
                         const std::string& types) {
        return "{\"id\": " + std::to_string(id) + ", \"name\": \"" + name
            + "\", \"ctrl_deps\": " + std::to_string(parent)
            + ", \"inputs\": {\"values\": [], \"shapes\": " + shapes + ", \"types\": " + types
            + "}, \"outputs\": {\"values\": [], \"shapes\": [], \"types\": []}, \"attrs\": [{\"name\": "
              "\"rf_id\", "
              "\"type\": \"uint64\", \"value\": "
            + std::to_string(id) + "}]}";
    };
    for (int rank = 0; rank < rankCount; ++rank) {
        std::string nodes = node(1, 1, "[pytorch|profiler|execution_trace|process]", "[]", "[]");
        for (int call = 0; call < 4; ++call) {
            const int id = 2 + 2 * call;
            nodes += ",\n"
                + node(id, 1, "c10d::allreduce_", "[[[166016]], [], []]",
                       R"(["GenericList[Tensor(float)]", "Object", "Object"])")
                + ",\n" + node(id + 1, id, "gloo:all_reduce", "[[166016]]", "[\"Tensor(float)\"]");
        }
        writeFile(folder / ("torch_et_" + std::to_string(rank) + ".json"),
                  "{\"schema\": \"1.1.1-chakra.0.0.4\", \"pid\": 1, \"nodes\": [\n" + nodes + "\n]}");
    }
}

} // namespace

PlantedGloo writeGlooJob(GlooJob job, const std::filesystem::path& folder)
{
    std::filesystem::create_directories(folder);
    switch (job) {
    case GlooJob::Straggler:
        return writeStraggler(folder);
    case GlooJob::Legacy:
        writeLegacy(folder);
        return {stepCount, 0};
    case GlooJob::Kinds:
        return writeKinds(folder);
    case GlooJob::Pipeline:
        writePipeline(folder);
        return {};
    case GlooJob::ExecutionTraces:
        writeExecutionTraces(folder);
        return {};
    }
    return {};
}

QString glooRecording(const char* name)
{
    const QString folder = tracesFolder() + QStringLiteral("/pytorch_gloo/") + QLatin1String(name);
    return !tracesFolder().isEmpty() && QFileInfo::exists(folder) ? folder : QString();
}

void addGlooRuns(GlooJob job, const char* recording, const QTemporaryDir& folder)
{
    const QString planted = folder.filePath(QStringLiteral("gloo%1").arg(static_cast<int>(job)));
    writeGlooJob(job, planted.toStdString());
    QTest::addColumn<QString>("run");
    QTest::newRow("planted") << planted;
    if (const QString recorded = glooRecording(recording); !recorded.isEmpty())
        QTest::newRow(recording) << recorded;
}

} // namespace collscope
