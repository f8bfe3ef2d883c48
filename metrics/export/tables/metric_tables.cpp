// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Tables of sums and answers over the counted steps: kernels, copies, metrics, findings.

#include "metrics/analysis/known_communication.h"
#include "metrics/export/findings_report.h"
#include "metrics/export/tables/export_tables.h"
#include "metrics/findings/finding.h"
#include "metrics/partition/known_gaps.h"
#include "model/kernels/kernel_names.h"

namespace collscope {

namespace {

struct NamedKernelRow
{
    std::int32_t rank = 0;
    std::string_view name;
    const NameBreakdown& sums;
};

struct CopyRow
{
    std::int32_t rank = 0;
    const CopyBreakdown& sums;
};

/// What a metric says of the run, a rank, a step, or a step of a rank.
struct MetricTableRow
{
    const MetricRequest& request;
    const MetricResult& result;
    MetricRow row;
    std::optional<double> value;
    bool isOfRun = true;

    TableCell ofRun(std::string_view text) const { return isOfRun ? tableText(text) : TableCell(); }
};

/// A finding, one of its ranks, or one of its places.
struct FindingRow
{
    std::int64_t number = 0; ///< from 1
    const Finding& finding;
    double share = 0;
    std::pair<std::int32_t, std::int64_t> payer; ///< rank, ns
    FindingPlace place;
    std::string location;

    TableCell ofTime(std::int64_t value) const
    {
        return isAboutTime(finding.kind) ? tableCount(value) : TableCell();
    }
};

std::string withoutWork(TableSource& source)
{
    const Selection& selection = source.counted.selection();
    return selection.failure ? selection.failure->reason : std::string();
}

std::string namedKernelRows(TableSource& source, const TakeTyped<NamedKernelRow>& take)
{
    if (source.counted.selection().failure)
        return withoutWork(source);
    for (const RankKernels& rank : source.counted.kernels()) {
        for (const NameBreakdown& name : rank.names) {
            if (!take({rank.rank, source.model().text(name.name), name}))
                return {};
        }
    }
    return {};
}

std::string copyRows(TableSource& source, const TakeTyped<CopyRow>& take)
{
    if (source.counted.selection().failure)
        return withoutWork(source);
    std::int64_t unsized = 0;
    for (const RankKernels& rank : source.counted.kernels()) {
        unsized += rank.unsizedCopies;
        for (const CopyBreakdown& copies : rank.copies) {
            if (!take({rank.rank, copies}))
                return {};
        }
    }
    if (const auto unknown = copiesUnknown(source.counted.selection()))
        return unknown->reason;
    return unsized > 0 ? countText(unsized, "copy") + " without a size in the trace." : std::string();
}

std::string metricRows(TableSource& source, const TakeTyped<MetricTableRow>& take)
{
    // Its tables are written. Metrics and findings need the memory, and the gaps of the GPUs.
    passGapsOn(std::move(source.every), source.counted);
    for (const MetricRequest& request : source.metrics) {
        const MetricResult result = evaluate(source.counted, request);
        if (source.isCancelled())
            break;
        bool goesOn = take({request, result, {}, result.value});
        for (const MetricRow& row : result.rows)
            goesOn = goesOn && take({request, result, row, row.value, false});
        if (!goesOn)
            break;
    }
    return {};
}

const Result<Findings>& findingsOf(TableSource& source)
{
    return source.counted.table<Result<Findings>>([&] { return findCosts(source.counted); });
}

/// Calls f(row) for each finding until it returns false.
template<typename F>
std::string forEachFinding(TableSource& source, const F& f)
{
    const Result<Findings>& findings = findingsOf(source);
    if (!findings)
        return findings.error().message;
    std::int64_t number = 0;
    for (const Finding& finding : findings->all) {
        if (!f(FindingRow{++number, finding, shareOf(*findings, finding), {}, {}, {}}))
            break;
    }
    std::string lacks;
    for (const std::string& warning : findings->warnings)
        lacks.append(lacks.empty() ? "" : " ").append(warning);
    return lacks;
}

std::string findingRows(TableSource& source, const TakeTyped<FindingRow>& take)
{
    return forEachFinding(source, take);
}

std::string payerRows(TableSource& source, const TakeTyped<FindingRow>& take)
{
    return forEachFinding(source, [&](FindingRow row) {
        for (const auto& payer : row.finding.nsByRank) {
            row.payer = payer;
            if (!take(row))
                return false;
        }
        return true;
    });
}

std::string placeRows(TableSource& source, const TakeTyped<FindingRow>& take)
{
    return forEachFinding(source, [&](FindingRow row) {
        for (const FindingPlace& place : row.finding.places.all()) {
            row.place = place;
            row.location = locationOf(source.model(), place);
            if (!take(row))
                return false;
        }
        return true;
    });
}

void addSums(std::vector<ExportTable>& tables)
{
    using enum CellType;
    tables.push_back(tableOf<NamedKernelRow>(
        {.name = "kernels", .meaning = "The kernels of one name on one rank, in the counted steps."},
        {{"rank", Integer, "see ranks", [](const NamedKernelRow& row) { return tableCount(row.rank); }},
         {"name", Text, "of the kernel", [](const NamedKernelRow& row) { return tableText(row.name); }},
         {"class", Text, "GEMM, Attention, AllReduce, ...",
          [](const NamedKernelRow& row) { return tableText(kernelClassName(row.sums.kernelClass)); }},
         {"count", Integer, "kernels that start in the steps",
          [](const NamedKernelRow& row) { return tableCount(row.sums.started); }},
         {"ns", Integer, "sum of their durations, clipped to the steps",
          [](const NamedKernelRow& row) { return tableCount(row.sums.ns); }},
         {"communication_ns", Integer, "part of it in kernels that communicate",
          [](const NamedKernelRow& row) { return tableCount(row.sums.communicationNs); }}},
        namedKernelRows));
    tables.push_back(tableOf<CopyRow>(
        {.name = "copies",
         .meaning = "The copies of one direction on one rank that start in the counted steps."},
        {{"rank", Integer, "see ranks", [](const CopyRow& row) { return tableCount(row.rank); }},
         {"kind", Integer, "CUPTI's copyKind: 1 HtoD, 2 DtoH, 8 DtoD, 10 PtoP; NULL: unknown",
          [](const CopyRow& row) { return tableKnown(row.sums.kind); }},
         {"count", Integer, "copies", [](const CopyRow& row) { return tableCount(row.sums.calls); }},
         {"bytes", Integer, "their bytes", [](const CopyRow& row) { return tableCount(row.sums.bytes); }},
         {"ns", Integer, "their durations", [](const CopyRow& row) { return tableCount(row.sums.ns); }}},
        copyRows));
}

void addFindings(std::vector<ExportTable>& tables)
{
    using enum CellType;
    const ColumnOf<FindingRow> number{"finding_id", Integer, "place in the order of cost, from 1",
                                      [](const FindingRow& row) { return tableCount(row.number); }};
    tables.push_back(tableOf<FindingRow>(
        {.name = "findings",
         .meaning = "What costs time in the counted steps, as --batch findings says it.",
         .hasKey = true},
        {number,
         {"kind", Text, "late_rank, gpu_idle, ...",
          [](const FindingRow& row) { return tableText(findingId(row.finding.kind)); }},
         {"title", Text, "a sentence", [](const FindingRow& row) { return tableText(row.finding.title); }},
         {"cost_ns_per_step", Integer, "mean over all ranks; NULL: it is not about time",
          [](const FindingRow& row) { return row.ofTime(row.finding.costNs); }},
         {"cost_on_ranks_ns_per_step", Integer, "mean over the ranks that pay",
          [](const FindingRow& row) { return row.ofTime(row.finding.costOnRanksNs); }},
         {"share", Real, "of the step, 0 to 1; NULL: it is not about time",
          [](const FindingRow& row) {
              return isAboutTime(row.finding.kind) ? TableCell(row.share) : TableCell();
          }},
         {"group_name", Text, "process group",
          [](const FindingRow& row) { return tableText(row.finding.group); }},
         {"name", Text, "kernel, operator or collective",
          [](const FindingRow& row) { return tableText(row.finding.name); }},
         {"cause", Text, "word for the cause",
          [](const FindingRow& row) { return tableText(row.finding.cause); }},
         {"count", Integer, "gaps, calls, copies or kernels",
          [](const FindingRow& row) { return row.ofTime(row.finding.count); }},
         {"advice", Text, "what to do",
          [](const FindingRow& row) { return tableText(adviceFor(row.finding)); }},
         {"confidence", Text, "measured, estimated",
          [](const FindingRow& row) {
              return tableText(row.finding.isEstimated ? "estimated" : "measured");
          }}},
        findingRows));
    tables.push_back(tableOf<FindingRow>(
        {.name = "finding_ranks", .meaning = "A rank that pays for a finding."},
        {number,
         {"rank", Integer, "see ranks", [](const FindingRow& row) { return tableCount(row.payer.first); }},
         {"ns", Integer, "over all counted steps",
          [](const FindingRow& row) { return tableCount(row.payer.second); }}},
        payerRows));
    tables.push_back(tableOf<FindingRow>(
        {.name = "finding_places", .meaning = "One of the worst places of a finding."},
        {number,
         {"rank", Integer, "see ranks", [](const FindingRow& row) { return tableCount(row.place.rank); }},
         {"begin_ns", Integer, "start",
          [](const FindingRow& row) { return tableCount(row.place.range.beginNs); }},
         {"end_ns", Integer, "end", [](const FindingRow& row) { return tableCount(row.place.range.endNs); }},
         {"slice_id", Integer, "see slices; NULL: only the time",
          [](const FindingRow& row) { return row.place.slice ? sliceNumber(row.place.slice) : TableCell(); }},
         {"location", Text, "for --goto", [](const FindingRow& row) { return tableText(row.location); }}},
        placeRows));
}

} // namespace

void addMetricTables(std::vector<ExportTable>& tables)
{
    using enum CellType;
    addSums(tables);
    tables.push_back(tableOf<MetricTableRow>(
        {.name = "metrics",
         .meaning = "A metric of the run, then its values by rank and step, where it has them."},
        {{"metric", Text, "id", [](const MetricTableRow& row) { return tableText(row.request.name); }},
         {"rank", Integer, "NULL: of the run",
          [](const MetricTableRow& row) { return tableNumber(row.row.rank); }},
         {"step", Integer, "NULL: of all counted steps",
          [](const MetricTableRow& row) { return tableNumber(row.row.step); }},
         {"value", Real, "NULL: none, or not one number",
          [](const MetricTableRow& row) { return tableNumber(row.value); }},
         {"unit", Text, "of the value", [](const MetricTableRow& row) { return tableText(row.result.unit); }},
         {"status", Text, "value, not_applicable, missing_input, error",
          [](const MetricTableRow& row) { return tableText(metricStateName(row.result.state)); }},
         {"reason", Text, "why the value is missing",
          [](const MetricTableRow& row) { return row.ofRun(row.result.reason); }},
         {"scope", Text, "which ranks",
          [](const MetricTableRow& row) { return row.ofRun(row.result.scope); }},
         {"time_window", Text, "which steps",
          [](const MetricTableRow& row) { return row.ofRun(row.result.window); }},
         {"reduction", Text, "how several ranks became one number",
          [](const MetricTableRow& row) { return row.ofRun(row.result.reduction); }}},
        metricRows));
    addFindings(tables);
}

} // namespace collscope
