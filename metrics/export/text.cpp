// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/comparison/comparison.h"
#include "metrics/export/text_table.h"
#include "metrics/export/written_report.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <map>

namespace collscope {

namespace {

/// A reason shared by at least this many metrics is printed only once.
constexpr std::size_t manyMetrics = 20;

/// The text in place of the value in a line.
std::string valueText(const MetricResult& result)
{
    if (result.value)
        return numberText(*result.value);
    return result.state == MetricState::Value ? "(see --json)" : std::string(metricStateName(result.state));
}

std::string_view stateWords(MetricState state)
{
    switch (state) {
    case MetricState::NotApplicable:
        return "not applicable";
    case MetricState::MissingInput:
        return "missing input";
    case MetricState::Error:
        return "failed";
    case MetricState::Value:
        break;
    }
    return "";
}

/// A tree on one line: numbers, texts, {a 1, b 2}, [1, 2].
std::string oneLine(const Value& value)
{
    std::string text;
    const auto join = [&](const std::string& part) { text += (text.size() > 1 ? ", " : "") + part; };
    if (const auto* object = value.as<Value::Object>()) {
        text = "{";
        for (const auto& [key, element] : *object)
            join(key + " " + oneLine(element));
        return text + "}";
    }
    if (const auto* array = value.as<Value::Array>()) {
        text = "[";
        for (const Value& element : *array)
            join(oneLine(element));
        return text + "]";
    }
    if (const auto* flag = value.as<bool>())
        return *flag ? "yes" : "no";
    if (const auto* words = value.as<std::string>())
        return *words;
    const std::string number = numberTextOf(value);
    return number.empty() ? "none" : number;
}

/// The results of one run with its label; the label is empty if there is only one run.
struct LabelledResults
{
    std::string label;
    const std::vector<NamedResult>* results;
};

/// One line per reason: the run, the number of metrics without a value for that reason, and their ids; the
/// reasons of most metrics first.
std::string missingLines(const std::vector<LabelledResults>& runs)
{
    struct Missing
    {
        std::string_view label;
        MetricState state;
        std::string_view reason;
        std::vector<std::string_view> ids;
    };
    std::vector<Missing> all;
    for (const LabelledResults& run : runs) {
        for (const NamedResult& named : *run.results) {
            const MetricResult& result = named.result;
            if (result.state == MetricState::Value)
                continue;
            const auto found = std::find_if(all.begin(), all.end(), [&](const Missing& missing) {
                return missing.label == run.label && missing.state == result.state
                    && missing.reason == result.reason;
            });
            if (found == all.end())
                all.push_back({run.label, result.state, result.reason, {named.request.name}});
            else
                found->ids.push_back(named.request.name);
        }
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const Missing& a, const Missing& b) { return a.ids.size() > b.ids.size(); });
    std::string text;
    for (const Missing& missing : all) {
        text.append(missing.label).append(missing.label.empty() ? "" : ": ");
        text += countText(static_cast<std::int64_t>(missing.ids.size()), "metric") + " "
            + std::string(stateWords(missing.state)) + ": " + std::string(missing.reason) + " [";
        for (std::size_t i = 0; i < missing.ids.size(); ++i)
            text.append(i > 0 ? ", " : "").append(missing.ids[i]);
        text += "]\n";
    }
    return text;
}

std::string aliasNames(const MetricDescriptor& metric)
{
    std::string list;
    for (const MetricAlias& alias : metric.aliases)
        list += (list.empty() ? "" : ", ") + std::string(alias.id);
    return list;
}

} // namespace

std::string padded(std::string text, std::size_t width)
{
    const std::size_t columns = charactersIn(text);
    text.append(columns < width ? width - columns : 0, ' ');
    return text;
}

std::string fixedText(double value, int digits)
{
    // to_chars, because the locale of a desktop may use a decimal comma; no double is longer than this
    // buffer.
    std::array<char, 512> buffer{};
    const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                            std::chars_format::fixed, digits);
    return error == std::errc() ? std::string(buffer.data(), end) : std::string("nan");
}

std::string bytesText(double bytes)
{
    constexpr const char* units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
    std::size_t unit = 0;
    for (; std::abs(bytes) >= 1000 && unit + 1 < std::size(units); ++unit)
        bytes /= 1000;
    return fixedText(bytes, unit == 0 || bytes >= 100 ? 0 : bytes >= 10 ? 1 : 2) + " " + units[unit];
}

std::string resultsText(const std::vector<NamedResult>& results, TextLayout layout)
{
    if (results.size() == 1) {
        const MetricResult& result = results.front().result;
        if (result.value)
            return numberText(*result.value) + "\n" + tablesText(result.tables);
        return result.state == MetricState::Value ? detailsJson(result) : std::string();
    }
    const bool eachRow = layout == TextLayout::EachRow;
    // A reason shared by many metrics is printed once, below the table.
    std::map<std::string_view, std::size_t> reasons;
    for (const auto& [request, result] : results)
        reasons[result.reason] += result.value ? 0u : 1u;
    std::erase_if(reasons,
                  [](const auto& reason) { return reason.second < manyMetrics || reason.first.empty(); });
    const auto noteOf = [&](std::string_view reason) {
        const auto found = reasons.find(reason);
        return found == reasons.end() ? std::string(reason)
                                      : "(" + std::to_string(1 + std::distance(reasons.begin(), found)) + ")";
    };
    TextTable table({false, true, false});
    for (const auto& [request, result] : results) {
        if (eachRow || result.state == MetricState::Value)
            table.add({request.name, valueText(result), result.value ? result.unit : noteOf(result.reason)});
    }
    std::string text = table.text();
    if (!eachRow)
        return text + missingLines({LabelledResults{{}, &results}});
    for (const auto& [reason, metrics] : reasons)
        text += noteOf(reason) + " " + std::to_string(metrics) + " metrics: " + std::string(reason) + "\n";
    return text;
}

std::string runsText(const std::vector<RunResults>& runs, TextLayout layout)
{
    std::vector<std::string> paths;
    std::vector<bool> toTheRight{false};
    std::vector<LabelledResults> columns;
    for (const RunResults& run : runs) {
        paths.push_back(run.label);
        toTheRight.push_back(true);
    }
    const std::vector<std::string> labels = runLabels(paths);
    for (std::size_t i = 0; i < runs.size(); ++i)
        columns.push_back({labels[i], &runs[i].results});
    toTheRight.push_back(false);
    TextTable table(std::move(toTheRight));
    std::vector<std::string> header{"metric"};
    header.insert(header.end(), labels.begin(), labels.end());
    header.emplace_back("unit");
    table.add(std::move(header));
    for (std::size_t i = 0; i < runs.front().results.size(); ++i) {
        std::vector<std::string> cells{runs.front().results[i].request.name};
        bool anyValue = false;
        for (const RunResults& run : runs) {
            anyValue |= run.results[i].result.state == MetricState::Value;
            cells.push_back(valueText(run.results[i].result));
        }
        cells.push_back(runs.front().results[i].result.unit);
        if (anyValue || layout == TextLayout::EachRow)
            table.add(std::move(cells));
    }
    return table.text() + missingLines(columns);
}

std::string explanationText(const NamedResult& named)
{
    const MetricResult& result = named.result;
    std::string text = named.request.name + ": " + std::string(named.request.metric->meaning) + "\n";
    const auto line = [&](const char* label, const std::string& content) {
        if (!content.empty())
            text += padded(std::string("  ") + label, 14) + content + "\n";
    };
    line("value",
         result.value                             ? numberText(*result.value) + " " + result.unit
             : result.state == MetricState::Value ? "see the details below"
                                                  : valueText(result));
    line("reason", result.reason);
    line("formula", result.definition);
    line("scope", result.scope);
    line("window", result.window);
    line("reduction", result.reduction);
    line("source", result.source);
    for (const std::string& input : result.inputs)
        line("input", input);
    for (const std::string& warning : result.warnings)
        line("warning", warning);
    for (const ReferenceValue& reference : result.references)
        line("reference",
             reference.tool + " prints "
                 + (!reference.value           ? "different figures"
                        : reference.isSentinel ? numberText(*reference.value)
                                               : numberText(*reference.value) + " " + result.unit)
                 + ": " + reference.whyDifferent);
    // The details, or the result itself if it is not a single number.
    for (const auto& [key, value] : result.details) {
        const std::string shown = oneLine(value);
        line("detail", key + " = " + (shown.size() > 160 ? shown.substr(0, 157) + "..." : shown));
    }
    return text + tablesText(result.tables);
}

std::string metricListText(const MetricCatalog& catalog)
{
    std::string text;
    for (const MetricRequest& request : catalog.all()) {
        const MetricDescriptor& metric = *request.metric;
        text += std::string(metric.id) + " [" + std::string(metric.unit) + "]  " + std::string(metric.meaning)
            + "\n";
        if (request.user)
            text += "    user-defined: " + request.user->definedIn() + "\n";
        if (metric.whole)
            text += "    part of: " + std::string(metric.whole->id) + "\n";
        if (!metric.aliases.empty())
            text += "    aliases: " + aliasNames(metric) + "\n";
        text += "    needs: " + std::string(metric.needs) + "\n";
    }
    return text;
}

} // namespace collscope
