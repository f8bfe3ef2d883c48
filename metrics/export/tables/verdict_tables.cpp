// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Tables of what would help, and of a job that hung.

#include "metrics/export/hang_report.h"
#include "metrics/export/tables/export_tables.h"
#include "metrics/export/what_if_report.h"

#include <cmath>

namespace collscope {

namespace {

struct ScenarioRow
{
    std::string_view kind;
    const ScenarioAnswer& answer;
    double measuredNs = 0; ///< of the step

    bool isAnswered() const { return answer.basis.refused.empty(); }
    /// A time of the answer.
    TableCell ofAnswer(double ns) const
    {
        return isAnswered() ? TableCell(std::int64_t{std::llround(ns)}) : TableCell();
    }
    TableCell percent() const
    {
        return isAnswered() && measuredNs > 0 ? TableCell(100 * answer.gainNs / measuredNs) : TableCell();
    }
};

struct HangFindingRow
{
    std::int64_t number = 0; ///< from 1; findings, then suspects
    bool isSuspect = false;
    const HangVerdict& verdict;
    const ReportedFinding& finding;
    std::size_t witness = 0;

    const ReportedFinding::Witness& shown() const { return finding.witnesses[witness]; }
};

struct HangRankRow
{
    std::optional<std::int64_t> finding;
    std::int32_t rank = 0;
    std::string_view role;
};

const WhatIfAnswer& whatIfOf(TableSource& source)
{
    return source.counted.table<WhatIfAnswer>([&] { return answerWhatIf(source.counted, {}); });
}

std::string scenarioRows(TableSource& source, const TakeTyped<ScenarioRow>& take)
{
    if (!source.withWhatIf)
        return "Not asked for: --what-if writes them.";
    const WhatIfAnswer& answer = whatIfOf(source);
    if (answer.slowdown)
        return "A timeline of operations has no scenarios; --batch what-if prints its slowdown.";
    if (answer.isRefused())
        return "No scenario is answered. " + answer.replay->refused();
    const std::pair<std::string_view, const std::vector<ScenarioAnswer>&> kinds[]
        = {{"scenario", answer.scenarios}, {"combination", answer.after}, {"limit", answer.limits}};
    for (const auto& [kind, answers] : kinds) {
        for (const ScenarioAnswer& own : answers) {
            if (!take({kind, own, answer.replay->measuredNs()}))
                return {};
        }
    }
    return {};
}

/// nullptr if the run has no dumps, watchdog lines or stacks.
const HangVerdict* hangOf(TableSource& source)
{
    const TraceModel& model = source.model();
    if (!model.hang)
        return nullptr;
    return &source.counted.table<HangVerdict>([&] { return judgeHang(*model.hang, model.strings, {}); });
}

std::string withoutHang()
{
    return "The run has no dumps of the Flight Recorder, watchdog lines, RAS snapshots or stacks.";
}

std::string verdictRows(TableSource& source, const TakeTyped<HangVerdict>& take)
{
    const HangVerdict* const verdict = hangOf(source);
    if (!verdict)
        return withoutHang();
    take(*verdict);
    return {};
}

/// Calls f(row) for each finding and suspect until it returns false.
template<typename F>
std::string forEachHangFinding(TableSource& source, const F& f)
{
    const HangVerdict* const verdict = hangOf(source);
    if (!verdict)
        return withoutHang();
    std::int64_t number = 0;
    for (const ReportedFinding& finding : verdict->findings) {
        if (!f(HangFindingRow{++number, false, *verdict, finding}))
            return {};
    }
    for (const ReportedFinding& finding : verdict->suspects) {
        if (!f(HangFindingRow{++number, true, *verdict, finding}))
            return {};
    }
    return {};
}

std::string hangFindingRows(TableSource& source, const TakeTyped<HangFindingRow>& take)
{
    return forEachHangFinding(source, take);
}

std::string witnessRows(TableSource& source, const TakeTyped<HangFindingRow>& take)
{
    return forEachHangFinding(source, [&](HangFindingRow row) {
        for (; row.witness < row.finding.witnesses.size(); ++row.witness) {
            if (!take(row))
                return false;
        }
        return true;
    });
}

std::string hangRankRows(TableSource& source, const TakeTyped<HangRankRow>& take)
{
    const auto takeAll = [&](std::optional<std::int64_t> finding, std::string_view role,
                             const std::vector<std::int32_t>& ranks) {
        for (const std::int32_t rank : ranks) {
            if (!take({finding, rank, role}))
                return false;
        }
        return true;
    };
    std::string lacks = forEachHangFinding(source, [&](const HangFindingRow& row) {
        return takeAll(row.number, row.isSuspect ? "suspect" : "accused", row.finding.ranks)
            && takeAll(row.number, "candidate", row.finding.candidates);
    });
    if (const HangVerdict* const verdict = hangOf(source)) {
        takeAll({}, "waits", verdict->victims);
        takeAll({}, "no_dump", verdict->missing);
        takeAll({}, "alive_by_log", verdict->aliveByLog);
    }
    return lacks;
}

void addScenarios(std::vector<ExportTable>& tables)
{
    using enum CellType;
    tables.push_back(tableOf<ScenarioRow>(
        {.name = "what_ifs",
         .meaning = "What would make a step shorter, as --batch what-if says it: estimates. With --what-if."},
        {{"kind", Text, "scenario; combination: the best one with others; limit: what no change reaches",
          [](const ScenarioRow& row) { return tableText(row.kind); }},
         {"scenario", Text, "as --scenario takes it",
          [](const ScenarioRow& row) { return tableText(row.answer.scenario.spec); }},
         {"title", Text, "in words", [](const ScenarioRow& row) { return tableText(row.answer.text); }},
         {"step_ns", Integer, "how long a step would take, or the whole recording where it has no steps",
          [](const ScenarioRow& row) { return row.ofAnswer(row.answer.stepNs); }},
         {"gain_ns", Integer, "how much shorter that is",
          [](const ScenarioRow& row) { return row.ofAnswer(row.answer.gainNs); }},
         {"gain_percent", Real, "likewise, of the measured time",
          [](const ScenarioRow& row) { return row.percent(); }},
         {"low_ns", Integer, "least gain of the range",
          [](const ScenarioRow& row) { return row.ofAnswer(row.answer.lowNs); }},
         {"high_ns", Integer, "largest gain of the range",
          [](const ScenarioRow& row) { return row.ofAnswer(row.answer.highNs); }},
         {"basis", Text, "what the other durations come from: segments, peers, bound, factor",
          [](const ScenarioRow& row) {
              return row.isAnswered() ? tableText(basisName(row.answer)) : TableCell();
          }},
         {"refused", Text, "why it is not answered",
          [](const ScenarioRow& row) { return tableText(row.answer.basis.refused); }}},
        scenarioRows));
}

} // namespace

void addVerdictTables(std::vector<ExportTable>& tables)
{
    using enum CellType;
    addScenarios(tables);
    tables.push_back(tableOf<HangVerdict>(
        {.name = "hang",
         .meaning = "Whether the job hung, as --batch hang says it: one row, if there are dumps."},
        {{"hang", Text, "yes, no, unproven",
          [](const HangVerdict& verdict) { return tableText(hangName(verdict.hang)); }},
         {"verdict", Text, "a sentence", [](const HangVerdict& verdict) { return tableText(verdict.text); }},
         {"inconclusive", Text, "why nobody is accused although it hung",
          [](const HangVerdict& verdict) { return tableText(verdict.inconclusive); }},
         {"coverage", Real, "share of the waiting ranks that the findings explain, 0 to 1",
          [](const HangVerdict& verdict) { return TableCell(verdict.coverage); }},
         {"ranks", Integer, "of the job",
          [](const HangVerdict& verdict) { return tableCount(verdict.ranks); }},
         {"dumps", Integer, "of the Flight Recorder",
          [](const HangVerdict& verdict) { return tableCount(verdict.dumps); }}},
        verdictRows));
    const ColumnOf<HangFindingRow> number{"hang_finding_id", Integer, "number of the finding",
                                          [](const HangFindingRow& row) { return tableCount(row.number); }};
    tables.push_back(tableOf<HangFindingRow>(
        {.name = "hang_findings", .meaning = "Why a job hung, or would, if it was hung.", .hasKey = true},
        {number,
         {"is_suspect", Integer, "1: it is not proven that the job hung",
          [](const HangFindingRow& row) { return tableCount(row.isSuspect ? 1 : 0); }},
         {"class", Text, "the words of --batch hang",
          [](const HangFindingRow& row) { return tableText(hangClassName(row.finding.hangClass)); }},
         {"text", Text, "what happened",
          [](const HangFindingRow& row) { return tableText(row.finding.text); }},
         {"do_first", Text, "what to do first",
          [](const HangFindingRow& row) { return tableText(row.finding.whatFirst); }},
         {"group_name", Text, "process group; NULL: of none",
          [](const HangFindingRow& row) {
              return row.finding.group ? tableText(row.verdict.groups[*row.finding.group].name) : TableCell();
          }},
         {"group_description", Text, "likewise",
          [](const HangFindingRow& row) {
              return row.finding.group ? tableText(row.verdict.groups[*row.finding.group].description)
                                       : TableCell();
          }},
         {"seq", Integer, "number of the call in the group",
          [](const HangFindingRow& row) { return tableNumber(row.finding.number); }}},
        hangFindingRows));
    tables.push_back(tableOf<HangRankRow>(
        {.name = "hang_ranks", .meaning = "A rank of a job that hung, and its part in it."},
        {{"hang_finding_id", Integer, "see hang_findings; NULL: of the job as a whole",
          [](const HangRankRow& row) { return tableNumber(row.finding); }},
         {"rank", Integer, "of the job", [](const HangRankRow& row) { return tableCount(row.rank); }},
         {"role", Text, "accused, suspect, candidate: one of these; waits, no_dump, alive_by_log",
          [](const HangRankRow& row) { return tableText(row.role); }}},
        hangRankRows));
    tables.push_back(tableOf<HangFindingRow>(
        {.name = "hang_witnesses", .meaning = "What a finding about a hang rests on: a call in a file."},
        {number,
         {"rank", Integer, "of the job",
          [](const HangFindingRow& row) { return tableCount(row.shown().rank); }},
         {"file", Text, "of the run", [](const HangFindingRow& row) { return tableText(row.shown().file); }},
         {"record_id", Integer, "number of the call in its process",
          [](const HangFindingRow& row) { return tableNumber(row.shown().record); }},
         {"state", Text, "pending, not called, ...",
          [](const HangFindingRow& row) { return tableText(row.shown().text); }}},
        witnessRows));
}

} // namespace collscope
