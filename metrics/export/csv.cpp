// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/report.h"

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

} // namespace

std::string resultsCsv(const std::vector<NamedResult>& results)
{
    std::string csv = "metric,scope,rank,step,value,unit,status,reason\n";
    for (const auto& [request, result] : results) {
        const std::string status(metricStateName(result.state));
        csv += cell(request.name) + ',' + cell(result.scope) + ",,," + numberCell(result.value) + ','
            + cell(result.unit) + ',' + status + ',' + cell(result.reason) + '\n';
        for (const MetricRow& row : result.rows) {
            const std::string scope = row.rank && row.step ? "rank and step" : row.rank ? "rank" : "step";
            csv += cell(request.name) + ',' + scope + ',' + numberCell(row.rank) + ',' + numberCell(row.step)
                + ',' + numberText(row.value) + ',' + cell(result.unit) + ',' + status + ",\n";
        }
    }
    return csv;
}

} // namespace collscope
