// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/comparison/comparison.h"

#include "metrics/comparison/step_comparison.h"
#include "metrics/comparison/steps_or_captures.h"
#include "metrics/core/sweep.h"
#include "metrics/reports/reused_reports.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace collscope {

namespace {

/// A run that does the same with less of these is better. Busy time and total communication and copies have
/// no verdict: with equal work, time only moves between columns.
MetricDirection directionOfTime(std::string_view type)
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
    const RankTable& table = run.values.rankTimes;
    for (const RankTable::Type& own : table.types) {
        for (std::size_t i = 0; own.type == type && i < table.ranks.size(); ++i) {
            if (own.figures[i])
                samples[std::to_string(table.ranks[i])] = *own.figures[i];
        }
    }
    return samples;
}

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

/// The slices that a time of that type covers.
ComparedSubject subjectOf(const ComparedTime& time)
{
    static const std::map<std::string, unsigned> kinds{
        {"computation_time", ActiveCompute},      {"exposed_comm_time", ActiveCommunication},
        {"total_comm_time", ActiveCommunication}, {"exposed_memcpy_time", ActiveCopy},
        {"total_memcpy_time", ActiveCopy},
    };
    ComparedSubject subject{time.rank};
    if (time.type == "idle_time")
        subject.part = StepPart::Idle;
    const auto kind = kinds.find(time.type);
    subject.kinds = kind == kinds.end() ? 0 : kind->second;
    return subject;
}

using TimeTable = ComparedTable<ComparedTime>;

void addTimeKeys(bool byRank, TimeTable& table)
{
    if (byRank)
        table.add(ColumnRole::Rank, "rank", [](const ComparedTime& row) { return orNull(row.rank); });
    table.add(ColumnRole::Word, "type", [](const ComparedTime& row) { return textCell(row.type); });
}

ComparedSheet timesSheet(ComparisonKind kind, std::string name, const RunSheets& base, const RunSheets& test,
                         const CompareOptions& options)
{
    using Row = ComparedTime;
    const bool byRank = kind == ComparisonKind::RankGpuTimes;
    TimeTable table(base, test);
    addTimeKeys(byRank, table);
    table.addDifference({ColumnRole::Figure, "time_ms"},
                        [](const Row& row) -> const Delta& { return row.delta; });
    table.add(ColumnRole::Improvement, {}, [](const Row& row) { return numberCell(row.delta.improvement); });
    table.add(ColumnRole::Status, "status",
              [](const Row& row) { return Value(deltaStatusName(row.status)); });
    table.add(ColumnRole::Ratio, {}, [](const Row& row) { return numberCell(row.delta.ratio); });
    table.addBoth(
        "percent", [](const Row& row) { return numberCell(row.basePercent); },
        [](const Row& row) { return numberCell(row.testPercent); });
    table.add(ColumnRole::Difference, "percent",
              [](const Row& row) { return numberCell(minus(row.testPercent, row.basePercent)); });
    return table.sheet(kind, std::move(name), comparedTimes(base, test, options, byRank), subjectOf);
}

/// Times per unit of work; empty if the amount of work is unknown.
ComparedSheet unitsSheet(ComparisonKind kind, std::string name, const RunSheets& base, const RunSheets& test,
                         const CompareOptions& options)
{
    const bool byRank = kind == ComparisonKind::RankUnitTimes;
    TimeTable table(base, test);
    addTimeKeys(byRank, table);
    table.addDelta("ms_per_unit", TimeUnit::MsPerUnit,
                   [](const ComparedTime& row) -> const Delta& { return row.perUnit; });
    return table.sheet(kind, std::move(name),
                       comparedWork(base, test).isTold ? comparedTimes(base, test, options, byRank)
                                                       : std::vector<ComparedTime>(),
                       subjectOf);
}

Value rounded(const std::optional<double>& value)
{
    constexpr double hundredths = 100;
    return value ? Value(std::round(*value * hundredths) / hundredths) : Value();
}

/// The sum of a figure over the kinds of collectives; nullopt if the run does not have it.
std::optional<double> collectiveTotal(const RunSheets& run, std::optional<double> CollectiveKindRow::*figure)
{
    std::optional<double> sum;
    for (const CollectiveKindRow& row :
         run.values.collectives ? run.values.collectives->rows : std::vector<CollectiveKindRow>()) {
        if (row.*figure)
            sum = sum.value_or(0) + *(row.*figure);
    }
    return sum;
}

/// The time that the collectives of all kinds took to move their data. No verdict if the numbers of
/// collectives differ.
Delta collectiveDelta(const RunSheets& base, const RunSheets& test, const CompareOptions& options)
{
    const auto total = [](const RunSheets& run) { return collectiveTotal(run, &CollectiveKindRow::totalMs); };
    const auto count = [](const RunSheets& run) { return collectiveTotal(run, &CollectiveKindRow::count); };
    Delta delta
        = deltaOf(total(base), total(test), {options.thresholdPercent, MetricDirection::LowerIsBetter});
    if (delta.base && delta.test && count(base) != count(test))
        delta.status = DeltaStatus::Info;
    return delta;
}

ComparedSheet dashboard(const RunSheets& base, const RunSheets& test, const CompareOptions& options)
{
    struct Row
    {
        std::string metric;
        Delta whole, perUnit;
        DeltaStatus status;
    };
    std::vector<Row> rows;
    for (const ComparedTime& time : comparedTimes(base, test, options, false))
        rows.push_back({"GPU_" + time.type, time.delta, time.perUnit, time.status});
    const ComparedWork work = comparedWork(base, test);
    if (const Delta moving = collectiveDelta(base, test, options); moving.base || moving.test) {
        const Delta perUnit
            = work.perUnit(moving.base, moving.test, work.rule(options, MetricDirection::LowerIsBetter));
        rows.push_back({"NCCL_total_comm_latency", moving, perUnit,
                        statusOf(moving, perUnit, work, areComparable(base, test))});
    }
    ComparedTable<Row> table(base, test);
    table.add(ColumnRole::Word, "Metric", [](const Row& row) { return Value(row.metric); });
    table.add(ColumnRole::Figure, base.label, [](const Row& row) { return rounded(row.whole.base); });
    table.add(ColumnRole::Figure, test.label, [](const Row& row) { return rounded(row.whole.test); });
    // A longer capture does not mean a slower run: without steps, only equal work can be judged.
    table.add(ColumnRole::Figure, "Improvement (%)", [&](const Row& row) {
        if (!work.isOfCaptures)
            return rounded(row.whole.improvement);
        return work.isTold ? rounded(row.perUnit.improvement) : Value();
    });
    table.add(ColumnRole::Status, "Status",
              [](const Row& row) { return Value(deltaStatusName(row.status)); });
    if (work.isTold) // the status refers to this value
        table.add(ColumnRole::Figure, "Change per unit of work (%)",
                  [](const Row& row) { return rounded(row.perUnit.change); });
    return table.sheet(ComparisonKind::Dashboard, "Summary_Dashboard", rows,
                       [](const Row&) { return ComparedSubject(); });
}

/// A sheet of both runs, combined and hidden.
void addRaw(const RunSheets& base, const RunSheets& test, Workbook RunSheets::*book, SheetKind kind,
            std::string name, std::vector<Sheet>& into)
{
    const Sheet* const own = (base.*book).sheet(kind);
    const Sheet* const other = (test.*book).sheet(kind);
    if (!own || !other)
        return;
    Sheet raw = combinedSheet(*own, *other, base.label, test.label);
    raw.name = std::move(name);
    raw.isHidden = true;
    into.push_back(std::move(raw));
}

} // namespace

std::vector<ComparedTime> comparedTimes(const RunSheets& base, const RunSheets& test,
                                        const CompareOptions& options, bool byRank)
{
    const ComparedWork work = comparedWork(base, test);
    const bool areAlike = areComparable(base, test);
    const auto rowsOf
        = [byRank](const RunSheets& run) { return byRank ? &run.values.ranks : &run.values.means; };
    std::vector<ComparedTime> times;
    for (const auto& rows : joinedRows<GpuTimeRow>({rowsOf(base), rowsOf(test)}, [](const GpuTimeRow& row) {
             return std::pair(row.rank, row.type);
         })) {
        const auto figureOf
            = [](const GpuTimeRow* row, auto member) { return row ? row->*member : std::optional<double>(); };
        const auto baseMs = figureOf(rows[0], &GpuTimeRow::ms), testMs = figureOf(rows[1], &GpuTimeRow::ms);
        ComparedTime time{anyOf(rows).rank, anyOf(rows).type};
        const MetricDirection direction = directionOfTime(time.type);
        const DeltaRule rule{options.thresholdPercent, direction};
        time.delta = byRank
            ? deltaOf(baseMs, testMs, rule)
            : deltaOfRanks(baseMs, testMs, rule, samplesOf(base, time.type), samplesOf(test, time.type));
        time.perUnit = work.perUnit(baseMs, testMs, work.rule(options, direction));
        time.status = statusOf(time.delta, time.perUnit, work, areAlike);
        time.basePercent = figureOf(rows[0], &GpuTimeRow::percent);
        time.testPercent = figureOf(rows[1], &GpuTimeRow::percent);
        times.push_back(std::move(time));
    }
    return times;
}

ComparedSheet compareByRank(const RunSheets& base, const RunSheets& test, const CompareOptions& options)
{
    return timesSheet(ComparisonKind::RankGpuTimes, "Comparison_By_Rank", base, test, options);
}

ComparedSheet compareSummary(const RunSheets& base, const RunSheets& test, const CompareOptions& options)
{
    return timesSheet(ComparisonKind::GpuTimes, "Summary_Comparison", base, test, options);
}

ComparedSheet compareUnits(const RunSheets& base, const RunSheets& test, const CompareOptions& options)
{
    return unitsSheet(ComparisonKind::UnitTimes, "Unit_Summary_Cmp", base, test, options);
}

ComparedSheet compareUnitsByRank(const RunSheets& base, const RunSheets& test, const CompareOptions& options)
{
    return unitsSheet(ComparisonKind::RankUnitTimes, "Unit_ByRank_Cmp", base, test, options);
}

void addNotes(const RunSheets& run, std::vector<std::string>& notes)
{
    for (const Workbook* own : {&run.gpuTimeline, &run.collective}) {
        for (const std::string& note : own->notes) {
            const std::string said = run.label + ": " + note;
            // Both reports of a run name their source.
            if (!saysItsLabel(note, run.label) && std::find(notes.begin(), notes.end(), said) == notes.end())
                notes.push_back(said);
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

const ComparedSheet* ComparisonReport::sheet(ComparisonKind kind) const
{
    const auto found = std::find_if(sheets.begin(), sheets.end(),
                                    [kind](const ComparedSheet& own) { return own.comparison == kind; });
    return found == sheets.end() ? nullptr : &*found;
}

Workbook ComparisonReport::workbook(bool withRaw) const
{
    Workbook book{{sheets.begin(), sheets.end()}, notes};
    if (withRaw)
        book.sheets.insert(book.sheets.end(), raw.begin(), raw.end());
    return book;
}

ComparisonReport finalReport(const RunSheets& base, const RunSheets& test, const CompareOptions& options)
{
    ComparisonReport report;
    report.sheets.push_back(dashboard(base, test, options));
    for (auto [sheet, name] : {std::pair(compareSummary(base, test, options), "GPU_Summary_Cmp"),
                               std::pair(compareByRank(base, test, options), "GPU_ByRank_Cmp"),
                               std::pair(compareCollectives(base, test, options), "NCCL_ImplSync_Cmp"),
                               std::pair(compareCalls(base, test, options), "NCCL_Long_Cmp")}) {
        sheet.name = name;
        report.sheets.push_back(std::move(sheet));
    }
    std::vector<ComparedSheet> own{
        compareUnits(base, test, options),         compareUnitsByRank(base, test, options),
        waterfallSheet(base, test, options),       compareSteps(base, test, options),
        compareKernelClasses(base, test, options), compareKernels(base, test, options),
        compareOperators(base, test, options)};
    if (!base.values.hasStepParts || !test.values.hasStepParts) // GPU_ByRank_Cmp would be empty
        own.push_back(compareStepsByRank(base, test, options));
    for (ComparedSheet& sheet : own) {
        if (!sheet.isEmpty())
            report.sheets.push_back(std::move(sheet));
    }
    using Names = std::pair<SheetKind, const char*>;
    for (const auto& [kind, name] :
         {Names(SheetKind::GpuTimes, "GPU_Summary_Raw"), Names(SheetKind::RankGpuTimes, "GPU_AllRanks_Raw"),
          Names(SheetKind::RankTimes, "GPU_Time_Raw"), Names(SheetKind::RankPercents, "GPU_Pct_Raw")})
        addRaw(base, test, &RunSheets::gpuTimeline, kind, name, report.raw);
    for (const auto& [kind, name] :
         {Names(SheetKind::Collectives, "NCCL_ImplSync_Raw"), Names(SheetKind::Calls, "NCCL_Long_Raw"),
          Names(SheetKind::UnevenCollectives, "NCCL_nccl_summary_all2allv_Raw"),
          Names(SheetKind::Stragglers, "NCCL_straggler_summary_Raw")})
        addRaw(base, test, &RunSheets::collective, kind, name, report.raw);
    if (const ComparedWork work = comparedWork(base, test); work.isOfCaptures)
        report.notes.insert(report.notes.end(), {workSentence(work, options), workBasis(work)});
    if (auto note = stepsNote(base, test))
        report.notes.push_back(std::move(*note));
    addNotes(base, report.notes);
    addNotes(test, report.notes);
    return report;
}

} // namespace collscope
