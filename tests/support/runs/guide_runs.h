// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the commands of the guide find, under the names that they use: RUN (the demo), RUN_A and RUN_B to
// compare, DAMAGED, MIXED (everything beside the traces), HUNG (a job that hung), JOB (one that became
// slower), NETWORK (logs of NCCL), SUMMARIES (of 64 ranks), train.toml, my_metrics.toml.

#include "metrics/summary/summarized_events.h"
#include "tests/support/runs/hung_example.h"
#include "tests/support/runs/mixed_run.h"
#include "tests/support/runs/nccl_job.h"
#include "tests/support/runs/planted_history.h"
#include "tests/support/runs/reduced_folder.h"
#include "tests/support/workloads/planted_run.h"
#include "tests/support/workloads/run_writer.h"

namespace collscope {

/// Rank 3 with a control character in a name, and cut off before its end.
inline void writeDamagedRun(const std::filesystem::path& folder)
{
    const RunPlan plan = planRun(demoDescription());
    writeRun(plan, folder, RunFiles());
    std::string json = kinetoJson(plan, plan.ranks.at(3));
    const std::size_t name = json.find("\"name\"", json.size() / 2);
    json.insert(name + 9, "\"\x01");
    json.resize(json.size() * 9 / 10);
    writeFile(folder / "rank3_trace.json.gz", gzipped(json));
}

/// Summaries of 64 ranks of which rank 21 is late, without their traces.
inline void writeSummaries(const std::filesystem::path& folder, const std::filesystem::path& traces)
{
    PlantedPlan plan;
    plan.ranks = 64;
    plan.tensorParallel = 8;
    plan.cause = PlantedCause::SlowKernel;
    plan.culprit = 21;
    plan.extraUs = 400;
    std::filesystem::create_directories(traces);
    writePlanted(plan, traces.string());
    if (!writeReduced(traces.string(), folder, 4, Kept::Summaries, summarizeEvents))
        throw std::runtime_error("the summaries of the guide are not written");
    std::filesystem::remove_all(traces);
}

/// `resources` is the folder of that name in the sources.
inline void writeGuideRuns(const std::filesystem::path& folder, const std::filesystem::path& resources)
{
    namespace fs = std::filesystem;
    fs::create_directories(folder);
    fs::copy(resources / "demo", folder / "RUN", fs::copy_options::recursive);
    // The same work twice; in RUN_B a rank comes late.
    PlantedPlan late = plannedBy(280);
    PlantedPlan even = late;
    even.cause = PlantedCause::None;
    even.extraUs = 0;
    even.seed = late.seed + 1;
    for (const auto& [name, plan] : {std::pair("RUN_A", &even), std::pair("RUN_B", &late)}) {
        fs::create_directories(folder / name);
        writePlanted(*plan, (folder / name).string());
    }
    writeDamagedRun(folder / "DAMAGED");
    fs::create_directories(folder / "MIXED");
    writeMixedRun((folder / "MIXED").string());
    writeHungExample(folder / "HUNG");
    NcclJob sockets;
    sockets.socketsBetween = {{2, 3}};
    std::filesystem::create_directories(folder / "NETWORK");
    writeFile(folder / "NETWORK" / "nccl.log", sockets.text());
    PlantedHistory job;
    job.trouble = PlantedHistory::Trouble::SlowNode;
    std::filesystem::create_directories(folder / "JOB");
    for (const auto& [name, text] : job.files())
        writeFile(folder / "JOB" / name, text);
    writeSummaries(folder / "SUMMARIES", folder / "traces");
    fs::copy(resources / "demo/train_config.toml", folder / "train.toml");
    fs::copy(resources / "help/metrics-example.toml", folder / "my_metrics.toml");
}

} // namespace collscope
