// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/support/workloads/run_writer.h"

#include <cstring>
#include <fstream>
#include <stdexcept>

#include <isa-l/igzip_lib.h>

namespace collscope {

namespace {

/// Appends the bytes of a number, little-endian as NVF1 wants it.
template<typename T>
void put(std::string& out, T value)
{
    for (std::size_t i = 0; i < sizeof(T); ++i)
        out += static_cast<char>(static_cast<unsigned char>(static_cast<std::uint64_t>(value) >> (8 * i)));
}

} // namespace

std::string nvf1Bytes(const RunPlan& plan, const PlannedRank& rank)
{
    constexpr std::uint32_t transmitField = 138;
    constexpr std::uint32_t receiveField = 139;
    std::string out = "NVF1";
    put<std::uint16_t>(out, 1);
    put<std::uint16_t>(out, 40);
    put<std::int32_t>(out, 8);
    for (const PlannedSample& sample : rank.samples) {
        put<std::uint64_t>(out,
                           static_cast<std::uint64_t>(sample.timeUs * 1000 - plan.description.wallClockNs
                                                      + 900'000'000'000));
        put<std::uint32_t>(out, sample.transmit ? transmitField : receiveField);
        put<std::uint32_t>(out, sample.link);
        put<std::int64_t>(out, sample.timeUs);
        put<std::int64_t>(out, 5); // latency
        put<std::int32_t>(out, 3); // unsigned 64 bit
        put<std::int32_t>(out, 0); // success
        put<std::uint64_t>(out, sample.kib);
    }
    return out;
}

std::string workloadCardYaml(const RunPlan& plan, const RunFiles& files)
{
    const WorkloadDescription& d = plan.description;
    const auto line = [](const std::string& text) { return text + "\n"; };
    std::string out;
    out += line("version: 1");
    out += line("description: A generated training run of " + d.model + " on " + std::to_string(d.ranks())
                + " GPUs");
    out += line("workload:\n  model:\n    phase: training\n    moe: false\n    model_family: " + d.model
                + "\n    precision: bf16");
    out += line("    iteration: " + std::to_string(d.steps));
    out += line("    model_arch:\n      num_params: " + std::to_string(d.parameters())
                + "\n      num_params_embedding: " + std::to_string(WorkloadDescription::embeddingParameters)
                + "\n      num_layers: " + std::to_string(d.layers));
    out += line("      num_heads: 32\n      head_dim: 128");
    out += line("  data:\n    batch_size: " + std::to_string(d.batchSize)
                + "\n    seq_len: " + std::to_string(d.sequenceLength) + "\n    dataset: c4");
    out += line("  hardware:\n    network_topo:\n      topology: infiniband\n      bandwidth_gbps:\n        "
                "- 200\n        - 2400");
    out += line("    xpu_spec:\n      type: GPU\n      model: " + d.cardGpu
                + "\n      total_count: " + std::to_string(d.ranks()));
    out += line("      count_per_node: " + std::to_string(d.ranksPerHost())
                + "\n    driver_version: cuda_12.4");
    out += line(
        "Model-executor:\n  framework:\n    name: torchtitan\n    compiler_tool_selection: plain_pytorch");
    out += line("  model_plan_parallelization:\n    dp_replicate: 1\n    dp_shard: "
                + std::to_string(d.dataParallel) + "\n    tp: " + std::to_string(d.tensorParallel)
                + "\n    pp: 1\n    cp: 1\n    ep: 1\n    pp_mb: 1");
    out += line(
        "  communication_library:\n    name: NCCL\n    version: 2.21.5\n  protocol_selection:\n    - p2p");
    out += line("metric_source:\n  traces:");
    if (files.kineto)
        out += line("    - json");
    if (files.nsys)
        out += line("    - nsys");
    return out;
}

std::string trainConfigToml(const RunPlan& plan)
{
    const WorkloadDescription& d = plan.description;
    std::string out = "[job]\ndump_folder = \"./outputs\"\ndescription = \"A generated run\"\n\n";
    out += "[profiling]\nenable_profiling = true\nsave_traces_folder = \"profile_trace\"\nprofile_freq = "
           "10\n\n";
    out += "[model]\nname = \"llama3\"\nflavor = \"mini\"\n\n";
    out += "[training]\nlocal_batch_size = " + std::to_string(d.batchSize / d.dataParallel)
        + "\nglobal_batch_size = " + std::to_string(d.batchSize)
        + "\nseq_len = " + std::to_string(d.sequenceLength) + "\nsteps = 100\ndtype = \"bfloat16\"\n\n";
    out += "[parallelism]\ndata_parallel_replicate_degree = 1\ndata_parallel_shard_degree = "
        + std::to_string(d.dataParallel) + "\ntensor_parallel_degree = " + std::to_string(d.tensorParallel)
        + "\npipeline_parallel_degree = 1\ncontext_parallel_degree = 1\n\n[comm]\nbackend = "
          "\"nccl\"\n\n[activation_checkpoint]\nmode = \"none\"\n";
    return out;
}

std::string gzipped(std::string_view text)
{
    std::vector<std::uint8_t> levelBuffer(ISAL_DEF_LVL3_DEFAULT);
    std::string out(text.size() + text.size() / 8 + 1024, '\0');
    std::string in(text);
    isal_zstream stream;
    isal_deflate_stateless_init(&stream);
    stream.gzip_flag = IGZIP_GZIP;
    stream.level = 3;
    stream.level_buf = levelBuffer.data();
    stream.level_buf_size = static_cast<std::uint32_t>(levelBuffer.size());
    stream.end_of_stream = 1;
    stream.flush = NO_FLUSH;
    stream.next_in = reinterpret_cast<std::uint8_t*>(in.data());
    stream.avail_in = static_cast<std::uint32_t>(in.size());
    stream.next_out = reinterpret_cast<std::uint8_t*>(out.data());
    stream.avail_out = static_cast<std::uint32_t>(out.size());
    if (isal_deflate_stateless(&stream) != COMP_OK)
        throw std::runtime_error("isa-l could not compress a test file");
    out.resize(stream.total_out);
    return out;
}

void writeFile(const std::filesystem::path& path, std::string_view content)
{
    std::ofstream file(path, std::ios::binary);
    file.write(content.data(), static_cast<std::streamsize>(content.size()));
    if (!file.flush())
        throw std::runtime_error("cannot write " + path.string());
}

void writeRun(const RunPlan& plan, const std::filesystem::path& folder, const RunFiles& files)
{
    std::filesystem::create_directories(folder);
    for (const PlannedRank& rank : plan.ranks) {
        const std::string number = std::to_string(rank.rank);
        if (files.kineto) {
            const std::string json = kinetoJson(plan, rank);
            const std::string name = "rank" + number + "_trace.json";
            writeFile(folder / (files.gzip ? name + ".gz" : name), files.gzip ? gzipped(json) : json);
        }
        if (files.nvlink)
            writeFile(folder / ("nvlink_gpu" + number + ".bin"), nvf1Bytes(plan, rank));
    }
    if (files.nsys)
        writeNsys(plan, folder / "nsys_0.sqlite", files.gpuMetrics);
    if (files.card) {
        writeFile(folder / "workload_card.yaml", workloadCardYaml(plan, files));
        writeFile(folder / "train_config.toml", trainConfigToml(plan));
    }
}

} // namespace collscope
