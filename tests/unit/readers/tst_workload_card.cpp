// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Workload cards and TorchTitan configurations, as people really write them.

#include "model/readers/reader.h"
#include "tests/support/suite/suite.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <fstream>

namespace collscope {

extern const ReaderDescriptor workloadCardReader;
extern const ReaderDescriptor torchTitanReader;

namespace {

constexpr const char* templateCard = R"(version: 1
description: >
  two nodes
hf_url: https://example.invalid/model
workload:
  model:
    phase: Training
    moe: False
    model_family: toy-250m
    precision: BF16
    iteration: 4
    model_arch:
      num_params: 250_000_000
      num_params_embedding: 5.0e7
      num_layers: 12
      num_heads: 12
      head_dim: 64
  data:
    batch_size: 8
    seq_len: 512
    dataset: c4
  hardware:
    network_topo:
      topology: slingshot
      bandwidth_gbps:
        - "200  "
        - TBD
    xpu_spec:
      type: GPU
      model: nvidia_a100
      total_count: 8
      count_per_node: 4
    driver_version: cuda_12.4
Model-executor:
  framework:
    name: torchtitan
    compiler_tool_selection: plain_pytorch
  model_plan_parallelization:
    dp_replicate: 1
    dp_shard: 2
    tp: 2
    pp: 2
    cp: 1
  communication_library:
    name: NCCL
    version: 2.27.3
  protocol_selection:
    - rocev2
    - p2p
metric_source:
  traces:
    - JSON
    -
  metrics_specific_trace: nsys, torch_et
)";

} // namespace

class TestWorkloadCard : public QObject
{
    Q_OBJECT

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void readsTheTemplate();
    void readsVariations_data();
    void readsVariations();
    void picksTheBatchOfTheFolder();
    void repairsBrokenYaml_data();
    void repairsBrokenYaml();
    void recognisesCards();
    void multipliesDegrees();
    void readsTorchTitan();
    void readsOlderTorchTitan();
    void reportsBrokenToml();

private:
    Result<TraceFragment> read(const ReaderDescriptor& reader, const std::string& text, const char* name)
    {
        const QString path = m_folder->filePath(QString::fromUtf8(name));
        QDir().mkpath(QFileInfo(path).path());
        SourceFile file;
        file.path = path.toStdString();
        file.bytes = text.size();
        std::ofstream(file.path, std::ios::binary) << text;
        return reader.read(file, ReadContext());
    }
    Result<TraceFragment> card(const std::string& text, const char* name = "workload_card.yaml")
    {
        return read(workloadCardReader, text, name);
    }
    Result<TraceFragment> toml(const std::string& text)
    {
        return read(torchTitanReader, text, "train_config.toml");
    }

    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestWorkloadCard::readsTheTemplate()
{
    const auto result = card(templateCard);
    QVERIFY(result);
    QVERIFY(result->problems.isEmpty());
    const WorkloadCard& c = *result->card;
    QCOMPARE(c.description, std::string("two nodes"));
    QCOMPARE(c.phase, std::string("training"));
    QCOMPARE(c.moe, std::optional(false));
    QCOMPARE(c.precision, std::string("bf16"));
    QCOMPARE(*c.numParams, std::int64_t{250'000'000});
    QCOMPARE(*c.numParamsEmbedding, std::int64_t{50'000'000});
    QVERIFY(!c.numParamsActive);
    QCOMPARE(*c.batchSize, std::int64_t{8});
    QCOMPARE(*c.scaleOutGbps, 200.0);
    QVERIFY(!c.scaleUpGbps);
    QCOMPARE(*c.totalCount, std::int64_t{8});
    QCOMPARE(c.communicationLibraryVersion, std::string("2.27.3"));
    QCOMPARE(c.protocols, (std::vector<std::string>{"rocev2", "p2p"}));
    QCOMPARE(c.traceTypes, (std::vector<std::string>{"json"}));
    QCOMPARE(c.metricSpecificTraces, (std::vector<std::string>{"nsys", "torch_et"}));
    QVERIFY(!c.parallelism.ep);
    QCOMPARE(*c.parallelism.worldSize(), std::int64_t{8});
    QCOMPARE(c.parallelism.label(), std::string("TP2 PP2 DP2"));
}

void TestWorkloadCard::readsVariations_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("expected"); // layers, seq_len, label, total_count, model
    QTest::newRow("executor under workload")
        << QByteArray("workload:\n  Model-executor:\n    model_plan_parallelization: {tp: 4}\n")
        << QByteArray("- - TP4 - -");
    QTest::newRow("architecture without its level")
        << QByteArray("workload:\n  model:\n    num_layers: 32\n") << QByteArray("32 - - - -");
    QTest::newRow("older schema") << QByteArray(
        "workload:\n  data: {sequence_length: 4096}\n  model: {num_layers: 8}\n"
        "parallelism: {world_size: 16, tp: 2, dp: 8, dp_shard: 4, pp: 1}\n"
        "hardware: {gpu_model: H100, num_gpus: 16, interconnect: nvlink}\n")
                                  << QByteArray("8 4096 TP2 DP8 16 H100");
    QTest::newRow("dp alone") << QByteArray("workload: {}\nparallelism: {dp: 8}\nhardware: {num_gpus: 8}\n")
                              << QByteArray("- - DP8 8 -");
    QTest::newRow("words for unknown")
        << QByteArray("workload:\n  model: {num_layers: N/A}\n  data: {seq_len: TBD}\n")
        << QByteArray("- - - - -");
    QTest::newRow("lists and scalars where maps belong") << QByteArray(
        "workload:\n  model: []\n  data: 3\n  hardware:\nModel-executor: text\nmetric_source: 1\n")
                                                         << QByteArray("- - - - -");
}

void TestWorkloadCard::readsVariations()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, expected);
    const auto result = card(text.toStdString());
    QVERIFY(result);
    const WorkloadCard& c = *result->card;
    const auto number
        = [](std::optional<std::int64_t> value) { return value ? std::to_string(*value) : std::string("-"); };
    const auto words = [](const std::string& value) { return value.empty() ? std::string("-") : value; };
    QCOMPARE(number(c.numLayers) + ' ' + number(c.seqLen) + ' ' + words(c.parallelism.label()) + ' '
                 + number(c.totalCount) + ' ' + words(c.deviceModel),
             expected.toStdString());
}

void TestWorkloadCard::picksTheBatchOfTheFolder()
{
    const std::string text = "workload:\n  data:\n    batch_size: [1, 2, 16]\n";
    const auto chosen = card(text, "batch_16/rank0/workload_card.yaml");
    QVERIFY(chosen);
    QCOMPARE(*chosen->card->batchSize, std::int64_t{16});
    QCOMPARE(card(text, "llama_b_2/workload_card.yaml")->card->batchSize, std::optional<std::int64_t>(2));
    const auto unknown = card(text, "batch_160/workload_card.yaml");
    QVERIFY(!unknown->card->batchSize);
    QCOMPARE(unknown->card->batchSizes, (std::vector<std::int64_t>{1, 2, 16}));
    QCOMPARE(unknown->problems.entries().at(0).code, std::string("batch_unknown"));
}

void TestWorkloadCard::repairsBrokenYaml_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::newRow("colon in a value") << QByteArray("trace_url: https://x/ // TODO: upload");
    QTest::newRow("quote inside") << QByteArray("contact: it's: me");
    QTest::newRow("reserved character") << QByteArray("contact: @me");
    QTest::newRow("unclosed bracket") << QByteArray("contact: [me");
    QTest::newRow("tab") << QByteArray("\tcontact: me");
}

void TestWorkloadCard::repairsBrokenYaml()
{
    QFETCH(QByteArray, line);
    const auto result
        = card("version: 1\n" + line.toStdString() + "\nworkload:\n  model:\n    num_layers: 12\n");
    QVERIFY(result);
    QCOMPARE(*result->card->numLayers, std::int64_t{12});
    QVERIFY(!result->problems.isEmpty());
}

void TestWorkloadCard::recognisesCards()
{
    QCOMPARE(workloadCardReader.sniff("workload_card.yaml", templateCard), Sniff::Yes);
    QCOMPARE(workloadCardReader.sniff("x.yml", "parallelism:\n  tp: 2\nhardware:\n"), Sniff::Yes);
    QCOMPARE(workloadCardReader.sniff("compose.yaml", "services:\n  workload: 1\n"), Sniff::No);
    QCOMPARE(workloadCardReader.sniff("rank0.json", "workload:"), Sniff::No);
    QVERIFY(!card("- just\n- a list\n"));
    QVERIFY(!card("contact: \"never closed\nworkload:\n  model:\n    num_layers: 12\n"));
    QVERIFY(!card(""));
}

void TestWorkloadCard::multipliesDegrees()
{
    Parallelism p;
    QVERIFY(!p.worldSize());
    QVERIFY(p.label().empty());
    p.tp = 2;
    QVERIFY(!p.worldSize()); // how far the data is sharded is open
    p.dpShard = 4;
    p.ep = 4;
    QCOMPARE(*p.worldSize(), std::int64_t{8}); // EP does not multiply
    QCOMPARE(p.label(), std::string("TP2 EP4 DP4"));
    p.cp = std::int64_t{1} << 62;
    QVERIFY(!p.worldSize());
}

void TestWorkloadCard::readsTorchTitan()
{
    const auto result = toml(R"([job]
description = "debug"
[model]
name = "llama3"
flavor = "8B"
[training]
local_batch_size = 4
global_batch_size = -1
seq_len = 512
steps = 1_000
mixed_precision_param = "bfloat16"
[parallelism]
data_parallel_replicate_degree = 2
data_parallel_shard_degree = 4
tensor_parallel_degree = 2
expert_parallel_degree = 8
pipeline_parallel_schedule = "1F1B"
pipeline_parallel_microbatch_size = 1
[comm]
backend = "nccl"
[activation_checkpoint]
mode = "selective"
)");
    QVERIFY(result);
    const TrainConfig& c = *result->trainConfig;
    QCOMPARE(c.modelName + c.modelFlavor, std::string("llama38B"));
    QCOMPARE(*c.globalBatchSize, std::int64_t{32});
    QCOMPARE(*c.steps, std::int64_t{1000});
    QCOMPARE(c.dtype, std::string("bfloat16"));
    QCOMPARE(*c.parallelism.worldSize(), std::int64_t{16});
    QCOMPARE(*c.pipelineMicrobatchSize, std::int64_t{1});
    QCOMPARE(c.commBackend, std::string("nccl"));
    QCOMPARE(c.activationCheckpoint, std::string("selective"));
    QCOMPARE(torchTitanReader.sniff("x.toml", "# run\n[training]\n"), Sniff::Yes);
    QCOMPARE(torchTitanReader.sniff("Cargo.toml", "[package]\n"), Sniff::No);
}

void TestWorkloadCard::readsOlderTorchTitan()
{
    const auto result = toml("[training]\nbatch_size = 8\nseq_len = 2048\ndata_parallel_shard_degree = -1\n"
                             "tensor_parallel_degree = 2\n[experimental]\npipeline_parallel_degree = 4\n");
    QVERIFY(result);
    const TrainConfig& c = *result->trainConfig;
    QCOMPARE(*c.localBatchSize, std::int64_t{8});
    QCOMPARE(c.parallelism.label(), std::string("TP2 PP4"));
    QVERIFY(!c.parallelism.dpShard);
    QVERIFY(!c.parallelism.worldSize());
    QVERIFY(!c.globalBatchSize);
}

void TestWorkloadCard::reportsBrokenToml()
{
    const auto result = toml("[training]\nsteps = \n");
    QVERIFY(!result);
    QVERIFY(result.error().message.find("line 2") != std::string::npos);
    // Values of the wrong type are as good as missing.
    const auto odd = toml("training = 3\n[parallelism]\ntensor_parallel_degree = \"two\"\n");
    QVERIFY(odd);
    QVERIFY(!odd->trainConfig->parallelism.tp);
}

COLLSCOPE_TEST(TestWorkloadCard)

} // namespace collscope

#include "tst_workload_card.moc"
