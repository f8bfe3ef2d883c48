// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/partial/reduce_plan.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <concepts>
#include <cstdio>
#include <fstream>
#include <numeric>
#include <regex>
#include <utility>

namespace collscope {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* schema = "collscope.plan/2";
constexpr const char* schemaBefore = "collscope.plan/1"; ///< recognised files by the time of change

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
        file.identity.bytes = integer<std::uint64_t>(own.at("bytes"));
        file.identity.head = integer<std::uint32_t>(own.at("head_crc32"));
        file.identity.tail = integer<std::uint32_t>(own.at("tail_crc32"));
        file.iteration = integer<std::int64_t>(own.at("iteration"));
        file.nameRank = rankAt(own, "name_rank");
        file.chosenRank = rankAt(own, "chosen_rank");
        file.process = pathOf(own.at("process"));
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

/// The work of a file, in bytes. Empty files are work, too.
std::uint64_t workOf(const ReducePlan::File& file)
{
    return file.identity.bytes + 1;
}

/// Files of the same rank belong together; where no rank is known, files of the same process do.
bool isOfSameRank(const ReducePlan::File& a, const ReducePlan::File& b)
{
    const auto rank = a.rank();
    return rank == b.rank() && (rank || (!a.process.empty() && a.process == b.process));
}

/// Positions of the files, by rank; files without a rank are last. Otherwise the order stays.
std::vector<std::size_t> inRankOrder(const std::vector<ReducePlan::File>& files)
{
    std::vector<std::size_t> order(files.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        const auto rankOfA = files[a].rank(), rankOfB = files[b].rank();
        return rankOfA && (!rankOfB || *rankOfA < *rankOfB);
    });
    return order;
}

/// Where the pieces end that are not divided: the files of a rank, or single files if a rank is more than
/// `most` work.
std::vector<std::size_t> pieceEnds(const std::vector<ReducePlan::File>& files,
                                   const std::vector<std::size_t>& order, std::uint64_t most)
{
    std::vector<std::size_t> ends;
    for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
        std::uint64_t work = 0;
        for (end = begin; end < order.size() && isOfSameRank(files[order[begin]], files[order[end]]); ++end)
            work += workOf(files[order[end]]);
        end = std::max(end, begin + 1); // a file without a rank is not of the same rank as itself
        if (work <= most)
            ends.push_back(end);
        else
            for (std::size_t i = begin; i < end; ++i)
                ends.push_back(i + 1);
    }
    return ends;
}

/// The work of the first `tasks` of `all` tasks: tasks / all of `total`, also where the product of both would
/// overflow.
std::uint64_t shareUntil(std::uint32_t tasks, std::uint32_t all, std::uint64_t total)
{
    return total / all * tasks + total % all * tasks / all;
}

} // namespace

std::string_view keptName(Kept kept)
{
    return keptNames[static_cast<std::size_t>(kept)].second;
}

void divideByRank(ReducePlan& plan)
{
    const std::vector<std::size_t> order = inRankOrder(plan.files);
    std::uint64_t total = 0;
    for (const ReducePlan::File& file : plan.files)
        total += workOf(file);
    const std::uint32_t most = std::max<std::uint32_t>(plan.tasks, 1);
    std::vector<std::size_t> ends = pieceEnds(plan.files, order, total / most);
    if (ends.size() < most) { // every task gets a file, even if ranks must be divided for that
        ends.resize(order.size());
        std::iota(ends.begin(), ends.end(), std::size_t{1});
    }
    const auto blocks = static_cast<std::uint32_t>(std::min<std::size_t>(most, ends.size()));
    std::size_t piece = 0, at = 0;
    std::uint64_t done = 0;
    for (std::uint32_t task = 0; task < blocks; ++task) {
        const std::size_t lastPiece = ends.size() - (blocks - task); // the other tasks need one each
        const std::uint64_t until = shareUntil(task + 1, blocks, total);
        for (bool isFirst = true; piece <= lastPiece; ++piece, isFirst = false) {
            std::uint64_t work = 0;
            for (std::size_t i = at; i < ends[piece]; ++i)
                work += workOf(plan.files[order[i]]);
            // A piece that lies across the end of the share belongs to the task that gets more of it.
            if (!isFirst && task + 1 < blocks && done + work / 2 >= until)
                break;
            for (; at < ends[piece]; ++at)
                plan.files[order[at]].task = task;
            done += work;
        }
    }
}

std::filesystem::path runFolder(const ReducePlan& plan)
{
    std::optional<std::filesystem::path> common;
    const auto narrow = [&](const std::filesystem::path& folder) {
        if (!common) {
            common = folder;
            return;
        }
        const auto [end, ignored]
            = std::mismatch(common->begin(), common->end(), folder.begin(), folder.end());
        std::filesystem::path both;
        for (auto name = common->begin(); name != end; ++name)
            both /= *name;
        common = both;
    };
    for (const ReducePlan::File& file : plan.files)
        narrow(std::filesystem::path(file.path).parent_path());
    for (const std::string& path : plan.paths)
        narrow(path);
    return common.value_or(std::filesystem::path());
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
                                 {"bytes", file.identity.bytes},
                                 {"head_crc32", file.identity.head},
                                 {"tail_crc32", file.identity.tail},
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
        if (json.is_object() && json.value("schema", "") == schemaBefore)
            return Error{Error::Kind::Format, "The plan is of an earlier version: plan the run again."};
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

Result<std::string> readPlanText(const std::string& path)
{
    constexpr std::size_t mostBytes = std::size_t{1} << 30;
    const auto error = [&](const char* why) { return Error{Error::Kind::Io, why, path}; };
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return error("cannot be read");
    std::string text;
    std::vector<char> piece(std::size_t{64} << 10);
    while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())).gcount() > 0) {
        text.append(piece.data(), static_cast<std::size_t>(file.gcount()));
        if (text.size() > mostBytes)
            return error("is larger than 1 GiB, which is too large for a plan");
    }
    if (file.bad())
        return error("cannot be read");
    return text;
}

std::uint64_t planHash(std::string_view text)
{
    std::uint64_t hash = 0xCBF29CE484222325u; // FNV-1a
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
    return hash;
}

namespace {

std::string partNameOf(const std::string& tasks, std::uint64_t plan)
{
    char hash[32];
    std::snprintf(hash, sizeof hash, "-%016llx", static_cast<unsigned long long>(plan));
    return "part-" + tasks + hash + std::string(partEnding);
}

std::string taskText(std::uint32_t task)
{
    char text[16];
    std::snprintf(text, sizeof text, "%05u", task);
    return text;
}

} // namespace

std::string partName(std::uint32_t task, std::uint64_t plan)
{
    return partNameOf(taskText(task), plan);
}

bool isPartName(std::string_view name)
{
    static const std::regex pattern("part-[0-9]+-[0-9a-f]{16}\\.cspart");
    return std::regex_match(name.begin(), name.end(), pattern);
}

std::string joinedPartName(std::uint32_t firstTask, std::uint32_t lastTask, std::uint64_t plan)
{
    return partNameOf(taskText(firstTask) + "-" + taskText(lastTask), plan);
}

} // namespace collscope
