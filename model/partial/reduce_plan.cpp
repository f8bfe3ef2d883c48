// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/partial/reduce_plan.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <concepts>
#include <cstdio>
#include <numeric>
#include <utility>

namespace collscope {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* schema = "collscope.plan/1";

constexpr std::pair<Kept, std::string_view> keptNames[]
    = {{Kept::WhatMetricsRead, "metrics"}, {Kept::Everything, "all"}, {Kept::Summaries, "summary"}};

/// Throws for a word that is none of them.
Kept keptOf(const std::string& name)
{
    for (const auto& [kept, own] : keptNames) {
        if (own == name)
            return kept;
    }
    throw Json::other_error::create(502, "unknown word: " + name, nullptr);
}

template<typename T>
Json orNull(const std::optional<T>& value)
{
    return value ? Json(*value) : Json();
}

/// Reads an integer and checks its range. json::get() converts a number of any kind to any type: 1e30 as an
/// int would be undefined, and 2^40 would become another number.
template<std::integral T>
T integer(const Json& json)
{
    if (json.is_number_unsigned() && std::in_range<T>(json.get<std::uint64_t>()))
        return static_cast<T>(json.get<std::uint64_t>());
    if (json.is_number_integer() && !json.is_number_unsigned() && std::in_range<T>(json.get<std::int64_t>()))
        return static_cast<T>(json.get<std::int64_t>());
    throw Json::other_error::create(501, "not an integer in the expected range: " + json.dump(), &json);
}

std::optional<std::int32_t> rankAt(const Json& object, const char* key)
{
    const Json& value = object.at(key);
    return value.is_null() ? std::nullopt : std::optional(integer<std::int32_t>(value));
}

/// Paths can be any bytes, but JSON is UTF-8. Paths that are not UTF-8 are written as arrays of numbers.
Json pathJson(const std::string& path)
{
    try {
        Json text(path);
        (void)text.dump();
        return text;
    } catch (const Json::exception&) {
        Json bytes = Json::array();
        for (const char c : path)
            bytes.push_back(static_cast<unsigned char>(c));
        return bytes;
    }
}

std::string pathOf(const Json& json)
{
    if (json.is_string())
        return json.get<std::string>();
    std::string path;
    for (const Json& byte : json)
        path += static_cast<char>(integer<std::uint8_t>(byte));
    return path;
}

Json problemJson(const Diagnostic& problem)
{
    return {{"severity", static_cast<int>(problem.severity)},
            {"code", problem.code},
            {"file", pathJson(problem.file)},
            {"offset", problem.firstOffset},
            {"count", problem.count},
            {"excluded_events", problem.excludedEvents},
            {"explanation", pathJson(problem.explanation)}};
}

Diagnostic problemOf(const Json& json)
{
    Diagnostic problem;
    problem.severity = static_cast<Severity>(
        std::clamp(integer<int>(json.at("severity")), 0, static_cast<int>(Severity::Error)));
    problem.code = json.at("code").get<std::string>();
    problem.file = pathOf(json.at("file"));
    problem.firstOffset = integer<std::uint64_t>(json.at("offset"));
    problem.count = integer<std::uint64_t>(json.at("count"));
    problem.excludedEvents = integer<std::uint64_t>(json.at("excluded_events"));
    problem.explanation = pathOf(json.at("explanation"));
    return problem;
}

ReducePlan planOf(const Json& json)
{
    ReducePlan plan;
    plan.version = json.at("version").get<std::string>();
    plan.kept = keptOf(json.at("keep").get<std::string>());
    plan.tasks = integer<std::uint32_t>(json.at("tasks"));
    for (const Json& path : json.at("paths"))
        plan.paths.push_back(pathOf(path));
    for (const Json& iteration : json.at("iterations_offered"))
        plan.iterationsOffered.push_back(integer<std::int64_t>(iteration));
    for (const Json& problem : json.at("problems"))
        plan.problems.merge(problemOf(problem));
    for (const Json& own : json.at("files")) {
        ReducePlan::File file;
        file.path = pathOf(own.at("path"));
        file.bytes = integer<std::uint64_t>(own.at("bytes"));
        file.modified = integer<std::int64_t>(own.at("modified"));
        file.iteration = integer<std::int64_t>(own.at("iteration"));
        file.nameRank = rankAt(own, "name_rank");
        file.chosenRank = rankAt(own, "chosen_rank");
        if (const auto process = own.find("process"); process != own.end()) // earlier plans have none
            file.process = pathOf(*process);
        file.isSpare = own.value("spare", false);
        file.reader = own.at("reader").get<std::string>();
        file.task = integer<std::uint32_t>(own.at("task"));
        plan.files.push_back(std::move(file));
    }
    for (const Json& wreck : json.value("wrecks", Json::array()))
        plan.wrecks.push_back(
            {pathOf(wreck.at("path")), rankAt(wreck, "rank"), wreck.at("why").get<std::string>()});
    return plan;
}

} // namespace

std::string_view keptName(Kept kept)
{
    return keptNames[static_cast<std::size_t>(kept)].second;
}

void divideByBytes(ReducePlan& plan)
{
    std::vector<std::size_t> order(plan.files.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return plan.files[a].bytes > plan.files[b].bytes; });
    std::vector<std::uint64_t> load(std::max<std::uint32_t>(plan.tasks, 1));
    for (const std::size_t file : order) {
        const auto least = std::min_element(load.begin(), load.end());
        plan.files[file].task = static_cast<std::uint32_t>(least - load.begin());
        *least += plan.files[file].bytes + 1; // empty files are work, too
    }
}

std::string planText(const ReducePlan& plan)
{
    Json json{{"schema", schema},
              {"version", plan.version},
              {"keep", keptName(plan.kept)},
              {"tasks", plan.tasks},
              {"paths", Json::array()},
              {"iterations_offered", plan.iterationsOffered},
              {"problems", Json::array()},
              {"files", Json::array()},
              {"wrecks", Json::array()}};
    for (const std::string& path : plan.paths)
        json["paths"].push_back(pathJson(path));
    for (const Diagnostic& problem : plan.problems.entries())
        json["problems"].push_back(problemJson(problem));
    for (const ReducePlan::File& file : plan.files)
        json["files"].push_back({{"path", pathJson(file.path)},
                                 {"bytes", file.bytes},
                                 {"modified", file.modified},
                                 {"iteration", file.iteration},
                                 {"name_rank", orNull(file.nameRank)},
                                 {"chosen_rank", orNull(file.chosenRank)},
                                 {"process", pathJson(file.process)},
                                 {"spare", file.isSpare},
                                 {"reader", file.reader},
                                 {"task", file.task}});
    for (const ReducePlan::Wreck& wreck : plan.wrecks)
        json["wrecks"].push_back(
            {{"path", pathJson(wreck.path)}, {"rank", orNull(wreck.rank)}, {"why", wreck.why}});
    return json.dump(1) + "\n";
}

Result<ReducePlan> parsePlan(std::string_view text)
{
    constexpr std::uint32_t mostTasks = 1'000'000;
    try {
        const Json json = Json::parse(text);
        if (!json.is_object() || json.value("schema", "") != schema)
            return Error{Error::Kind::Format, "This is not a plan of a distributed run."};
        ReducePlan plan = planOf(json);
        const bool isSound = plan.tasks >= 1 && plan.tasks <= mostTasks
            && std::all_of(plan.files.begin(), plan.files.end(),
                           [&](const ReducePlan::File& file) { return file.task < plan.tasks; });
        if (!isSound)
            return Error{Error::Kind::Format,
                         "The plan has an invalid number of tasks, or assigns files to missing tasks."};
        return plan;
    } catch (const Json::exception& failure) {
        return Error{Error::Kind::Format, std::string("The plan cannot be read: ") + failure.what()};
    }
}

std::uint64_t planHash(std::string_view text)
{
    std::uint64_t hash = 0xCBF29CE484222325u; // FNV-1a
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
    return hash;
}

std::string partName(std::uint32_t task, std::uint64_t plan)
{
    char name[64];
    std::snprintf(name, sizeof name, "part-%05u-%016llx", task, static_cast<unsigned long long>(plan));
    return name + std::string(partEnding);
}

} // namespace collscope
