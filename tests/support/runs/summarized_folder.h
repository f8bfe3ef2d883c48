// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// The files of a folder as summaries, each read alone, beside the model of all of them.

#include "metrics/summary/stored_calls.h"
#include "metrics/summary/summarized_run.h"
#include "tests/support/runs/collective_run.h"
#include "tests/support/runs/simulated_calls.h"
#include "tests/support/texts/fragment_text.h"

#include <QTest>

#include <algorithm>
#include <filesystem>

namespace collscope {

struct SummarizedFolder
{
    TraceModelPtr model; ///< of all files
    SummarizedRunPtr run; ///< of the summaries of each file, read alone
};

inline std::vector<std::string> filesIn(const std::string& folder)
{
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().string().find(".json") != std::string::npos)
            files.push_back(entry.path().string());
    }
    std::sort(files.begin(), files.end());
    return files;
}

/// The summary of a rank, after it was bytes.
inline RankSummary throughBytes(const EncodedCalls& calls)
{
    auto read = openCalls(StoredBytes(storeCalls(calls)));
    if (!read)
        throw std::runtime_error(read.error().message);
    return *read;
}

inline SummarizedFolder summarizeFolder(const std::string& folder, std::size_t callsPerChunk = 7)
{
    SummarizedFolder result;
    const auto model = loadPath(folder);
    if (!model)
        throw std::runtime_error(model.error().message);
    result.model = *model;
    std::vector<RankSummary> ranks;
    for (const std::string& file : filesIn(folder)) {
        const auto alone = loadPath(file);
        if (!alone)
            throw std::runtime_error(alone.error().message);
        const std::vector<std::int32_t> of = (*alone)->ranks();
        if (of.size() != 1)
            continue;
        if (const auto calls = summarizeCalls(**alone, of.front(), MetricOptions(), callsPerChunk))
            ranks.push_back(throughBytes(*calls));
    }
    auto run = SummarizedRun::make(std::move(ranks));
    if (!run)
        throw std::runtime_error(run.error().message);
    result.run = *run;
    return result;
}

/// The files of a simulated run in a folder.
inline void writeSimulated(const SimulatedPlan& plan, const QTemporaryDir& folder)
{
    const SimulatedRun run = simulate(plan);
    for (std::size_t rank = 0; rank < run.files.size(); ++rank)
        std::ofstream(folder.path().toStdString() + "/rank" + std::to_string(rank) + "_trace.json")
            << run.files[rank];
}

inline CallText allreduce(int sequence, const std::string& ranks = "[0, 1]", int size = 2)
{
    return {"allreduce", 1000, 1000, size, "g" + ranks, ranks, sequence};
}

/// A simulated run that differs by seed: clocks that drift, dropped calls, roots.
inline SimulatedPlan simulatedPlan(int seed, int collectives)
{
    SimulatedPlan plan;
    plan.seed = static_cast<std::uint32_t>(seed);
    plan.ranks = 2 + seed % 5;
    plan.streams = 1 + seed % 2;
    plan.collectives = collectives;
    plan.metadata = SimulatedPlan::Metadata::Numbers;
    plan.offsetUs = seed % 3 == 0 ? 0 : 400;
    plan.driftPpm = seed % 2 == 0 ? 40 : 0;
    plan.dropped = seed % 3;
    plan.truncated = seed % 4 == 1 ? 2 : 0;
    plan.hasRoots = seed % 3 == 1;
    plan.namesRoots = true;
    return plan;
}

/// Rows of seeds; every fourth run has more collectives than the fit of clocks uses.
inline void simulatedRows()
{
    QTest::addColumn<int>("seed");
    QTest::addColumn<int>("collectives");
    for (int seed = 1; seed <= 8; ++seed)
        QTest::addRow("seed %d", seed) << seed << (seed % 4 == 0 ? 2300 : 90);
}

} // namespace collscope
