// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/report.h"

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

Json resultJson(const MetricResult& result)
{
    Json json = Json::object();
    json["value"] = result.value ? numberJson(*result.value) : Json(nullptr);
    json["unit"] = result.unit;
    json["status"] = std::string(metricStateName(result.state));
    if (result.state != MetricState::Value)
        json["reason"] = result.reason;
    json["scope"] = result.scope;
    json["window"] = result.window;
    json["reduction"] = result.reduction;
    json["source"] = result.source;
    for (const auto& [key, value] : result.details)
        json[key] = toJson(value);
    if (!result.warnings.empty())
        json["warnings"] = result.warnings;
    for (const ReferenceValue& reference : result.references)
        json["references"].push_back({{"tool", reference.tool},
                                      {"value", reference.value ? numberJson(*reference.value) : nullptr},
                                      {"why_different", reference.whyDifferent}});
    return json;
}

Json allResults(const std::vector<NamedResult>& results)
{
    Json json = Json::object();
    for (const NamedResult& named : results)
        json[named.request.name] = resultJson(named.result);
    return json;
}

/// Names and paths come from files: invalid UTF-8 becomes U+FFFD instead of an exception.
std::string dumped(const Json& json)
{
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

template<typename T>
Json optionalJson(const std::optional<T>& value)
{
    return value ? Json(*value) : Json(nullptr);
}

Json cardJson(const WorkloadCard& card)
{
    return {{"path", card.path},
            {"phase", card.phase},
            {"model_family", card.modelFamily},
            {"precision", card.precision},
            {"batch_size", optionalJson(card.batchSize)},
            {"seq_len", optionalJson(card.seqLen)},
            {"num_params", optionalJson(card.numParams)},
            {"device_model", card.deviceModel},
            {"total_count", optionalJson(card.totalCount)},
            {"framework", card.framework},
            {"parallelism", card.parallelism.label()}};
}

Json runJson(const TraceModel& model)
{
    Json files = Json::array();
    for (const SourceInfo& source : model.sources)
        files.push_back({{"path", source.path},
                         {"kind", std::string(sourceKindName(source.kind))},
                         {"bytes", source.bytes},
                         {"rank", optionalJson(source.rank)},
                         {"events", source.eventsInFile},
                         {"shown", source.shown},
                         {"excluded", source.excluded}});
    return {{"paths", model.paths},
            {"files", std::move(files)},
            {"ranks", model.ranks()},
            {"world_size", optionalJson(model.worldSize)}};
}

Json problemsJson(const Diagnostics& problems)
{
    Json list = Json::array();
    for (const Diagnostic& d : problems.entries())
        list.push_back({{"severity", std::string(severityName(d.severity))},
                        {"code", d.code},
                        {"file", d.file},
                        {"offset", d.firstOffset},
                        {"count", d.count},
                        {"excluded_events", d.excludedEvents},
                        {"message", d.explanation}});
    return list;
}

} // namespace

std::string resultsJson(const std::vector<NamedResult>& results)
{
    return dumped(allResults(results));
}

std::string reportJson(const TraceModel& model, const std::vector<NamedResult>& results,
                       const std::vector<std::string>& options)
{
    Json report = Json::object();
    report["schema"] = "collscope.report/1";
    report["tool"] = {{"name", "collscope"}, {"version", COLLSCOPE_VERSION}};
    report["run"] = runJson(model);
    report["card"] = model.card ? cardJson(*model.card) : Json(nullptr);
    report["options"] = options;
    report["metrics"] = allResults(results);
    report["problems"] = problemsJson(model.problems);
    return dumped(report);
}

std::string detailsJson(const MetricResult& result)
{
    return dumped(toJson(Value(result.details)));
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
