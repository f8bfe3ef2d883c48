// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/reports/rank_report.h"

#include "metrics/analysis/gpu_timeline.h"
#include "metrics/reports/gpu_timeline_sheets.h"
#include "metrics/reports/short_kernels.h"
#include "model/units.h"

#include <algorithm>

namespace collscope {

namespace {

/// Notes on facts that the sheets do not show.
std::vector<std::string> notesOf(const GpuTimeline& times, std::int64_t kernels, std::int64_t orphans,
                                 bool hasOperators, bool isReduced)
{
    std::vector<std::string> notes;
    if (times.unlinked > 0)
        notes.push_back(countText(times.unlinked, "GPU event")
                        + " without a launch link excluded from gpu_timeline.");
    if (isReduced)
        notes.emplace_back(
            "The run was reduced without its operators: tables of operators are omitted, and kernels have no "
            "parents. Plan the reduction with --keep all to include operators.");
    else if (!hasOperators)
        notes.emplace_back(
            "The trace contains no operators: tables of operators are omitted, and kernels have no parents.");
    else if (orphans > 0)
        notes.push_back(countText(orphans, "kernel") + " of " + std::to_string(kernels)
                        + " without a parent: the trace does not record what launched them.");
    return notes;
}

} // namespace

Workbook rankReport(const TraceModel& model, std::span<const Timeline* const> timelines,
                    const RankReportOptions& options)
{
    const std::function<bool()> cancelled
        = options.cancelled ? options.cancelled : std::function<bool()>([] { return false; });
    GpuTimelineMeter meter(model);
    GpuTimeline times;
    std::vector<OperatorLaunchers> files;
    for (const Timeline* timeline : timelines) {
        times += meter.measure(*timeline, options.linkedOnly, cancelled);
        files.emplace_back(model, *timeline, options.linkedOnly, cancelled);
    }
    const bool hasOperators = std::any_of(files.begin(), files.end(),
                                          [](const OperatorLaunchers& file) { return file.hasOperators(); });
    Workbook workbook;
    workbook.sheets.push_back(gpuTimelineSheet(times));
    if (hasOperators) {
        workbook.sheets.push_back(operatorCategorySheet(files));
        workbook.sheets.push_back(operatorSheet(model, files, options.topOperators));
    }
    Workbook byInputs;
    if (hasOperators && options.inputs)
        byInputs = operatorCallSheets(model, files, options.inputs, options.topCalls, cancelled);
    for (Sheet& sheet : byInputs.sheets)
        workbook.sheets.push_back(std::move(sheet));
    workbook.sheets.push_back(kernelSheet(model, files, times.totalNs, cancelled));
    const ShortKernels shortKernels(model, files, options.shortKernelNs, cancelled);
    workbook.sheets.push_back(shortKernels.histogramSheet());
    workbook.sheets.push_back(shortKernels.summarySheet(times.totalNs));
    std::int64_t kernels = 0;
    std::int64_t orphans = 0;
    for (const OperatorLaunchers& file : files)
        forEachKernel(model, file.timeline(), cancelled, [&](SliceRef kernel, std::int64_t, std::int32_t) {
            ++kernels;
            orphans += file.of(kernel) ? 0 : 1;
        });
    workbook.notes = notesOf(times, kernels, orphans, hasOperators, model.isReduced());
    workbook.notes.insert(workbook.notes.end(), byInputs.notes.begin(), byInputs.notes.end());
    return cancelled() ? Workbook() : workbook;
}

} // namespace collscope
