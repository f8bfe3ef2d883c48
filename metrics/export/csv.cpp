// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/report.h"

#include <array>

namespace collscope {

namespace {

/// RFC 4180. Text that a spreadsheet would run as a formula gets a leading apostrophe.
std::string cell(std::string_view text)
{
    std::string content(text);
    if (!content.empty() && std::string_view("=+-@").find(content.front()) != std::string_view::npos)
        content.insert(content.begin(), '\'');
    if (content.find_first_of(",\"\r\n") == std::string::npos)
        return content;
    std::string quoted = "\"";
    for (const char c : content) {
        if (c == '"')
            quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

template<typename T>
std::string numberCell(const std::optional<T>& value)
{
    return value ? numberText(static_cast<double>(*value)) : std::string();
}

void appendRow(std::string& csv, const std::array<std::string, 8>& cells)
{
    for (std::size_t i = 0; i < cells.size(); ++i) {
        csv.append(cells[i]);
        csv.push_back(i + 1 < cells.size() ? ',' : '\n');
    }
}

} // namespace

std::string resultsCsv(const std::vector<NamedResult>& results)
{
    std::string csv = "metric,scope,rank,step,value,unit,status,reason\n";
    for (const auto& [request, result] : results) {
        const std::string status(metricStateName(result.state));
        appendRow(csv,
                  {cell(request.name), cell(result.scope), "", "", numberCell(result.value),
                   cell(result.unit), status, cell(result.reason)});
        for (const MetricRow& row : result.rows) {
            const std::string scope = row.rank && row.step ? "rank and step" : row.rank ? "rank" : "step";
            appendRow(csv,
                      {cell(request.name), scope, numberCell(row.rank), numberCell(row.step),
                       numberText(row.value), cell(result.unit), status, ""});
        }
    }
    return csv;
}

} // namespace collscope
