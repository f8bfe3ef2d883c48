// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/report.h"
#include "model/printable_text.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace collscope {

namespace {

using Json = nlohmann::ordered_json;

/// Whole numbers without a point, everything else as the shortest text that reads back (nlohmann's way).
Json numberJson(double value)
{
    constexpr double exactIntegers = 9007199254740992.0; // 2^53
    if (!std::isfinite(value))
        return nullptr;
    if (std::trunc(value) == value && std::abs(value) < exactIntegers)
        return static_cast<std::int64_t>(value);
    return value;
}

Json toJson(const Value& value)
{
    if (const auto* flag = value.as<bool>())
        return *flag;
    if (const auto* integer = value.as<std::int64_t>())
        return *integer;
    if (const auto* number = value.as<double>())
        return numberJson(*number);
    if (const auto* text = value.as<std::string>())
        return *text;
    if (const auto* array = value.as<Value::Array>()) {
        Json list = Json::array();
        for (const Value& element : *array)
            list.push_back(toJson(element));
        return list;
    }
    if (const auto* object = value.as<Value::Object>()) {
        Json map = Json::object();
        for (const auto& [key, element] : *object)
            map[key] = toJson(element);
        return map;
    }
    return nullptr;
}

/// Names and paths come from files: invalid UTF-8 becomes U+FFFD instead of an exception, and what a terminal
/// would carry out an escape.
std::string dumped(const Json& json)
{
    return printableJson(json.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

template<typename T>
Value optionalValue(const std::optional<T>& value)
{
    return value ? Value(*value) : Value();
}

Value textList(const std::vector<std::string>& texts)
{
    return Value::Array(texts.begin(), texts.end());
}

Value cardValue(const WorkloadCard& card)
{
    return Value::Object{{"path", card.path},
                         {"phase", card.phase},
                         {"model_family", card.modelFamily},
                         {"precision", card.precision},
                         {"batch_size", optionalValue(card.batchSize)},
                         {"seq_len", optionalValue(card.seqLen)},
                         {"num_params", optionalValue(card.numParams)},
                         {"device_model", card.deviceModel},
                         {"total_count", optionalValue(card.totalCount)},
                         {"framework", card.framework},
                         {"parallelism", card.parallelism.label()}};
}

Value runValue(const TraceModel& model)
{
    Value::Array files;
    for (const SourceInfo& source : model.sources)
        files.emplace_back(Value::Object{{"path", source.path},
                                         {"kind", sourceKindName(source.kind)},
                                         {"bytes", source.bytes},
                                         {"rank", optionalValue(source.rank)},
                                         {"events", source.eventsInFile},
                                         {"shown", source.shown},
                                         {"excluded", source.excluded}});
    Value::Array ranks;
    for (const std::int32_t rank : model.ranks())
        ranks.emplace_back(rank);
    return Value::Object{{"paths", textList(model.paths)},
                         {"files", std::move(files)},
                         {"ranks", std::move(ranks)},
                         {"world_size", optionalValue(model.worldSize)}};
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

} // namespace

std::string jsonText(const Value& value)
{
    return dumped(toJson(value));
}

Value resultValue(const MetricResult& result)
{
    const auto number = [](const std::optional<double>& value) { return value ? Value(*value) : Value(); };
    Value::Object object{
        {"value", number(result.value)}, {"unit", result.unit}, {"status", metricStateName(result.state)}};
    if (result.state != MetricState::Value)
        object.emplace_back("reason", result.reason);
    object.emplace_back("scope", result.scope);
    object.emplace_back("window", result.window);
    object.emplace_back("reduction", result.reduction);
    object.emplace_back("source", result.source);
    object.insert(object.end(), result.details.begin(), result.details.end());
    if (!result.warnings.empty())
        object.emplace_back("warnings", textList(result.warnings));
    if (!result.definition.empty())
        object.emplace_back("definition", result.definition);
    if (!result.inputs.empty())
        object.emplace_back("inputs", textList(result.inputs));
    Value::Array references;
    for (const ReferenceValue& reference : result.references)
        references.emplace_back(Value::Object{{"tool", reference.tool},
                                              {"value", number(reference.value)},
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

Value reportValue(const TraceModel& model, const std::vector<NamedResult>& results,
                  const std::vector<std::string>& options)
{
    return Value::Object{{"schema", "collscope.report/1"},
                         {"tool", Value::Object{{"name", "collscope"}, {"version", COLLSCOPE_VERSION}}},
                         {"run", runValue(model)},
                         {"card", model.card ? cardValue(*model.card) : Value()},
                         {"options", textList(options)},
                         {"metrics", resultsValue(results)},
                         {"problems", problemsValue(model.problems)}};
}

std::string detailsJson(const MetricResult& result)
{
    return jsonText(result.details);
}

std::string metricListJson(const MetricCatalog& catalog)
{
    Json list = Json::array();
    for (const MetricRequest& request : catalog.all()) {
        const MetricDescriptor* metric = request.metric;
        Json aliases = Json::array();
        for (const MetricAlias& alias : metric->aliases)
            aliases.push_back(std::string(alias.id));
        list.push_back({{"id", std::string(metric->id)},
                        {"aliases", std::move(aliases)},
                        {"unit", std::string(metric->unit)},
                        {"needs", std::string(metric->needs)},
                        {"meaning", std::string(metric->meaning)}});
        if (request.user)
            list.back()["user_defined"] = request.user->definedIn();
    }
    return dumped(list);
}

} // namespace collscope
