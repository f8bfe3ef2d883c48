// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Runs side by side, from the values of their reports, in the form of the workbooks of aorta's
// run_full_analysis.py. The values are those of a trace, or were read from reports written earlier, by
// Collscope or by the tools it replaces (earlier_reports.h).

#include "metrics/comparison/compared_sheet.h"
#include "model/result.h"

#include <array>

namespace collscope {

/// Names of runs for tables and folders, derived from their paths: the last folder; more folders if the last
/// ones are equal; base and test if all folders are equal, or if the name would be too long. Each is unique,
/// valid UTF-8 without control characters, has at most 64 bytes, and cannot be mistaken for a difference
/// column.
std::vector<std::string> runLabels(const std::vector<std::string>& paths);

/// Fails if a name cannot be a label, with a sentence that tells the user why.
Status checkLabel(const std::string& name);

/// gpu_timeline_combined, collective_combined: the sheets that both have, the baseline's rows before the
/// test's, with a column `source`. Their rows are made while they are written.
Workbook combinedSheets(Workbook base, Workbook test, const std::string& baseLabel,
                        const std::string& testLabel);
/// One sheet of both.
Sheet combinedSheet(Sheet base, Sheet test, const std::string& baseLabel, const std::string& testLabel);
/// Copies of the summary sheets: the part of a collective report that comparisons need, without a row per
/// call.
Workbook summariesOf(const Workbook& collective);

/// A GPU time of both runs.
struct ComparedTime
{
    std::optional<std::int32_t> rank; ///< nullopt: the mean of the ranks
    std::string type;
    Delta delta = {};
    DeltaStatus status = DeltaStatus::NotApplicable; ///< takes into account whether the work is equal
    Delta perUnit = {}; ///< of the times per unit of work (compared_work.h)
    std::optional<double> basePercent = {}, testPercent = {}; ///< of the total time
};
/// Means over the ranks, with a status that takes their scatter into account; or the times of each rank.
/// Types without a verdict are "Info".
std::vector<ComparedTime> comparedTimes(const RunSheets& base, const RunSheets& test,
                                        const CompareOptions& options, bool byRank);

/// Collectives, or calls, of one kind in both runs.
struct ComparedCalls
{
    CallKind kind;
    CallKeys known; ///< the members of `kind` that both runs know
    std::vector<Delta> figures;
    DeltaStatus status = DeltaStatus::NotApplicable;
};
/// The figures of comparedCollectives().
enum CollectiveFigure : std::uint8_t
{
    MeanLatency,
    AlgorithmBandwidth,
    BusBandwidth,
    TotalLatency
};
std::vector<ComparedCalls> comparedCollectives(const RunSheets& base, const RunSheets& test,
                                               const CompareOptions& options);

/// Comparison_By_Rank: a row per rank and type.
ComparedSheet compareByRank(const RunSheets& base, const RunSheets& test, const CompareOptions& options);
/// Summary_Comparison: a row per type.
ComparedSheet compareSummary(const RunSheets& base, const RunSheets& test, const CompareOptions& options);
/// Unit_Summary_Cmp, Unit_ByRank_Cmp: GPU times of captures per unit of work (compared_work.h), as the mean
/// of the ranks and rank by rank; empty if the amount of work is unknown. Percentages have the sign of the
/// difference.
ComparedSheet compareUnits(const RunSheets& base, const RunSheets& test, const CompareOptions& options);
ComparedSheet compareUnitsByRank(const RunSheets& base, const RunSheets& test, const CompareOptions& options);
/// nccl_implicit_sync_cmp: latency, bandwidths, total latency and count of each kind of collective.
ComparedSheet compareCollectives(const RunSheets& base, const RunSheets& test, const CompareOptions& options);
/// nccl_long_cmp: dur_sum, dur_mean, dur_max and operation_count of each rank's calls of a kind.
ComparedSheet compareCalls(const RunSheets& base, const RunSheets& test, const CompareOptions& options);

/// Adds the notes of a run's reports after its label; omits notes that the label already contains.
void addNotes(const RunSheets& run, std::vector<std::string>& notes);
Workbook gpuTimelineComparison(const RunSheets& base, const RunSheets& test, const CompareOptions& options);
Workbook collectiveComparison(const RunSheets& base, const RunSheets& test, const CompareOptions& options);

/// final_analysis_report: dashboard, the four comparisons, the comparisons of steps and kernels
/// (step_comparison.h), and the raw sheets, hidden.
struct ComparisonReport
{
    std::vector<ComparedSheet> sheets;
    std::vector<Sheet> raw;
    std::vector<std::string> notes;

    const ComparedSheet* sheet(ComparisonKind kind) const;
    /// `withRaw`: with the hidden sheets.
    Workbook workbook(bool withRaw) const;
};
ComparisonReport finalReport(const RunSheets& base, const RunSheets& test, const CompareOptions& options);
/// final_analysis_report_for_all: Summary, Per_Rank_Time_ms, NCCL_Summary of one baseline and any number of
/// tests. Precondition: at least one run; the first is the baseline.
Workbook allRunsReport(const std::vector<RunSheets>& runs, const CompareOptions& options);

} // namespace collscope
