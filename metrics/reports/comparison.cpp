// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/reports/comparison.h"

#include "metrics/reports/keyed_rows.h"
#include "metrics/reports/reused_reports.h"
#include "metrics/reports/step_comparison.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <utility>

namespace collscope {

namespace {

/// A run that does the same with less of these is better. Busy time and total communication and copies have
/// no verdict: with equal work, time only moves between columns.
MetricDirection directionOf(std::string_view type)
{
    static constexpr std::array<std::string_view, 5> judged{
        "total_time", "computation_time", "exposed_comm_time", "exposed_memcpy_time", "idle_time"};
    return std::find(judged.begin(), judged.end(), type) != judged.end() ? MetricDirection::LowerIsBetter
                                                                         : MetricDirection::Neutral;
}

std::optional<double> minus(const std::optional<double>& a, const std::optional<double>& b)
{
    return a && b ? std::optional(*a - *b) : std::nullopt;
}

/// The value of each rank that has one, by rank.
RankFigures samplesOf(const RunSheets& run, const std::string& type)
{
    RankFigures samples;
    const Sheet* const sheet = run.gpuTimeline.sheet("Per_Rank_Time_ms");
    if (!sheet)
        return samples;
    for (const Value::Array& row : sheet->rows) {
        if (row.empty() || keyText(row.front()) != type)
            continue;
        for (std::size_t i = 1; i < row.size(); ++i) {
            if (const auto value = numberOf(row[i]))
                samples[sheet->columns[i]] = *value;
        }
    }
    return samples;
}

/// Compares a time of both runs, of the type with that name.
using CompareTime = std::function<Delta(const std::string& type, const std::optional<double>& base,
                                        const std::optional<double>& test)>;

/// Status of a time over whole files. The work is unequal for captures of any length, for a file with steps
/// compared with one without, and for steps that do different work. Then the comparison of the work
/// determines the status, if it is known.
DeltaStatus statusOf(const Delta& whole, const Delta& perUnit, const ComparedWork& work, bool areAlike)
{
    const bool isJudged = whole.status != DeltaStatus::New && whole.status != DeltaStatus::Gone
        && whole.status != DeltaStatus::NotApplicable;
    if (!isJudged || (areAlike && !work.isOfCaptures && work.steps.isJudged()))
        return whole.status;
    if (areAlike && !work.isOfCaptures)
        return DeltaStatus::Info;
    return areAlike ? perUnit.status : DeltaStatus::Info;
}

/// Joins a sheet with times of both runs by `keys`, of which the last is the type.
Sheet compareTimes(std::string name, const RunSheets& base, const RunSheets& test, std::string_view source,
                   const std::vector<std::string>& keys, const CompareOptions& options,
                   const CompareTime& compare)
{
    const ComparedWork work = comparedWork(base, test);
    const bool areAlike = areComparable(base, test);
    Sheet sheet{std::move(name), keys, {}};
    for (const std::string& column :
         {base.label + "_time_ms", test.label + "_time_ms", std::string("diff_time_ms"),
          std::string("percent_change"), std::string("status"), std::string("ratio"), base.label + "_percent",
          test.label + "_percent", std::string("diff_percent")})
        sheet.columns.push_back(column);
    const KeyedRows rows({base.gpuTimeline.sheet(source), test.gpuTimeline.sheet(source)}, keys);
    for (std::size_t r = 0; r < rows.size(); ++r) {
        Value::Array row = rows.keysOf(r);
        const Delta delta
            = compare(keyText(row.back()), rows.number(r, 0, "time ms"), rows.number(r, 1, "time ms"));
        const Delta perUnit
            = work.perUnit(delta.base, delta.test, work.rule(options, directionOf(keyText(row.back()))));
        for (const auto& number : {delta.base, delta.test, delta.difference, delta.improvement})
            row.push_back(numberCell(number));
        row.emplace_back(deltaStatusName(statusOf(delta, perUnit, work, areAlike)));
        row.push_back(numberCell(delta.ratio));
        const auto basePercent = rows.number(r, 0, "percent");
        const auto testPercent = rows.number(r, 1, "percent");
        for (const auto& number : {basePercent, testPercent, minus(testPercent, basePercent)})
            row.push_back(numberCell(number));
        sheet.rows.push_back(std::move(row));
    }
    return sheet;
}

/// A value of a collective sheet that is compared.
struct Figure
{
    const char* column;
    MetricDirection direction;
    bool hasPercent = true; ///< false for counts
    bool isTotal = false; ///< a sum over the calls: no verdict if the runs have different numbers of them
};

/// Joins the rows of two sheets by `keys` and compares `figures`; rows that only the test has come last.
Sheet compareSheets(std::string name, const Sheet* base, const Sheet* test, const RunSheets& baseRun,
                    const RunSheets& testRun, const std::vector<std::string>& keys,
                    std::span<const Figure> figures, std::string_view countColumn,
                    const CompareOptions& options)
{
    Sheet sheet{std::move(name), keys, {}};
    for (const Figure& figure : figures) {
        const std::string column = figure.column;
        sheet.columns.insert(sheet.columns.end(),
                             {baseRun.label + "_" + column, testRun.label + "_" + column, "diff_" + column});
        if (figure.hasPercent)
            sheet.columns.push_back("percent_change_" + column);
        sheet.columns.push_back("ratio_" + column);
    }
    sheet.columns.emplace_back("status");
    const KeyedRows rows({base, test}, keys);
    for (std::size_t r = 0; r < rows.size(); ++r) {
        Value::Array row = rows.keysOf(r);
        DeltaStatus status = DeltaStatus::NotApplicable;
        const bool areEqual = rows.number(r, 0, countColumn) == rows.number(r, 1, countColumn);
        bool isJudged = false;
        for (const Figure& figure : figures) {
            const Delta delta = deltaOf(rows.number(r, 0, figure.column), rows.number(r, 1, figure.column),
                                        {options.thresholdPercent, figure.direction});
            row.push_back(numberCell(delta.base));
            row.push_back(numberCell(delta.test));
            row.push_back(numberCell(delta.difference));
            if (figure.hasPercent)
                row.push_back(numberCell(delta.improvement));
            row.push_back(numberCell(delta.ratio));
            // The status of a row is the status of its first value: the duration of the calls.
            const bool isOfOne = delta.status == DeltaStatus::New || delta.status == DeltaStatus::Gone;
            if (!std::exchange(isJudged, isJudged || !figure.isTotal || areEqual || isOfOne))
                status = delta.status;
        }
        row.emplace_back(deltaStatusName(status));
        sheet.rows.push_back(std::move(row));
    }
    sortByChange(sheet, keys.size());
    return sheet;
}

Value rounded(const std::optional<double>& value)
{
    constexpr double hundredths = 100;
    return value ? Value(std::round(*value * hundredths) / hundredths) : Value();
}

/// The sum of a column of the collective summary; nullopt if the run has no such column.
std::optional<double> collectiveTotal(const RunSheets& run, std::string_view column)
{
    const Sheet* const sheet = run.collective.sheet("nccl_summary_implicit_sync");
    const auto at = sheet ? sheet->column(column) : std::nullopt;
    if (!at)
        return std::nullopt;
    double sum = 0;
    for (const Value::Array& row : sheet->rows)
        sum += numberOf(row[*at]).value_or(0);
    return sum;
}

/// The time that the collectives of all kinds took to move their data. No verdict if the numbers of
/// collectives differ.
Delta collectiveDelta(const RunSheets& base, const RunSheets& test, const CompareOptions& options)
{
    const auto total = [](const RunSheets& run) { return collectiveTotal(run, "Total comm latency (ms)"); };
    Delta delta
        = deltaOf(total(base), total(test), {options.thresholdPercent, MetricDirection::LowerIsBetter});
    if (delta.base && delta.test && collectiveTotal(base, "count") != collectiveTotal(test, "count"))
        delta.status = DeltaStatus::Info;
    return delta;
}

Sheet dashboard(const Sheet& summary, const RunSheets& base, const RunSheets& test,
                const CompareOptions& options)
{
    const ComparedWork work = comparedWork(base, test);
    Sheet sheet{"Summary_Dashboard", {"Metric", base.label, test.label, "Improvement (%)", "Status"}, {}};
    if (work.isTold) // the status refers to this value
        sheet.columns.emplace_back("Change per unit of work (%)");
    // A longer capture does not mean a slower run: without steps, only equal work can be judged.
    const auto improvement = [&](std::optional<double> whole, const Delta& perUnit) {
        if (!work.isOfCaptures)
            return rounded(whole);
        return work.isTold ? rounded(perUnit.improvement) : Value();
    };
    for (const Value::Array& row : summary.rows) {
        const Delta perUnit = work.perUnit(numberOf(row[1]), numberOf(row[2]),
                                           work.rule(options, directionOf(keyText(row[0]))));
        sheet.rows.push_back({"GPU_" + keyText(row[0]), rounded(numberOf(row[1])), rounded(numberOf(row[2])),
                              improvement(numberOf(row[4]), perUnit), row[5]});
        if (work.isTold)
            sheet.rows.back().push_back(rounded(perUnit.change));
    }
    const Delta moving = collectiveDelta(base, test, options);
    if (!moving.base && !moving.test)
        return sheet;
    const Delta perUnit
        = work.perUnit(moving.base, moving.test, work.rule(options, MetricDirection::LowerIsBetter));
    sheet.rows.push_back({"NCCL_total_comm_latency", rounded(moving.base), rounded(moving.test),
                          improvement(moving.improvement, perUnit),
                          deltaStatusName(statusOf(moving, perUnit, work, areComparable(base, test)))});
    if (work.isTold)
        sheet.rows.back().push_back(rounded(perUnit.change));
    return sheet;
}

/// The baseline's rows followed by the test's, with a column `source`.
Sheet combinedSheet(Sheet base, Sheet test, const std::string& baseLabel, const std::string& testLabel)
{
    for (const std::string& column : test.columns) {
        if (!base.column(column))
            base.columns.push_back(column);
    }
    std::vector<std::size_t> places;
    for (const std::string& column : test.columns)
        places.push_back(*base.column(column));
    base.columns.emplace_back("source");
    const std::size_t source = base.columns.size() - 1;
    for (Value::Array& row : base.rows) {
        row.resize(base.columns.size());
        row[source] = baseLabel;
    }
    base.rows.reserve(base.rows.size() + test.rows.size());
    for (Value::Array& own : test.rows) {
        Value::Array row(base.columns.size());
        for (std::size_t i = 0; i < own.size(); ++i)
            row[places[i]] = std::move(own[i]);
        row[source] = testLabel;
        own = {};
        base.rows.push_back(std::move(row));
    }
    return base;
}

/// A sheet of both runs, combined and hidden.
void addRaw(const RunSheets& base, const RunSheets& test, Workbook RunSheets::*book, std::string_view sheet,
            std::string name, Workbook& into)
{
    const Sheet* const own = (base.*book).sheet(sheet);
    const Sheet* const other = (test.*book).sheet(sheet);
    if (!own || !other)
        return;
    Sheet raw = combinedSheet(*own, *other, base.label, test.label);
    raw.name = std::move(name);
    raw.isHidden = true;
    into.sheets.push_back(std::move(raw));
}

} // namespace

Workbook combinedSheets(Workbook base, Workbook test, const std::string& baseLabel,
                        const std::string& testLabel)
{
    Workbook book;
    for (Sheet& own : base.sheets) {
        const auto other = std::find_if(test.sheets.begin(), test.sheets.end(),
                                        [&](const Sheet& sheet) { return sheet.name == own.name; });
        if (other != test.sheets.end())
            book.sheets.push_back(combinedSheet(std::move(own), std::move(*other), baseLabel, testLabel));
    }
    return book;
}

Workbook summariesOf(const Workbook& collective)
{
    Workbook summaries;
    std::copy_if(collective.sheets.begin(), collective.sheets.end(), std::back_inserter(summaries.sheets),
                 [](const Sheet& sheet) { return sheet.name.find("summary") != std::string::npos; });
    summaries.notes = collective.notes;
    return summaries;
}

Sheet compareByRank(const RunSheets& base, const RunSheets& test, const CompareOptions& options)
{
    const auto compare = [&](const std::string& type, const auto& baseTime, const auto& testTime) {
        return deltaOf(baseTime, testTime, {options.thresholdPercent, directionOf(type)});
    };
    return compareTimes("Comparison_By_Rank", base, test, "All_Ranks_Combined", {"rank", "type"}, options,
                        compare);
}

Sheet compareSummary(const RunSheets& base, const RunSheets& test, const CompareOptions& options)
{
    const auto compare = [&](const std::string& type, const auto& baseTime, const auto& testTime) {
        return deltaOfRanks(baseTime, testTime, {options.thresholdPercent, directionOf(type)},
                            samplesOf(base, type), samplesOf(test, type));
    };
    return compareTimes("Summary_Comparison", base, test, "Summary", {"type"}, options, compare);
}

namespace {

/// A sheet with times of both runs per unit of work; empty if the amount of work is unknown.
Sheet perUnitSheet(std::string name, const RunSheets& base, const RunSheets& test, std::string_view source,
                   const std::vector<std::string>& keys, const CompareOptions& options)
{
    Sheet sheet{std::move(name), keys, {}};
    for (const std::string& column :
         {base.label + "_ms_per_unit", test.label + "_ms_per_unit", std::string("diff_ms_per_unit"),
          std::string("change_percent"), std::string("status")})
        sheet.columns.push_back(column);
    const ComparedWork work = comparedWork(base, test);
    if (!work.isTold)
        return sheet;
    const KeyedRows rows({base.gpuTimeline.sheet(source), test.gpuTimeline.sheet(source)}, keys);
    for (std::size_t r = 0; r < rows.size(); ++r) {
        Value::Array row = rows.keysOf(r);
        const DeltaRule rule = work.rule(options, directionOf(keyText(row.back())));
        addDelta(work.perUnit(rows.number(r, 0, "time ms"), rows.number(r, 1, "time ms"), rule), row);
        sheet.rows.push_back(std::move(row));
    }
    return sheet;
}

} // namespace

Sheet compareUnits(const RunSheets& base, const RunSheets& test, const CompareOptions& options)
{
    return perUnitSheet("Unit_Summary_Cmp", base, test, "Summary", {"type"}, options);
}

Sheet compareUnitsByRank(const RunSheets& base, const RunSheets& test, const CompareOptions& options)
{
    return perUnitSheet("Unit_ByRank_Cmp", base, test, "All_Ranks_Combined", {"rank", "type"}, options);
}

Sheet compareCollectives(const RunSheets& base, const RunSheets& test, const CompareOptions& options)
{
    static constexpr Figure figures[] = {{"comm_latency_mean", MetricDirection::LowerIsBetter},
                                         {"algo bw (GB/s)_mean", MetricDirection::HigherIsBetter},
                                         {"bus bw (GB/s)_mean", MetricDirection::HigherIsBetter},
                                         {"Total comm latency (ms)", MetricDirection::LowerIsBetter},
                                         {"count", MetricDirection::Neutral, false}};
    const Sheet* const own = base.collective.sheet("nccl_summary_implicit_sync");
    const Sheet* const other = test.collective.sheet("nccl_summary_implicit_sync");
    return compareSheets("nccl_implicit_sync_cmp", own, other, base, test,
                         sharedColumns({own, other}, collectiveKeys), figures, "count", options);
}

Sheet compareCalls(const RunSheets& base, const RunSheets& test, const CompareOptions& options)
{
    static constexpr Figure figures[] = {{"dur_sum", MetricDirection::LowerIsBetter, true, true},
                                         {"dur_mean", MetricDirection::LowerIsBetter},
                                         {"dur_max", MetricDirection::LowerIsBetter},
                                         {"operation_count", MetricDirection::Neutral, false}};
    const Sheet* const own = base.collective.sheet("nccl_summary_long");
    const Sheet* const other = test.collective.sheet("nccl_summary_long");
    return compareSheets("nccl_long_cmp", own, other, base, test, sharedColumns({own, other}, callKeys),
                         figures, "operation_count", options);
}

void addNotes(const RunSheets& run, Workbook& book)
{
    for (const Workbook* own : {&run.gpuTimeline, &run.collective}) {
        for (const std::string& note : own->notes) {
            const std::string said = run.label + ": " + note;
            // Both reports of a run name their source.
            if (!saysItsLabel(note, run.label)
                && std::find(book.notes.begin(), book.notes.end(), said) == book.notes.end())
                book.notes.push_back(said);
        }
    }
}

Workbook gpuTimelineComparison(const RunSheets& base, const RunSheets& test, const CompareOptions& options)
{
    Workbook book = combinedSheets(base.gpuTimeline, test.gpuTimeline, base.label, test.label);
    book.sheets.push_back(compareByRank(base, test, options));
    book.sheets.push_back(compareSummary(base, test, options));
    return book;
}

Workbook collectiveComparison(const RunSheets& base, const RunSheets& test, const CompareOptions& options)
{
    Workbook book
        = combinedSheets(summariesOf(base.collective), summariesOf(test.collective), base.label, test.label);
    book.sheets.push_back(compareCollectives(base, test, options));
    book.sheets.push_back(compareCalls(base, test, options));
    return book;
}

Workbook finalReport(const RunSheets& base, const RunSheets& test, const CompareOptions& options)
{
    Sheet summary = compareSummary(base, test, options);
    Workbook book;
    book.sheets.push_back(dashboard(summary, base, test, options));
    summary.name = "GPU_Summary_Cmp";
    book.sheets.push_back(std::move(summary));
    for (auto [sheet, name] : {std::pair(compareByRank(base, test, options), "GPU_ByRank_Cmp"),
                               std::pair(compareCollectives(base, test, options), "NCCL_ImplSync_Cmp"),
                               std::pair(compareCalls(base, test, options), "NCCL_Long_Cmp")}) {
        sheet.name = name;
        book.sheets.push_back(std::move(sheet));
    }
    std::vector<Sheet> own{compareUnits(base, test, options),         compareUnitsByRank(base, test, options),
                           waterfallSheet(base, test, options),       compareSteps(base, test, options),
                           compareKernelClasses(base, test, options), compareKernels(base, test, options),
                           compareOperators(base, test, options)};
    if (!hasStepParts(base) || !hasStepParts(test)) // GPU_ByRank_Cmp would be empty
        own.push_back(compareStepsByRank(base, test, options));
    for (Sheet& sheet : own) {
        if (!sheet.isEmpty())
            book.sheets.push_back(std::move(sheet));
    }
    using Names = std::pair<const char*, const char*>;
    for (const auto& [sheet, name] :
         {Names("Summary", "GPU_Summary_Raw"), Names("All_Ranks_Combined", "GPU_AllRanks_Raw"),
          Names("Per_Rank_Time_ms", "GPU_Time_Raw"), Names("Per_Rank_Percent", "GPU_Pct_Raw")})
        addRaw(base, test, &RunSheets::gpuTimeline, sheet, name, book);
    for (const auto& [sheet, name] : {Names("nccl_summary_implicit_sync", "NCCL_ImplSync_Raw"),
                                      Names("nccl_summary_long", "NCCL_Long_Raw"),
                                      Names("nccl_summary_all2allv", "NCCL_nccl_summary_all2allv_Raw"),
                                      Names("straggler_summary", "NCCL_straggler_summary_Raw")})
        addRaw(base, test, &RunSheets::collective, sheet, name, book);
    if (const ComparedWork work = comparedWork(base, test); work.isOfCaptures)
        book.notes.insert(book.notes.end(), {workSentence(work, options), workBasis(work)});
    if (auto note = stepsNote(base, test))
        book.notes.push_back(std::move(*note));
    addNotes(base, book);
    addNotes(test, book);
    return book;
}

} // namespace collscope
