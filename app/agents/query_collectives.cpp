// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Collectives of a run as rows: the cells of the table `collectives` of --batch export.

#include "app/agents/agent_query.h"
#include "metrics/export/tables/export_tables.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>

namespace collscope {

namespace {

/// Columns of the table, in the order of the rows.
struct Shown
{
    enum Column : std::uint8_t
    {
        Id,
        GroupId,
        Operation,
        Class,
        Bytes,
        Members,
        Expected,
        StepNumber,
        FirstBegin,
        LastEnd,
        Skew,
        Waited,
        Awaited,
        Transfer,
        BusFactor,
        Confidence
    };
};
constexpr std::array<std::string_view, 16> shownColumns{
    "collective_id",    "group_id",    "operation",      "class",           "bytes",   "members",
    "expected_members", "step",        "first_begin_ns", "last_end_ns",     "skew_ns", "waited_ns",
    "awaited_rank",     "transfer_ns", "bus_factor",     "match_confidence"};

using ShownCells = std::array<TableCell, shownColumns.size()>;

enum class CollectiveOrder : std::uint8_t
{
    Waited,
    Skew,
    Transfer,
    Bytes,
    Time
};

class CollectivesQuery : public AgentQuery
{
    std::string m_operation, m_group;
    std::optional<std::int64_t> m_step, m_awaited;
    CollectiveOrder m_order = CollectiveOrder::Waited;
    RowChoice m_rows;

    void declareQuery() override;
    Result<std::string> answer(Analysis& analysis) const override;
    bool isWanted(const ShownCells& cells, std::string_view group) const;
    std::int64_t keyOf(const ShownCells& cells) const;
};

void CollectivesQuery::declareQuery()
{
    constexpr double mostNumber = 9e18;
    options.choice("--order", m_order,
                   {{"waited", CollectiveOrder::Waited},
                    {"skew", CollectiveOrder::Skew},
                    {"transfer", CollectiveOrder::Transfer},
                    {"bytes", CollectiveOrder::Bytes},
                    {"time", CollectiveOrder::Time}},
                   "The largest of these first (default: waited); or the earliest");
    options.text("--operation", m_operation, "NAME", "Only this operation or class, e.g. AllReduce");
    options.text("--group", m_group, "NAME", "Only collectives of the process group of this name");
    options.number("--step", m_step, 0, mostNumber, "Only those that begin in the step of this number");
    options.number("--awaited-rank", m_awaited, 0, mostNumber,
                   "Only those in which others waited for this rank");
    m_rows.declare(options);
}

const ExportTable& collectivesTable()
{
    const std::vector<ExportTable>& tables = exportTables();
    const auto found = std::find_if(tables.begin(), tables.end(),
                                    [](const ExportTable& table) { return table.name == "collectives"; });
    assert(found != tables.end());
    return *found;
}

/// Where the table has the columns.
std::array<std::size_t, shownColumns.size()> placesIn(const ExportTable& table)
{
    std::array<std::size_t, shownColumns.size()> places{};
    for (std::size_t i = 0; i < shownColumns.size(); ++i) {
        const auto found
            = std::find_if(table.columns.begin(), table.columns.end(),
                           [&](const ExportColumn& column) { return column.name == shownColumns[i]; });
        assert(found != table.columns.end());
        places[i] = static_cast<std::size_t>(found - table.columns.begin());
    }
    return places;
}

std::optional<std::int64_t> wholeNumber(const TableCell& cell)
{
    const auto* number = std::get_if<std::int64_t>(&cell);
    return number ? std::optional(*number) : std::nullopt;
}

std::string_view textOf(const TableCell& cell)
{
    const auto* text = std::get_if<std::string_view>(&cell);
    return text ? *text : std::string_view();
}

Value valueOf(const TableCell& cell)
{
    if (const auto number = wholeNumber(cell))
        return *number;
    if (const auto* real = std::get_if<double>(&cell))
        return *real;
    return shortCell(textOf(cell));
}

bool CollectivesQuery::isWanted(const ShownCells& cells, std::string_view group) const
{
    return (m_operation.empty() || textOf(cells[Shown::Operation]) == m_operation
            || textOf(cells[Shown::Class]) == m_operation)
        && (m_group.empty() || group == m_group)
        && (!m_step || wholeNumber(cells[Shown::StepNumber]) == m_step)
        && (!m_awaited || wholeNumber(cells[Shown::Awaited]) == m_awaited);
}

/// Unknown is the least.
std::int64_t CollectivesQuery::keyOf(const ShownCells& cells) const
{
    constexpr std::array columns{Shown::Waited, Shown::Skew, Shown::Transfer, Shown::Bytes};
    if (m_order == CollectiveOrder::Time)
        return -wholeNumber(cells[Shown::FirstBegin]).value_or(0);
    const auto number = wholeNumber(cells[columns.at(static_cast<std::size_t>(m_order))]);
    return number.value_or(std::numeric_limits<std::int64_t>::min());
}

Result<std::string> CollectivesQuery::answer(Analysis& analysis) const
{
    const TraceModel& model = analysis.model();
    MetricOptions allSteps = analysis.options();
    allSteps.steps = {StepChoice::Mode::All, 0, 0};
    allSteps.collectives = analysis.sharedRun();
    auto every = std::make_unique<Analysis>(model, std::move(allSteps));
    const StepWindows windows(*every, analysis);
    TableSource source{analysis, std::move(every), windows, {}, {}, false};
    const ExportTable& table = collectivesTable();
    const auto places = placesIn(table);
    TopRows rows(m_rows.most);
    const std::string missing = table.write(source, [&](std::span<const TableCell> row) {
        ShownCells cells;
        std::transform(places.begin(), places.end(), cells.begin(), [&](std::size_t at) { return row[at]; });
        const auto group = static_cast<std::size_t>(wholeNumber(cells[Shown::GroupId]).value_or(0));
        const std::string_view name = source.run().matching.groups[group].name;
        if (!isWanted(cells, name))
            return true;
        rows.add(keyOf(cells), [&] {
            Value::Object object;
            for (std::size_t i = 0; i < cells.size(); ++i)
                object.emplace_back(std::string(shownColumns[i]), valueOf(cells[i]));
            object.emplace_back("group", shortCell(name));
            object.emplace_back("location",
                                locationOn(model,
                                           {wholeNumber(cells[Shown::FirstBegin]).value_or(0),
                                            wholeNumber(cells[Shown::LastEnd]).value_or(0)}));
            return Value(std::move(object));
        });
        return true;
    });
    Value::Object meanings;
    for (std::size_t i = 0; i < shownColumns.size(); ++i)
        meanings.emplace_back(std::string(shownColumns[i]), table.columns[places[i]].meaning);
    return rows.text({{"schema", "collscope.mcp.collectives/1"},
                      {"missing", missing.empty() ? Value() : Value(missing)},
                      {"clocks", source.run().clocks.summary(analysis.options().clocks)},
                      {"meanings", std::move(meanings)}});
}

} // namespace

std::unique_ptr<ProgramCommand> collectivesQuery()
{
    return std::make_unique<CollectivesQuery>();
}

} // namespace collscope
