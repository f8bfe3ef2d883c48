// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/comparison/earlier_reports.h"

#include "metrics/reports/reused_reports.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace collscope {

namespace {

constexpr std::pair<std::string_view, SheetKind> sheetKinds[]
    = {{"Summary", SheetKind::GpuTimes},
       {"All_Ranks_Combined", SheetKind::RankGpuTimes},
       {"Per_Rank_Time_ms", SheetKind::RankTimes},
       {"Per_Rank_Percent", SheetKind::RankPercents},
       {"nccl_summary_implicit_sync", SheetKind::Collectives},
       {"nccl_summary_long", SheetKind::Calls},
       {"nccl_summary_all2allv", SheetKind::UnevenCollectives},
       {"straggler_summary", SheetKind::Stragglers}};

void recognizeSheets(Workbook& book)
{
    for (Sheet& sheet : book.sheets) {
        const auto known = std::find_if(std::begin(sheetKinds), std::end(sheetKinds),
                                        [&](const auto& own) { return own.first == sheet.name; });
        if (known != std::end(sheetKinds))
            sheet.kind = known->second;
        else if (sheet.name.find("summary") != std::string::npos)
            sheet.kind = SheetKind::OtherSummary;
    }
}

/// Rows of a sheet whose cells are found by the titles of their columns.
class SheetReader
{
public:
    /// nullptr: no rows.
    explicit SheetReader(const Sheet* sheet)
        : m_sheet(sheet)
    { }

    std::size_t size() const { return m_sheet ? m_sheet->rows.size() : 0; }
    bool has(std::string_view title) const { return m_sheet && m_sheet->column(title); }
    /// Null without such a column.
    Value cell(std::size_t row, std::string_view title) const
    {
        const auto column = m_sheet->column(title);
        return column ? m_sheet->rows[row][*column] : Value();
    }
    std::optional<double> number(std::size_t row, std::string_view title) const
    {
        return numberOf(cell(row, title));
    }
    std::optional<std::int64_t> count(std::size_t row, std::string_view title) const
    {
        return wholeNumberIn(cell(row, title));
    }
    std::string text(std::size_t row, std::string_view title) const { return keyText(cell(row, title)); }

private:
    const Sheet* m_sheet;
};

std::optional<std::int32_t> rankIn(const std::optional<std::int64_t>& number)
{
    constexpr std::int64_t most = 1'000'000'000;
    return number && std::abs(*number) <= most ? std::optional(static_cast<std::int32_t>(*number))
                                               : std::nullopt;
}

std::vector<GpuTimeRow> gpuTimesIn(const SheetReader& sheet)
{
    std::vector<GpuTimeRow> times;
    for (std::size_t row = 0; row < sheet.size(); ++row) {
        GpuTimeRow& time = times.emplace_back();
        time.rank = rankIn(sheet.count(row, "rank"));
        time.type = sheet.text(row, "type");
        time.ms = sheet.number(row, "time ms");
        time.percent = sheet.number(row, "percent");
        time.ranks = sheet.count(row, "num_ranks");
    }
    return times;
}

/// The first column is the type; the titles of the others are ranks.
RankTable rankTableIn(const Sheet* sheet)
{
    RankTable table;
    std::vector<std::size_t> columns;
    for (std::size_t c = 1; sheet && c < sheet->columns.size(); ++c) {
        if (const auto rank = rankIn(wholeNumberIn(sheet->columns[c]))) {
            table.ranks.push_back(*rank);
            columns.push_back(c);
        }
    }
    for (std::size_t row = 0; sheet && !sheet->columns.empty() && row < sheet->rows.size(); ++row) {
        RankTable::Type& type = table.types.emplace_back();
        type.type = keyText(sheet->rows[row].front());
        for (const std::size_t column : columns)
            type.figures.push_back(numberOf(sheet->rows[row][column]));
    }
    return table;
}

/// Other programs may have written any numbers of ranks and steps.
constexpr double mostSteps = 1e9;

/// The steps in Step_Parts, whose older versions lack some of the parts, or in Step_Times, with a range but
/// without parts. `isOfParts`: which of them. nullopt if numbers or times are too large.
std::optional<std::vector<RankStepParts>> stepsIn(const Sheet* found, bool isOfParts)
{
    constexpr double nsPerMs = 1e6;
    std::vector<RankStepParts> steps;
    const SheetReader sheet(found);
    std::array<std::string, stepPartCount> titles;
    for (std::size_t i = 0; i < stepPartCount; ++i)
        titles[i] = std::string(stepPartName(static_cast<StepPart>(i))) + " ms";
    const bool hasParts = std::any_of(titles.begin(), titles.end(),
                                      [&](const std::string& title) { return sheet.has(title); });
    if (!hasParts && isOfParts)
        return steps;
    double allMs = 0;
    for (std::size_t row = 0; row < sheet.size(); ++row) {
        const double rank = sheet.number(row, "rank").value_or(-1);
        const double number = sheet.number(row, "step").value_or(-1);
        if (std::abs(rank) > mostSteps || std::abs(number) > mostSteps)
            return std::nullopt;
        RankStepParts step;
        step.rank = static_cast<std::int32_t>(rank);
        step.step = static_cast<std::int64_t>(number);
        for (std::size_t i = 0; i < stepPartCount; ++i) {
            const double ms = sheet.number(row, titles[i]).value_or(0);
            allMs += std::abs(ms);
            if (!(allMs <= mostStepsMs))
                return std::nullopt;
            step.parts[i] = std::llround(ms * nsPerMs);
            step.range.endNs += step.parts[i];
        }
        if (!hasParts) {
            const double ms = sheet.number(row, "step ms").value_or(0);
            allMs += std::abs(ms);
            if (!(allMs <= mostStepsMs))
                return std::nullopt;
            step.range.endNs = std::llround(ms * nsPerMs);
        }
        step.isWholeTrace = sheet.text(row, "window") == wholeTraceWindow;
        steps.push_back(step);
    }
    return steps;
}

std::vector<KernelRow> kernelsIn(const SheetReader& sheet)
{
    std::vector<KernelRow> kernels;
    const std::string per = sheet.has("calls per step") ? " per step" : " per capture";
    if (!sheet.has("calls" + per) || !sheet.has("ms" + per))
        return kernels;
    for (std::size_t row = 0; row < sheet.size(); ++row)
        kernels.push_back({sheet.text(row, "class"), sheet.text(row, "name"),
                           sheet.number(row, "calls" + per).value_or(0),
                           sheet.number(row, "ms" + per).value_or(0)});
    return kernels;
}

std::optional<std::vector<OperatorRow>> operatorsIn(const SheetReader& sheet)
{
    if (!sheet.has("name"))
        return std::nullopt;
    std::vector<OperatorRow> operators;
    for (std::size_t row = 0; row < sheet.size(); ++row)
        operators.push_back({sheet.text(row, "name"), sheet.number(row, "calls per step"),
                             sheet.number(row, "self ms per step")});
    return operators;
}

CollectiveKinds kindsIn(const SheetReader& sheet)
{
    CollectiveKinds kinds;
    for (std::size_t row = 0; row < sheet.size(); ++row)
        kinds[sheet.text(row, "kind")]
            = {sheet.number(row, "calls").value_or(0), sheet.number(row, "steps").value_or(0)};
    return kinds;
}

DescribedWork describedIn(const SheetReader& sheet)
{
    DescribedWork work;
    if (sheet.size() == 0)
        return work;
    const auto amount = [&](const char* title) {
        const auto count = sheet.count(0, title);
        return count && *count >= 0 ? count : std::nullopt;
    };
    work.model = sheet.text(0, "model");
    work.batch = amount("batch");
    work.seqLen = amount("sequence length");
    work.doesAllTokens = sheet.text(0, "all tokens") != "no";
    return work;
}

/// `figures`: titles and members.
template<typename Row>
std::optional<KindTable<Row>>
callsIn(const Sheet* found, std::span<const CallKey> keys,
        std::initializer_list<std::pair<const char*, std::optional<double> Row::*>> figures)
{
    if (!found)
        return std::nullopt;
    const SheetReader sheet(found);
    KindTable<Row> table;
    for (const CallKey& key : keys)
        table.known[key.at] = sheet.has(key.title);
    for (std::size_t r = 0; r < sheet.size(); ++r) {
        Row& row = table.rows.emplace_back();
        for (const CallKey& key : keys)
            key.read(sheet.cell(r, key.title), row.kind);
        for (const auto& [title, member] : figures)
            row.*member = sheet.number(r, title);
    }
    return table;
}

constexpr double gibibyteInGb = 1.073741824; ///< 2^30 bytes in units of 10^9 bytes
constexpr std::string_view unitNote = "Bandwidths are in ";
constexpr std::string_view gibNote = "Bandwidths are in GiB/s";

bool isBandwidth(std::string_view column)
{
    return column.find("bw (GB/s)") != std::string_view::npos
        || column.find("throughput (GB/s)") != std::string_view::npos;
}

void multiply(Sheet& sheet, std::size_t column, double factor)
{
    for (Value::Array& row : sheet.rows) {
        if (const auto number = numberOf(row[column]))
            row[column] = *number * factor;
    }
}

} // namespace

RunSheets readReports(std::string label, Workbook gpuTimeline, Workbook collective)
{
    RunValues values;
    const auto sheetOfTimes = [&](const char* name) { return gpuTimeline.sheet(name); };
    recognizeSheets(gpuTimeline);
    recognizeSheets(collective);
    values.means = gpuTimesIn(SheetReader(gpuTimeline.sheet(SheetKind::GpuTimes)));
    values.ranks = gpuTimesIn(SheetReader(gpuTimeline.sheet(SheetKind::RankGpuTimes)));
    values.rankTimes = rankTableIn(gpuTimeline.sheet(SheetKind::RankTimes));
    values.hasStepParts = sheetOfTimes("Step_Parts") != nullptr;
    auto steps
        = stepsIn(sheetOfTimes(values.hasStepParts ? "Step_Parts" : "Step_Times"), values.hasStepParts);
    values.areStepsTooLarge = !steps;
    values.steps = std::move(steps).value_or(std::vector<RankStepParts>());
    values.kernels = kernelsIn(SheetReader(sheetOfTimes("Kernels")));
    values.operators = operatorsIn(SheetReader(sheetOfTimes("Operators")));
    values.collectiveKinds = kindsIn(SheetReader(sheetOfTimes("Collective_Kinds")));
    values.described = describedIn(SheetReader(sheetOfTimes("Described_Work")));
    values.collectives
        = callsIn<CollectiveKindRow>(collective.sheet(SheetKind::Collectives), collectiveKeys(),
                                     {{"comm_latency_mean", &CollectiveKindRow::latencyUs},
                                      {"algo bw (GB/s)_mean", &CollectiveKindRow::algorithmBandwidth},
                                      {"bus bw (GB/s)_mean", &CollectiveKindRow::busBandwidth},
                                      {"Total comm latency (ms)", &CollectiveKindRow::totalMs},
                                      {"count", &CollectiveKindRow::count}});
    values.calls = callsIn<CallKindRow>(collective.sheet(SheetKind::Calls), callKeys(),
                                        {{"dur_sum", &CallKindRow::sumUs},
                                         {"dur_mean", &CallKindRow::meanUs},
                                         {"dur_max", &CallKindRow::maxUs},
                                         {"operation_count", &CallKindRow::count}});
    return {std::move(label), std::move(gpuTimeline), std::move(collective), std::move(values)};
}

void bringBandwidthsTo(bool wantsGib, Workbook& collective)
{
    std::vector<std::string>& notes = collective.notes;
    const auto known = std::find_if(notes.begin(), notes.end(),
                                    [](const std::string& note) { return note.starts_with(unitNote); });
    const bool isGib = known == notes.end() || known->starts_with(gibNote);
    bool hasAny = false;
    for (Sheet& sheet : collective.sheets) {
        for (std::size_t c = 0; c < sheet.columns.size(); ++c) {
            if (!isBandwidth(sheet.columns[c]))
                continue;
            hasAny = true;
            if (isGib != wantsGib)
                multiply(sheet, c, isGib ? gibibyteInGb : 1 / gibibyteInGb);
        }
    }
    if (!hasAny || (known != notes.end() && isGib == wantsGib))
        return;
    std::string note = bandwidthNote(wantsGib);
    if (isGib && !wantsGib)
        note += " The bandwidths of this run were read in GiB/s and multiplied by 1.073741824.";
    else if (!isGib)
        note += " The bandwidths of this run were read in decimal GB/s and divided by 1.073741824.";
    if (known == notes.end())
        notes.push_back(std::move(note));
    else
        *known = std::move(note);
}

} // namespace collscope
