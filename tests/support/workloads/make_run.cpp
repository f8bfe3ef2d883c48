// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Writes a generated run directory: the demo that comes with the program, a tiny run to play with, one with
// everything that may lie beside traces, one with a throttled GPU, one on a network with troubles, the
// planted job of a seed, or all runs that the guide's commands name.

#include "tests/support/runs/guide_runs.h"
#include "tests/support/runs/hardware_run.h"
#include "tests/support/runs/nccl_job.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>

namespace {

/// Rank 3 is slow because its GPU is hot, and a link of GPU 5 repeats and fails.
void writeThrottledRun(const std::string& folder)
{
    using namespace collscope;
    constexpr int ranks = 8;
    HardwareRun run(ranks, 3);
    run.run().write(folder);
    writeFile(folder + "/gpu_state_node07.csv", run.samples("kit", ranks, {}, [](int gpu, double at) {
        HardwareRun::Sample sample;
        if (gpu == 3)
            sample = {.clock = 1215, .power = 420, .temperature = 91, .reasons = 0x48};
        if (gpu == 5)
            sample.replays += static_cast<int>(at) / 2;
        return sample;
    }));
    writeFile(folder + "/dmesg.txt",
              "2023-11-14T22:13:40,250000+00:00 NVRM: Xid (PCI:0000:6b:00): 74, pid=4242, name=python, "
              "NVLink: fatal "
              "error detected on link 3\n");
}

/// The demo on four nodes of two GPUs: nodes 2 and 3 use sockets, and both GPUs of node 1 share a card.
void writeNetworkRun(const std::string& folder)
{
    using namespace collscope;
    writeRun(planRun(demoDescription()), folder, RunFiles());
    NcclJob job;
    job.nodes = 4;
    job.gpus = job.cards = 2;
    job.socketsBetween = {{2, 3}};
    job.usedCardsOf = {{1, 1}};
    const std::vector<std::string> logs = job.logs();
    for (std::size_t node = 0; node < logs.size(); ++node)
        writeFile(folder + "/nccl." + job.nodeName(static_cast<int>(node)) + ".log", logs[node]);
}

} // namespace

int main(int argc, char** argv)
{
    using namespace collscope;
    const std::string_view kind = argc > 1 ? argv[1] : "";
    if (argc == 4 && kind == "planted") {
        const PlantedPlan plan = plannedBy(std::strtoull(argv[2], nullptr, 10));
        writePlanted(plan, argv[3]);
        std::puts(planText(plan).c_str());
        return 0;
    }
    constexpr std::string_view kinds[]
        = {"demo", "small", "pipeline", "mixed", "throttled", "network", "guide"};
    if (argc != 3 || std::find(std::begin(kinds), std::end(kinds), kind) == std::end(kinds)) {
        std::fprintf(
            stderr,
            "usage: make_run demo|small|pipeline|mixed|throttled|network|guide FOLDER, make_run planted "
            "SEED FOLDER\n");
        return 1;
    }
    try {
        if (kind == "guide") {
            writeGuideRuns(argv[2], COLLSCOPE_SOURCE_FOLDER "/resources");
            return 0;
        }
        if (kind == "pipeline") {
            std::filesystem::create_directories(argv[2]);
            pipelineRun(stagedShape()).write(argv[2]);
            return 0;
        }
        if (kind == "throttled") {
            writeThrottledRun(argv[2]);
            return 0;
        }
        if (kind == "network") {
            writeNetworkRun(argv[2]);
            return 0;
        }
        if (kind == "mixed") {
            std::filesystem::create_directories(argv[2]);
            writeMixedRun(argv[2]);
            return 0;
        }
        RunFiles files;
        files.nsys = files.gpuMetrics = kind == "small";
        const RunPlan plan = planRun(kind == "demo" ? demoDescription() : WorkloadDescription());
        writeRun(plan, argv[2], files);
        const ExpectedNumbers expected = expectedNumbers(plan);
        std::printf("%d ranks, %zu steps: step %.9g s, overlap %.9g %%, %.9g calls per step, GPU 0 at most "
                    "%.9g GB/s per link\n",
                    plan.description.ranks(), plan.steps.size(), expected.stepSeconds,
                    expected.meanOverlapPercent, expected.callsPerStep, expected.links.at(0).maxGBps);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "make_run: %s\n", error.what());
        return 4;
    }
    return 0;
}
