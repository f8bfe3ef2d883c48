// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/csv_rows.h"
#include "metrics/export/detail_rows.h"

#include <algorithm>
#include <map>

namespace collscope {

namespace {

template<typename T>
std::string optionalCell(const std::optional<T>& value)
{
    return value ? std::to_string(*value) : std::string();
}

using CsvCells = std::vector<std::string>;

void append(std::string& csv, const CsvCells& cells, const CsvCells& more = {})
{
    bool first = true;
    for (const auto* list : {&cells, &more}) {
        for (const std::string& text : *list) {
            csv.append(first ? "" : ",").append(text);
            first = false;
        }
    }
    csv.push_back('\n');
}

/// Calls f(cells) for the rows of one result: the scalar, its values per rank and step, then the contents of
/// its details.
template<typename F>
void forEachRow(const NamedResult& named, const F& f)
{
    const MetricResult& result = named.result;
    const std::string name = csvCell(named.request.name);
    const std::string unit = csvCell(result.unit);
    const std::string status(metricStateName(result.state));
    f(CsvCells{name, csvCell(result.scope), "", "", result.value ? numberText(*result.value) : std::string(),
               unit, status, csvCell(result.reason)});
    for (const MetricRow& row : result.rows) {
        const std::string scope = row.rank && row.step ? "rank and step" : row.rank ? "rank" : "step";
        f(CsvCells{name, scope, optionalCell(row.rank), optionalCell(row.step), numberText(row.value), unit,
                   status, ""});
    }
    for (const DetailRow& row : detailRows(result))
        f(CsvCells{name, csvCell(row.scope), optionalCell(row.rank), optionalCell(row.step), row.value,
                   csvCell(row.unit), status, ""});
}

const CsvCells resultColumns{"metric", "scope", "rank", "step", "value", "unit", "status", "reason"};
constexpr const char* iterationColumn = "iteration";

std::string fieldCell(const Value& value)
{
    if (const auto* text = value.as<std::string>())
        return csvCell(*text);
    if (const auto* flag = value.as<bool>())
        return *flag ? "true" : "false";
    return numberTextOf(value);
}

} // namespace

std::string csvCell(std::string_view text)
{
    std::string content(text);
    if (beginsFormula(content))
        content.insert(content.begin(), '\'');
    // The semicolon separates cells in locales with a decimal comma.
    if (content.find_first_of(",;\"\r\n") == std::string::npos)
        return content;
    std::string quoted = "\"";
    for (const char c : content) {
        if (c == '"')
            quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

std::string resultsCsvHeader()
{
    std::string csv;
    append(csv, resultColumns);
    return csv;
}

void writeCsvRows(const NamedResult& named, const std::function<bool(std::string_view piece)>& take)
{
    constexpr std::size_t pieceBytes = std::size_t{1} << 16;
    std::string piece;
    bool isTaken = true;
    forEachRow(named, [&](const CsvCells& row) {
        if (!isTaken)
            return;
        append(piece, row);
        if (piece.size() < pieceBytes)
            return;
        isTaken = take(piece);
        piece.clear();
    });
    if (isTaken)
        take(piece);
}

std::string resultsCsv(const std::vector<NamedResult>& results)
{
    std::string csv = resultsCsvHeader();
    for (const NamedResult& named : results)
        forEachRow(named, [&](const CsvCells& row) { append(csv, row); });
    return csv;
}

std::string iterationRowsCsv(const std::vector<RunResults>& iterations)
{
    std::string csv;
    append(csv, resultColumns, {iterationColumn});
    for (const RunResults& iteration : iterations) {
        for (const NamedResult& named : iteration.results)
            forEachRow(named, [&](const CsvCells& row) { append(csv, row, {iteration.iteration}); });
    }
    return csv;
}

std::string runsCsv(const std::vector<RunResults>& runs)
{
    CsvCells fields;
    for (const RunResults& run : runs) {
        for (const auto& [key, value] : run.card) {
            // Lists do not fit into a cell.
            if (!value.as<Value::Array>() && std::find(fields.begin(), fields.end(), key) == fields.end())
                fields.push_back(key);
        }
    }
    CsvCells header{"run"};
    header.insert(header.end(), resultColumns.begin(), resultColumns.end());
    header.emplace_back(iterationColumn);
    // The card's own field of this name states the number of iterations.
    for (const std::string& field : fields)
        header.push_back(field == iterationColumn ? "card_iteration" : csvCell(field));
    std::string csv;
    append(csv, header);
    for (const RunResults& run : runs) {
        CsvCells metadata{run.iteration};
        for (const std::string& field : fields) {
            const auto found = std::find_if(run.card.begin(), run.card.end(),
                                            [&](const auto& entry) { return entry.first == field; });
            metadata.push_back(found == run.card.end() ? std::string() : fieldCell(found->second));
        }
        for (const NamedResult& named : run.results) {
            forEachRow(named, [&](CsvCells row) {
                row.insert(row.begin(), csvCell(run.label));
                append(csv, row, metadata);
            });
        }
    }
    return csv;
}

std::string iterationsCsv(const std::vector<IterationResults>& iterations)
{
    std::vector<std::string> columns;
    std::vector<std::map<std::string, double>> rows;
    for (const IterationResults& iteration : iterations) {
        std::map<std::string, double>& row = rows.emplace_back();
        const auto put = [&](std::string column, double value) {
            if (std::find(columns.begin(), columns.end(), column) == columns.end())
                columns.push_back(column);
            row.emplace(std::move(column), value);
        };
        for (const auto& [request, result] : iteration.results) {
            if (result.value)
                put(request.name + "_value", *result.value);
            for (const auto& [key, value] : result.details) {
                if (const auto number = numberOf(value))
                    put(request.name + "_" + key, *number);
            }
        }
    }
    std::string csv;
    std::vector<std::string> header;
    header.reserve(columns.size());
    for (const std::string& column : columns)
        header.push_back(csvCell(column));
    const bool several
        = std::any_of(iterations.begin(), iterations.end(),
                      [](const IterationResults& iteration) { return !iteration.run.empty(); });
    std::vector<std::string> first{iterationColumn};
    if (several)
        first.insert(first.begin(), "run");
    append(csv, first, header);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        std::vector<std::string> cells;
        cells.reserve(columns.size());
        for (const std::string& column : columns) {
            const auto found = rows[i].find(column);
            cells.push_back(found == rows[i].end() ? std::string() : numberText(found->second));
        }
        first = {iterations[i].number < 0 ? std::string() : std::to_string(iterations[i].number)};
        if (several)
            first.insert(first.begin(), csvCell(iterations[i].run));
        append(csv, first, cells);
    }
    return csv;
}

} // namespace collscope
