// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/page/run_tables.h"

#include "metrics/analysis/known_communication.h"
#include "metrics/core/duration_text.h"
#include "metrics/definitions/headlines.h"
#include "metrics/export/kernel_summary.h"
#include "metrics/export/page/lateness_section.h"
#include "metrics/export/page/page_frame.h"
#include "metrics/export/page/page_table.h"
#include "metrics/export/what_if_report.h"
#include "metrics/reports/collective_sheets.h"
#include "metrics/whatif/what_if_text.h"
#include "model/text/short_names.h"
#include "model/text/valid_text.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace collscope {

namespace {

constexpr std::size_t mostKinds = 15;
constexpr std::size_t mostKernels = 20;

std::string countCellText(const std::optional<std::int64_t>& count)
{
    return count ? std::to_string(*count) : std::string();
}

/// A number of a report in its unit; empty where it is unknown.
PageCell figureCell(const std::optional<double>& number)
{
    return number ? numberCellOf(shownNumber(*number), numberText(*number)) : numberCellOf({});
}

/// A time of a report, which is in ms or us; empty where it is unknown.
PageCell durationCell(const std::optional<double>& number, double nsPerUnit)
{
    return number ? numberCellOf(timeText(std::llround(*number * nsPerUnit)), numberText(*number))
                  : numberCellOf({});
}

constexpr double nsPerMs = 1e6;
constexpr double nsPerUs = 1e3;

/// Collectives whose shortest call may not be that of the last rank.
std::int64_t doubtfulTransfers(const CollectiveListing& listing)
{
    return std::count_if(
        listing.collectives().begin(), listing.collectives().end(), [&](const ListedCollective& own) {
            const CollectiveInstance& instance = listing.run().matching.instances[own.instance];
            return own.waitsForAll
                && (!instance.isWhole || instance.absent > 0
                    || instance.confidence == MatchConfidence::OrderAlone);
        });
}

/// `doubtful`: of doubtfulTransfers().
void writeKinds(HtmlWriter& html, std::vector<CollectiveKindRow> rows, std::int64_t doubtful)
{
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
        return a.totalMs.value_or(0) > b.totalMs.value_or(0);
    });
    std::vector<std::vector<PageCell>> cells;
    for (const CollectiveKindRow& row : rows)
        cells.push_back({{row.kind.name},
                         {row.kind.groupDescription},
                         numberCellOf(countCellText(row.kind.groupSize)),
                         numberCellOf(countCellText(row.kind.inElements)),
                         {row.kind.elementType},
                         figureCell(row.count),
                         durationCell(row.latencyUs, nsPerUs),
                         figureCell(row.busBandwidth),
                         durationCell(row.totalMs, nsPerMs)});
    writeTable(
        html,
        "Collectives in which all ranks wait for all, by kind. The time of each is that of the rank on "
        "which it was shortest: the last rank does not wait."
            + (doubtful > 0 ? " In " + countText(doubtful, "collective")
                       + " it may contain waits, because calls of other ranks are missing or the "
                         "match is uncertain."
                            : std::string()),
        {{"collective"},
         {"group"},
         {"ranks", true},
         {"elements", true},
         {"type"},
         {"count", true},
         {"mean", true},
         {"bus GB/s, mean", true},
         {"total", true}},
        cells, mostKinds);
}

std::string groupOf(const CallKind& kind)
{
    return kind.groupDescription.empty() ? kind.groupRanks : kind.groupDescription;
}

/// `rank`: the only one to show.
void writeCallKinds(HtmlWriter& html, std::vector<CallKindRow> rows, std::optional<std::int32_t> rank)
{
    if (rank)
        std::erase_if(rows, [&](const CallKindRow& row) { return row.kind.rank != *rank; });
    std::stable_sort(rows.begin(), rows.end(),
                     [](const auto& a, const auto& b) { return a.sumUs.value_or(0) > b.sumUs.value_or(0); });
    std::vector<std::vector<PageCell>> cells;
    for (const CallKindRow& row : rows)
        cells.push_back({numberCellOf(countCellText(row.kind.rank)),
                         {row.kind.name},
                         {groupOf(row.kind)},
                         numberCellOf(countCellText(row.kind.stream)),
                         numberCellOf(countCellText(row.kind.groupSize)),
                         numberCellOf(countCellText(row.kind.inElements)),
                         {row.kind.elementType},
                         figureCell(row.count),
                         durationCell(row.meanUs, nsPerUs),
                         durationCell(row.maxUs, nsPerUs),
                         durationCell(row.sumUs, nsPerUs)});
    writeTable(html,
               rank ? "Calls of rank " + std::to_string(*rank) + " by kind, waiting included."
                    : std::string("Calls of each rank by kind, waiting included."),
               {{"rank", true},
                {"call"},
                {"group"},
                {"stream", true},
                {"ranks", true},
                {"elements", true},
                {"type"},
                {"count", true},
                {"mean", true},
                {"longest", true},
                {"total", true}},
               cells, mostKinds);
}

/// The short name, and below it the front of the whole one, which tells kernels of one short name apart.
PageCell kernelCell(std::string_view name)
{
    constexpr std::size_t most = 140;
    const std::string known = shortNameOf(name);
    const std::string_view front = textFront(name, most);
    PageCell cell{shortened(known)};
    if (known != name)
        cell.more = std::string(front) + (front.size() < name.size() ? "\u2026" : "");
    return cell;
}

PageCell exposedCell(const KernelSummaryRow& row)
{
    return row.exposedNs ? timeCell(*row.exposedNs) : numberCellOf({});
}

PageCell waitingCell(const KernelSummaryRow& row)
{
    if (!row.exposedNs) // it does not communicate
        return numberCellOf({});
    return row.waitingNs ? timeCell(*row.waitingNs) : numberCellOf("unknown");
}

void writeScenarios(HtmlWriter& html, const TraceModel& model, const WhatIfAnswer& answer)
{
    const double stepNs = answer.replay->measuredNs();
    std::vector<std::vector<PageCell>> rows;
    for (const ScenarioAnswer& own : answer.scenarios) {
        if (!own.basis.refused.empty()) {
            rows.push_back({{own.text, false, true},
                            numberCellOf({}),
                            numberCellOf({}),
                            numberCellOf({}),
                            {"not answered: " + own.basis.refused, false, true}});
            continue;
        }
        rows.push_back(
            {{own.text},
             timeCell(std::llround(own.stepNs)),
             numberCellOf(changeText(own.gainNs, stepNs), std::to_string(std::llround(own.gainNs))),
             numberCellOf(changeText(own.lowNs, stepNs) + " \u2026 " + changeText(own.highNs, stepNs)),
             {basisText(model, own), false, true}});
    }
    if (!rows.empty())
        writeTable(html, "What would help, the largest gain first.",
                   {{"change"},
                    {answer.replay->isPerStep() ? "step" : "time", true},
                    {"gain", true},
                    {"range", true},
                    {"rests on"}},
                   rows);
    std::string limits;
    for (const ScenarioAnswer& limit : answer.limits)
        limits += (limits.empty() ? "Limits that no change reaches: " : "; ") + limit.text + " "
            + changeText(limit.gainNs, stepNs);
    if (!limits.empty())
        writeParagraph(html, limits + ".");
    if (rows.empty())
        writeParagraph(html,
                       "Nothing that was tried makes it shorter by more than "
                           + percentText(100 * answer.replay->barNs() / stepNs) + ".");
}

std::vector<std::string> linesOf(std::string_view text)
{
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

bool hasValue(const NamedResult& named)
{
    return named.result.state == MetricState::Value && named.result.value;
}

/// Why there is nothing to list as collectives.
std::string noCommunicationText(Analysis& analysis)
{
    if (const auto unknown = communicationUnknown(analysis, analysis.wholeFiles()))
        return unknown->reason;
    return analysis.wholeFiles().failure
        ? "No call is recognised as communication: the files contain no GPU work, and no collective of a CPU "
          "backend."
        : "No kernel is recognised as communication, by name or by metadata.";
}

/// The metrics that have a result, but not as one number.
void writeWithoutNumber(HtmlWriter& html, const std::vector<NamedResult>& results)
{
    std::string names;
    for (const NamedResult& named : results) {
        if (named.result.state == MetricState::Value && !named.result.value)
            names += (names.empty() ? "" : ", ") + named.request.name;
    }
    if (!names.empty())
        writeParagraph(html, "The results of these are not one number; --json prints them: " + names + ".");
}

} // namespace

void writeCollectives(HtmlWriter& html, Analysis& analysis)
{
    const MetricOptions& options = analysis.options();
    const CollectiveListing listing(analysis);
    RunValues values;
    implicitSyncSummary(listing, {}, values);
    longSummary(listing, values);
    if (!values.calls) {
        writeSection(html, "collectives", "Collectives", "",
                     [&] { writeParagraph(html, noCommunicationText(analysis)); });
        return;
    }
    // The calls are those of a chosen rank.
    const std::string covered = values.collectives || !options.rank
        ? wholeFilesText(options)
        : "This covers the whole file of rank " + std::to_string(*options.rank) + ".";
    writeSection(html, "collectives", "Collectives", covered, [&] {
        if (values.collectives)
            writeKinds(html, std::move(values.collectives->rows), doubtfulTransfers(listing));
        const auto more = html.element(values.collectives ? "details" : "div");
        if (values.collectives)
            html.leaf("summary", options.rank ? "Calls of the rank" : "Calls of each rank");
        writeCallKinds(html, std::move(values.calls->rows), options.rank);
    });
}

void writeKernels(HtmlWriter& html, Analysis& analysis)
{
    MetricOptions options = analysis.options();
    options.collectives = analysis.sharedRun(); // so that they are not matched again
    const auto rows = kernelSummary(analysis.model(), options);
    writeSection(html, "kernels", "Kernels", "", [&] {
        if (!rows) {
            writeParagraph(html, rows.error().message);
            return;
        }
        std::vector<std::vector<PageCell>> cells;
        std::int64_t unsplit = 0;
        for (std::size_t i = 0; i < std::min(rows->size(), mostKernels); ++i) {
            const KernelSummaryRow& row = (*rows)[i];
            unsplit += row.unsplit;
            cells.push_back({kernelCell(row.name),
                             numberCellOf(percentText(row.timePercent), numberText(row.timePercent)),
                             timeCell(row.totalNs), numberCellOf(std::to_string(row.instances)),
                             numberCellOf(timeText(std::llround(row.averageNs)), numberText(row.averageNs)),
                             timeCell(row.maxNs), exposedCell(row), waitingCell(row)});
        }
        writeTable(
            html,
            "The " + std::to_string(cells.size()) + " of "
                + countText(static_cast<std::int64_t>(rows->size()), "kernel")
                + " that take most time, over the whole files of "
                + (options.rank ? "rank " + std::to_string(*options.rank) : std::string("all ranks")) + "."
                + (unsplit > 0
                       ? " " + countText(unsplit, "exposed call") + " may contain waits that are not known."
                       : std::string()),
            {{"kernel"},
             {"share", true},
             {"total", true},
             {"count", true},
             {"mean", true},
             {"longest", true},
             {"exposed, waits included", true},
             {"of it known waits", true}},
            cells);
    });
}

void writeWhatIf(HtmlWriter& html, Analysis& analysis, const std::string& said)
{
    const WhatIfAnswer answer = answerWhatIf(analysis, {});
    const bool isRefused = !answer.slowdown && answer.isRefused();
    if (isRefused && answer.replay->refused() == said)
        return;
    writeSection(html, "what-if", "What would help", "", [&] {
        if (!answer.replay->gates().empty())
            writeParagraph(html, replayText(*answer.replay), "lead");
        if (answer.slowdown) {
            const auto table = html.element("pre");
            html.lines(linesOf(slowdownText(*answer.slowdown)));
        } else if (isRefused) {
            writeParagraph(html, "No scenario is answered. " + answer.replay->refused());
        } else {
            writeScenarios(html, analysis.model(), answer);
        }
    });
}

void writeTiles(HtmlWriter& html, const std::vector<NamedResult>& results)
{
    MetricResults all;
    for (const NamedResult& named : results)
        all.emplace_back(named.request, named.result);
    const std::vector<HeadlineMetric> headlines = headlineMetrics(all);
    if (headlines.empty())
        return;
    const auto list = html.element("dl", {{"class", "tiles"}});
    for (const HeadlineMetric& headline : headlines) {
        const auto& [request, result] = all[headline.index];
        const auto tile = html.element("div", {{"class", "tile"}});
        html.leaf("dt", request.metric->title);
        const ShownValue shown = shownValue(*result.value, request.unit);
        const auto value = html.element("dd", {{"data-value", numberText(*result.value)}});
        html.text(shown.number + " ");
        html.leaf("small", shown.unit);
    }
}

void writeMetrics(HtmlWriter& html, const std::vector<NamedResult>& results)
{
    writeSection(html, "metrics", "Metrics", "", [&] {
        const auto more = html.element("details");
        html.leaf("summary",
                  countText(std::count_if(results.begin(), results.end(), hasValue), "metric")
                      + " with a number");
        {
            const auto frame = html.element("div", {{"class", "scroll"}});
            const auto table = html.element("table");
            html.leaf("caption",
                      "As --json prints them: id, value, unit, over which ranks and which part of the run.");
            const auto body = html.element("tbody");
            for (const NamedResult& named : results) {
                if (!hasValue(named))
                    continue;
                const auto row = html.element(
                    "tr",
                    {{"data-metric", named.request.name}, {"data-value", numberText(*named.result.value)}});
                html.leaf("td", named.request.metric->title);
                html.leaf("td", named.request.name, {{"class", "name"}});
                html.leaf("td", numberText(*named.result.value), {{"class", "number"}});
                html.leaf("td", named.request.unit);
                html.leaf("td", named.result.scope);
                html.leaf("td", named.result.window);
            }
        }
        writeWithoutNumber(html, results);
        std::map<std::string, std::string> reasons;
        for (const NamedResult& named : results) {
            if (named.result.state == MetricState::Value)
                continue;
            std::string& ids = reasons[named.result.reason];
            ids += (ids.empty() ? "" : ", ") + named.request.name;
        }
        std::vector<std::vector<PageCell>> rows;
        for (const auto& [reason, ids] : reasons)
            rows.push_back({{reason, false, true}, {ids}});
        if (!rows.empty())
            writeTable(html, "What is not available, and why.", {{"reason"}, {"metrics"}}, rows);
    });
}

} // namespace collscope
