// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/written_report.h"

#include <algorithm>

namespace collscope {

namespace {

/// Text that Markdown renders literally.
std::string escaped(std::string_view text)
{
    std::string result;
    for (const char c : text) {
        if (c == '*' || c == '_' || c == '<' || c == '>' || c == '`' || c == '\\' || c == '[' || c == ']'
            || c == '~')
            result += '\\';
        result += c;
    }
    return result;
}

std::string aliasList(const MetricDescriptor& metric)
{
    std::string list;
    for (const MetricAlias& alias : metric.aliases) {
        list += (list.empty() ? "`" : ", `") + std::string(alias.id) + "`";
        if (!alias.unit.empty() && alias.unit != metric.unit)
            list += " (" + escaped(alias.unit) + ")";
    }
    return list;
}

std::string section(const MetricRequest& request)
{
    const MetricDescriptor& metric = *request.metric;
    std::string text = std::string(metric.whole ? "\n#### " : "\n### ") + escaped(metric.title) + "\n\n"
        + escaped(metric.meaning) + "\n\n";
    const auto line = [&](const char* label, const std::string& content) {
        if (!content.empty())
            text += std::string("* ") + label + ": " + content + "\n";
    };
    line("id", "`" + std::string(metric.id) + "`");
    line("other names", aliasList(metric));
    line("unit", escaped(metric.unit));
    line("better",
         metric.direction == MetricDirection::HigherIsBetter      ? "higher"
             : metric.direction == MetricDirection::LowerIsBetter ? "lower"
                                                                  : "");
    line("needs", escaped(metric.needs));
    line("formula", escaped(metric.definition));
    return text;
}

} // namespace

std::string metricListMarkdown(const MetricCatalog& catalog)
{
    const std::vector<MetricRequest> metrics = catalog.all();
    std::vector<std::string_view> groups;
    for (const MetricRequest& request : metrics) {
        if (std::find(groups.begin(), groups.end(), request.metric->group) == groups.end())
            groups.push_back(request.metric->group);
    }
    std::string text
        = "# Metrics\n\n"
          "All metrics that Collscope computes, generated from their descriptions in the program. "
          "On the command line, `--metric ID` computes a metric;\n"
          "`--explain ID` prints the formula with the numbers of your run. Another name may use "
          "another unit, given in parentheses.\n";
    for (const std::string_view group : groups) {
        text += "\n## " + escaped(group) + "\n";
        for (const MetricRequest& request : metrics) {
            if (request.metric->group == group)
                text += section(request);
        }
    }
    return text;
}

} // namespace collscope
