// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/run/trace_facts.h"

#include "model/text/lower_case.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace collscope {

namespace {

constexpr std::string_view blanks = " \t\r\n";
/// Wall-clock times between 2001 and 2096; a time outside this range is of another clock.
constexpr std::int64_t earliestNs = 1'000'000'000'000'000'000;
constexpr std::int64_t latestNs = 4'000'000'000'000'000'000;

bool isWallClock(std::int64_t ns)
{
    return ns >= earliestNs && ns <= latestNs;
}

/// Where the value of a key starts; npos if the text has no such key after `from`.
std::size_t valueOf(std::string_view text, std::string_view quotedKey, std::size_t from)
{
    const std::size_t key = text.find(quotedKey, from);
    if (key == std::string_view::npos)
        return key;
    const std::size_t colon = text.find_first_not_of(blanks, key + quotedKey.size());
    if (colon == std::string_view::npos || text[colon] != ':')
        return std::string_view::npos;
    return text.find_first_not_of(blanks, colon + 1);
}

template<typename Number>
std::optional<Number> numberOf(std::string_view text, std::string_view quotedKey, std::size_t from)
{
    const std::size_t at = valueOf(text, quotedKey, from);
    if (at == std::string_view::npos)
        return std::nullopt;
    Number number = 0;
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), number);
    // A number that is cut off at the end of the head would be a different number.
    return error == std::errc() && end != text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// The first event with a duration; metadata has no time.
std::size_t firstSlice(std::string_view text)
{
    const std::size_t events = text.find("\"traceEvents\"");
    for (std::size_t at = text.find("\"ph\"", events == std::string_view::npos ? 0 : events);
         at != std::string_view::npos; at = text.find("\"ph\"", at + 1)) {
        const std::size_t value = valueOf(text, "\"ph\"", at);
        if (value != std::string_view::npos && text.substr(value, 3) == "\"X\"")
            return at;
    }
    return std::string_view::npos;
}

std::optional<std::int64_t> beginOf(std::string_view head)
{
    const std::size_t slice = firstSlice(head);
    const auto micros
        = slice == std::string_view::npos ? std::nullopt : numberOf<double>(head, "\"ts\"", slice);
    if (!micros || !(*micros >= 0 && *micros < 4e15))
        return std::nullopt;
    const auto ns = static_cast<std::int64_t>(*micros * 1000);
    const std::int64_t base = numberOf<std::int64_t>(head, "\"baseTimeNanoseconds\"", 0).value_or(0);
    if (isWallClock(base) && isWallClock(base + ns))
        return base + ns;
    return isWallClock(ns) ? std::optional(ns) : std::nullopt;
}

/// host_name, which precedes the events. "localhost" does not identify a computer.
std::string hostOf(std::string_view head)
{
    const std::string_view before = head.substr(0, head.find("\"traceEvents\""));
    const std::size_t quote = valueOf(before, "\"host_name\"", 0);
    if (quote == std::string_view::npos || before[quote] != '"')
        return {};
    const std::size_t end = before.find('"', quote + 1);
    const std::string_view host
        = end == std::string_view::npos ? std::string_view() : before.substr(quote + 1, end - quote - 1);
    return host.starts_with("localhost") ? std::string() : std::string(host);
}

/// The process id of the first event that is not a GPU event.
std::optional<std::int64_t> pidOf(std::string_view head)
{
    std::size_t first = std::string_view::npos;
    for (const std::string_view category :
         {"\"cpu_op\"", "\"user_annotation\"", "\"cuda_runtime\"", "\"python_function\""})
        first = std::min(first, head.find(category));
    return first == std::string_view::npos ? std::nullopt : numberOf<std::int64_t>(head, "\"pid\"", first);
}

std::optional<std::int64_t> firstStepOf(std::string_view head)
{
    constexpr std::string_view prefix = "\"ProfilerStep#";
    const std::size_t at = head.find(prefix);
    if (at == std::string_view::npos)
        return std::nullopt;
    std::int64_t number = 0;
    const auto [end, error]
        = std::from_chars(head.data() + at + prefix.size(), head.data() + head.size(), number);
    return error == std::errc() && end != head.data() + head.size() && *end == '"' ? std::optional(number)
                                                                                   : std::nullopt;
}

bool areDigits(std::string_view text)
{
    return !text.empty() && std::all_of(text.begin(), text.end(), isDigit);
}

/// A time in seconds, milliseconds, microseconds or nanoseconds since the epoch, as determined by the number
/// of digits.
std::optional<std::int64_t> stampNs(std::string_view digits)
{
    constexpr std::size_t nsDigits = 19;
    if (!areDigits(digits) || digits.size() > nsDigits || digits.size() < 10 || (digits.size() - 10) % 3 != 0)
        return std::nullopt;
    std::int64_t time = 0;
    if (std::from_chars(digits.data(), digits.data() + digits.size(), time).ec != std::errc())
        return std::nullopt;
    for (std::size_t i = digits.size(); i < nsDigits; ++i) {
        if (time > latestNs / 10)
            return std::nullopt;
        time *= 10;
    }
    return isWallClock(time) ? std::optional(time) : std::nullopt;
}

/// Parses TensorBoard's names: <worker>.<time>.pt.trace.json, the worker by default <host>_<pid>.
void readName(std::string_view path, TraceFacts& facts)
{
    std::string name = std::filesystem::path(path).filename().string();
    for (const std::string_view ending : {".gz", ".json", ".trace", ".pt"}) {
        if (!name.ends_with(ending)) {
            if (ending != ".gz")
                return;
            continue;
        }
        name.erase(name.size() - ending.size());
    }
    const std::size_t dot = name.rfind('.');
    if (dot == std::string::npos)
        return;
    facts.writtenNs = stampNs(std::string_view(name).substr(dot + 1));
    if (!facts.writtenNs)
        return;
    const std::string worker = name.substr(0, dot);
    constexpr std::string_view workerWord = "worker";
    if (worker.starts_with(workerWord) && worker.size() > workerWord.size()
        && isDigit(worker[workerWord.size()])) {
        const std::size_t end
            = std::min(worker.find_first_not_of("0123456789", workerWord.size()), worker.size());
        facts.process = worker.substr(0, end);
        return;
    }
    const std::size_t line = worker.rfind('_');
    if (line == std::string::npos || line == 0 || !areDigits(std::string_view(worker).substr(line + 1)))
        return;
    facts.process = worker;
    facts.isHostAndPid = true;
    facts.host = worker.substr(0, line);
}

} // namespace

TraceFacts traceFacts(std::string_view path, std::string_view head)
{
    TraceFacts facts;
    readName(path, facts);
    if (const std::size_t info = head.find("\"distributedInfo\""); info != std::string_view::npos) {
        // The file's own rank, not that of a much later event.
        constexpr std::size_t mostBytes = 600;
        const std::string_view near = head.substr(info, mostBytes);
        const auto rank = numberOf<std::int32_t>(near, "\"rank\"", 0);
        if (rank && *rank >= 0)
            facts.rank = rank;
    }
    if (facts.host.empty())
        facts.host = hostOf(head);
    facts.beginNs = beginOf(head);
    facts.pid = pidOf(head);
    facts.firstStep = firstStepOf(head);
    facts.hash = std::hash<std::string_view>()(head);
    return facts;
}

} // namespace collscope
