// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Causes to plant in a CausedRun, and what tests ask of the chain that is found.

#include "metrics/causes/cause_chain.h"
#include "tests/support/runs/caused_run.h"

#include <QString>

#include <set>

namespace collscope {

constexpr int plantedStep = 12;

using Planted = std::function<void(CausedRun& run, int rank, int place)>;

/// The run with a cause planted on one rank in step 12.
inline TraceModelPtr played(int ranks, int late, const Planted& plant, CausedRun::Options options = {},
                            double shiftUs = 0)
{
    CausedRun run(ranks, options);
    run.play([&](int step, int rank, int place) {
        if (step == plantedStep && rank == late)
            plant(run, rank, place);
    });
    if (shiftUs != 0)
        run.run().shiftClock(late, shiftUs);
    return run.run().load();
}

inline std::optional<std::uint32_t> instanceOf(Analysis& analysis, std::string_view group,
                                               std::int64_t sequence)
{
    const RunCollectives& run = analysis.run();
    for (std::uint32_t i = 0; i < run.matching.instances.size(); ++i) {
        const CollectiveInstance& instance = run.matching.instances[i];
        const Call& call = run.callOf(run.matching.membersOf(instance).front());
        if (run.matching.groupOf(instance).name == group && call.meta && call.meta->sequence == sequence)
            return i;
    }
    return std::nullopt;
}

inline std::string textOf(const CauseChain& chain)
{
    std::string text = std::string(causeVerdictName(chain.verdict)) + " "
        + std::string(causeName(chain.cause)) + " rank " + std::to_string(chain.rank) + "\n";
    for (const CauseClause& clause : chain.clauses)
        text += "  " + clause.text + "\n";
    return text;
}

/// True if a slice of this name is the evidence of some clause.
inline bool shows(const TraceModel& model, const CauseChain& chain, std::string_view name)
{
    for (const CauseClause& clause : chain.clauses) {
        for (const SliceRef slice : clause.slices) {
            if (model.nameOf(slice).find(name) != std::string_view::npos)
                return true;
        }
    }
    return false;
}

/// Evidence that a view can go to: slices of the rank that is named, ranges in the run.
inline bool isSound(const TraceModel& model, const CauseChain& chain)
{
    for (const CauseClause& clause : chain.clauses) {
        if (clause.text.empty() || clause.text.back() != '.' || clause.range.lengthNs() < 0
            || clause.slices.size() > 32)
            return false;
        std::set<SliceRef> slices(clause.slices.begin(), clause.slices.end());
        if (slices.size() != clause.slices.size())
            return false;
    }
    return !chain.clauses.empty() && model.sliceCount() > 0;
}

struct CauseCase
{
    const char* name;
    Cause cause;
    Planted plant;
    const char* evidence; ///< part of the name of a slice that has to be shown
    std::int64_t lateUs;
};

inline const std::vector<CauseCase>& causeCases()
{
    static const std::vector<CauseCase> cases{
        {"slow kernel", Cause::SlowKernel,
         [](CausedRun& run, int rank, int place) {
             if (place == 2)
                 run.slowNextKernel(rank, 600);
         },
         "gemm_kernel", 600},
        {"kernels all slower", Cause::SlowKernel, nullptr, "gemm_kernel", 600},
        {"more kernels", Cause::MoreWork,
         [](CausedRun& run, int rank, int place) {
             for (int i = 0; place == 2 && i < 6; ++i)
                 run.kernel(rank, "gemm_kernel", 100);
         },
         "gemm_kernel", 600},
        {"another kernel", Cause::MoreWork,
         [](CausedRun& run, int rank, int place) {
             if (place == 2)
                 run.kernel(rank, "fallback_kernel", 600);
         },
         "fallback_kernel", 600},
        {"python", Cause::SlowCpu,
         [](CausedRun& run, int rank, int place) {
             if (place == 1)
                 run.cpu(rank, "train.py(88): log_everything", 600);
         },
         "log_everything", 600},
        {"python in the middle", Cause::SlowCpu,
         [](CausedRun& run, int rank, int place) {
             if (place == 2)
                 run.cpu(rank, "gc_callback", 1200);
         },
         "gc_callback", 600},
        {"data loader", Cause::LateInput,
         [](CausedRun& run, int rank, int place) {
             if (place == 0)
                 run.cpu(rank, "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", 600,
                         "user_annotation");
         },
         "DataLoader", 600},
        {"copy from the host", Cause::LateInput,
         [](CausedRun& run, int rank, int place) {
             if (place == 1)
                 run.copy(rank, 600);
         },
         "HtoD", 600},
        {"allocation", Cause::MemoryAllocation,
         [](CausedRun& run, int rank, int place) {
             if (place == 1)
                 run.cpu(rank, "cudaMalloc", 600, "cuda_runtime");
         },
         "cudaMalloc", 600},
        {"release", Cause::MemoryAllocation,
         [](CausedRun& run, int rank, int place) {
             if (place == 2)
                 run.cpu(rank, "cudaFree", 1200, "cuda_runtime");
         },
         "cudaFree", 600},
        {"synchronisation", Cause::Synchronisation,
         [](CausedRun& run, int rank, int place) {
             if (place == 2)
                 run.cpu(rank, "cudaDeviceSynchronize", 1200, "cuda_runtime");
         },
         "cudaDeviceSynchronize", 600},
    };
    return cases;
}

inline const CauseCase& caseOf(const QString& name)
{
    return *std::find_if(causeCases().begin(), causeCases().end(),
                         [&](const CauseCase& one) { return name == QLatin1String(one.name); });
}

/// "kernels all slower" replaces the work of the step instead of adding to it.
inline TraceModelPtr modelOf(const CauseCase& one, int ranks, int late, CausedRun::Options options = {},
                             double shiftUs = 0)
{
    if (one.plant)
        return played(ranks, late, one.plant, options, shiftUs);
    CausedRun run(ranks, options);
    for (int number = 10; number < 14; ++number) {
        run.step(number, [&](int step) {
            std::vector<int> all;
            for (int rank = 0; rank < ranks; ++rank) {
                all.push_back(rank);
                for (int layer = 0; layer < 12; ++layer)
                    run.kernel(rank, "gemm_kernel", step == plantedStep && rank == late ? 150 : 100);
            }
            run.collective(all, "world", 50);
        });
    }
    if (shiftUs != 0)
        run.run().shiftClock(late, shiftUs);
    return run.run().load();
}

} // namespace collscope
