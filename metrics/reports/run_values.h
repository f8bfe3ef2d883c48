// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A run as values, for comparisons. Its sheets are made from the same values, for readers.

#include "metrics/reports/call_kind.h"
#include "metrics/reports/cpu_sheets.h"
#include "metrics/reports/step_parts.h"

namespace collscope {

/// A GPU time: of one rank, or the mean of all ranks.
struct GpuTimeRow
{
    std::optional<std::int32_t> rank; ///< of a time of one rank
    std::string type; ///< "total_time" ... (metrics/analysis/gpu_timeline.h)
    std::optional<double> ms = {}, percent = {};
    // Of a mean:
    std::optional<std::int64_t> ranks = {};
    double minMs = 0, maxMs = 0, p50Ms = 0, p95Ms = 0;
    std::int32_t slowestRank = 0;
};

/// A figure of each type and rank.
struct RankTable
{
    struct Type
    {
        std::string type;
        std::vector<std::optional<double>> figures; ///< in the order of `ranks`
    };
    std::vector<std::int32_t> ranks;
    std::vector<Type> types;
};

/// Collectives of one kind in which all ranks wait for all.
struct CollectiveKindRow
{
    CallKind kind;
    std::optional<double> latencyUs, algorithmBandwidth, busBandwidth; ///< means
    std::optional<double> totalMs, count;
};

/// Calls of one kind on one rank.
struct CallKindRow
{
    CallKind kind;
    std::optional<double> sumUs, meanUs, maxUs, count;
};

/// The rows of a summary of collectives or calls. Row i is row i of its sheet.
template<typename Row>
struct KindTable
{
    std::vector<Row> rows;
    CallKeys known = allCallKeys; ///< the others were not recorded by the program that wrote the report
};

/// The work per step that the card or the configuration of a run states; empty members are not stated.
struct DescribedWork
{
    std::string model;
    std::optional<std::int64_t> batch; ///< samples of all data-parallel ranks and accumulation steps
    std::optional<std::int64_t> seqLen; ///< tokens of a sample
    bool doesAllTokens = true; ///< in one step, as in training; a server pass does only some
};

/// What comparisons read of a run.
struct RunValues
{
    std::vector<GpuTimeRow> means, ranks; ///< by type; by rank and type
    RankTable rankTimes; ///< in ms
    std::vector<RankStepParts> steps; ///< of its GPU work, or else of its markers: without parts
    bool areStepsTooLarge = false; ///< their numbers or times: `steps` is empty, because sums would overflow
    bool hasStepParts = false; ///< false if the steps are known only from their markers
    std::vector<KernelRow> kernels;
    std::optional<std::vector<OperatorRow>> operators; ///< of a run without GPU work
    CollectiveKinds collectiveKinds;
    DescribedWork described;
    std::optional<KindTable<CollectiveKindRow>> collectives;
    std::optional<KindTable<CallKindRow>> calls;
};

/// One run: its values, and the sheets in which they are written.
struct RunSheets
{
    std::string label;
    /// gpuTimelineSummary(), then Step_Parts and Kernels, or Step_Times and Operators, and Described_Work.
    Workbook gpuTimeline = {};
    Workbook collective = {}; ///< collectiveReport()
    RunValues values = {};
};

} // namespace collscope
