// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/written_report.h"
#include "model/text/printable_text.h"

#include <nlohmann/json.hpp>

#include <string_view>
#include <unordered_map>
#include <utility>

namespace collscope {

namespace {

/// Each key once: at its first position, with its last value, as JSON readers interpret duplicates.
std::vector<std::pair<std::string_view, const Value*>> entriesOf(const Value::Object& object)
{
    std::vector<std::pair<std::string_view, const Value*>> entries;
    std::unordered_map<std::string_view, std::size_t> places;
    for (const auto& [key, element] : object) {
        const auto [place, isNew] = places.try_emplace(key, entries.size());
        if (isNew)
            entries.emplace_back(key, &element);
        else
            entries[place->second].second = &element;
    }
    return entries;
}

enum class JsonLayout : std::uint8_t
{
    Lines, ///< each entry on a line of its own
    OneLine
};

/// Written directly, because JSON libraries print neither plain digits nor every digit of a Decimal.
void writeJson(const Value& value, JsonLayout layout, std::size_t depth, std::string& json)
{
    const bool isOneLine = layout == JsonLayout::OneLine;
    const auto newLine = [&](std::size_t at) {
        constexpr std::size_t indent = 2;
        if (!isOneLine)
            json.append("\n").append(indent * at, ' ');
    };
    if (const auto* object = value.as<Value::Object>(); object && !object->empty()) {
        char before = '{';
        for (const auto& [key, element] : entriesOf(*object)) {
            json += std::exchange(before, ',');
            newLine(depth + 1);
            json.append(jsonQuoted(key)).append(isOneLine ? ":" : ": ");
            writeJson(*element, layout, depth + 1, json);
        }
        newLine(depth);
        json += '}';
    } else if (const auto* array = value.as<Value::Array>(); array && !array->empty()) {
        char before = '[';
        for (const Value& element : *array) {
            json += std::exchange(before, ',');
            newLine(depth + 1);
            writeJson(element, layout, depth + 1, json);
        }
        newLine(depth);
        json += ']';
    } else if (object) {
        json += "{}";
    } else if (array) {
        json += "[]";
    } else if (const auto* text = value.as<std::string>()) {
        json += jsonQuoted(*text);
    } else if (const auto* flag = value.as<bool>()) {
        json += *flag ? "true" : "false";
    } else {
        const std::string number = numberTextOf(value);
        json += number.empty() ? "null" : number;
    }
}

Value cardValue(const WorkloadCard& card)
{
    return Value::Object{{"path", card.path},
                         {"phase", card.phase},
                         {"model_family", card.modelFamily},
                         {"precision", card.precision},
                         {"batch_size", orNull(card.batchSize)},
                         {"seq_len", orNull(card.seqLen)},
                         {"num_params", orNull(card.numParams)},
                         {"device_model", card.deviceModel},
                         {"total_count", orNull(card.totalCount)},
                         {"framework", card.framework},
                         {"parallelism", card.parallelism.label()}};
}

} // namespace

std::string jsonQuoted(std::string_view text)
{
    // Names come from files: invalid UTF-8 becomes U+FFFD, and control characters that a terminal would
    // execute are escaped.
    return printableJson(nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

Value problemsValue(const Diagnostics& problems)
{
    Value::Array list;
    for (const Diagnostic& d : problems.entries())
        list.emplace_back(Value::Object{{"severity", severityName(d.severity)},
                                        {"code", d.code},
                                        {"file", d.file},
                                        {"offset", d.firstOffset},
                                        {"count", d.count},
                                        {"excluded_events", d.excludedEvents},
                                        {"message", d.explanation}});
    return list;
}

std::string jsonText(const Value& value)
{
    std::string json;
    writeJson(value, JsonLayout::Lines, 0, json);
    return json + "\n";
}

std::string jsonLine(const Value& value)
{
    std::string json;
    writeJson(value, JsonLayout::OneLine, 0, json);
    return json;
}

Value resultValue(const MetricResult& result)
{
    Value::Object object{
        {"value", orNull(result.value)}, {"unit", result.unit}, {"status", metricStateName(result.state)}};
    if (result.state != MetricState::Value)
        object.emplace_back("reason", result.reason);
    object.emplace_back("scope", result.scope);
    object.emplace_back("window", result.window);
    object.emplace_back("reduction", result.reduction);
    object.emplace_back("source", result.source);
    object.insert(object.end(), result.details.begin(), result.details.end());
    if (!result.warnings.empty())
        object.emplace_back("warnings", textsValue(result.warnings));
    if (!result.definition.empty())
        object.emplace_back("definition", result.definition);
    if (!result.inputs.empty())
        object.emplace_back("inputs", textsValue(result.inputs));
    Value::Array references;
    for (const ReferenceValue& reference : result.references)
        references.emplace_back(Value::Object{{"tool", reference.tool},
                                              {"value", orNull(reference.value)},
                                              {"why_different", reference.whyDifferent}});
    if (!references.empty())
        object.emplace_back("references", std::move(references));
    return object;
}

Value resultsValue(const std::vector<NamedResult>& results)
{
    Value::Object object;
    for (const NamedResult& named : results)
        object.emplace_back(named.request.name, resultValue(named.result));
    return object;
}

std::string resultsJson(const std::vector<NamedResult>& results)
{
    return jsonText(resultsValue(results));
}

Value runValue(const TraceModel& model)
{
    Value::Array files;
    for (const SourceInfo& source : model.sources)
        files.emplace_back(Value::Object{{"path", source.path},
                                         {"kind", sourceKindName(source.kind)},
                                         {"bytes", source.bytes},
                                         {"rank", orNull(source.rank)},
                                         {"events", source.eventsInFile},
                                         {"shown", source.shown},
                                         {"excluded", source.excluded}});
    Value::Array ranks;
    for (const std::int32_t rank : model.ranks())
        ranks.emplace_back(rank);
    return Value::Object{{"paths", textsValue(model.paths)},
                         {"files", std::move(files)},
                         {"ranks", std::move(ranks)},
                         {"world_size", orNull(model.worldSize)},
                         {"world_size_is_least", model.isWorldSizeLeast},
                         {"world_size_source", model.worldSizeSource}};
}

Value reportValue(const TraceModel& model, const std::vector<NamedResult>& results,
                  const std::vector<std::string>& options)
{
    return Value::Object{{"schema", "collscope.report/1"},
                         {"tool", Value::Object{{"name", "collscope"}, {"version", COLLSCOPE_VERSION}}},
                         {"run", runValue(model)},
                         {"card", model.card ? cardValue(*model.card) : Value()},
                         {"options", textsValue(options)},
                         {"metrics", resultsValue(results)},
                         {"problems", problemsValue(model.problems)}};
}

std::string detailsJson(const MetricResult& result)
{
    return jsonText(result.details);
}

std::string metricListJson(const MetricCatalog& catalog)
{
    Value::Array list;
    for (const MetricRequest& request : catalog.all()) {
        const MetricDescriptor* metric = request.metric;
        Value::Array aliases;
        for (const MetricAlias& alias : metric->aliases)
            aliases.emplace_back(alias.id);
        Value::Object entry{{"id", metric->id},
                            {"aliases", std::move(aliases)},
                            {"unit", metric->unit},
                            {"needs", metric->needs},
                            {"meaning", metric->meaning}};
        if (metric->whole)
            entry.emplace_back("part_of", metric->whole->id);
        if (metric->onRequest)
            entry.emplace_back("on_request", true);
        if (request.user)
            entry.emplace_back("user_defined", request.user->definedIn());
        list.emplace_back(std::move(entry));
    }
    return jsonText(list);
}

} // namespace collscope
