// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/report.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <map>

namespace collscope {

namespace {

/// A reason that at least this many metrics share is said once.
constexpr std::size_t manyMetrics = 20;

/// What stands for the value in a line of text.
std::string valueText(const MetricResult& result)
{
    if (result.value)
        return numberText(*result.value);
    return result.state == MetricState::Value ? "(see --json)" : std::string(metricStateName(result.state));
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
    if (const auto* whole = value.as<std::int64_t>())
        return std::to_string(*whole);
    if (const auto* number = value.as<double>())
        return numberText(*number);
    const auto* words = value.as<std::string>();
    return words ? *words : "none";
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
    // Count characters, not bytes: continuation bytes of UTF-8 take no column.
    const auto columns = static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; }));
    text.append(columns < width ? width - columns : 0, ' ');
    return text;
}

std::string fixedText(double value, int digits)
{
    // to_chars, because a desktop's locale would write a comma; no double is longer than this.
    std::array<char, 512> buffer{};
    const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                            std::chars_format::fixed, digits);
    return error == std::errc() ? std::string(buffer.data(), end) : std::string("nan");
}

std::string resultsText(const std::vector<NamedResult>& results)
{
    if (results.size() == 1) {
        const MetricResult& result = results.front().result;
        if (result.value)
            return numberText(*result.value) + "\n";
        return result.state == MetricState::Value ? detailsJson(result) : std::string();
    }
    std::size_t nameWidth = 0;
    std::size_t valueWidth = 0;
    for (const auto& [request, result] : results) {
        nameWidth = std::max(nameWidth, request.name.size());
        valueWidth = std::max(valueWidth, valueText(result).size());
    }
    // What holds for a good part of the metrics is said once, below the table.
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
    std::string text;
    for (const auto& [request, result] : results) {
        const std::string value = valueText(result);
        text += padded(request.name, nameWidth) + "  " + std::string(valueWidth - value.size(), ' ') + value
            + "  " + (result.value ? result.unit : noteOf(result.reason)) + "\n";
    }
    for (const auto& [reason, metrics] : reasons)
        text += noteOf(reason) + " " + std::to_string(metrics) + " metrics: " + std::string(reason) + "\n";
    return text;
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
             : result.state == MetricState::Value ? "the details below"
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
                 + (reference.value ? numberText(*reference.value) + " " + result.unit : "other figures")
                 + ": " + reference.whyDifferent);
    // The figures beside the value, or the result itself where it is no single number.
    for (const auto& [key, value] : result.details) {
        const std::string shown = oneLine(value);
        line("detail", key + " = " + (shown.size() > 160 ? shown.substr(0, 157) + "..." : shown));
    }
    return text;
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
        if (!metric.aliases.empty())
            text += "    aliases: " + aliasNames(metric) + "\n";
        text += "    needs: " + std::string(metric.needs) + "\n";
    }
    return text;
}

} // namespace collscope
