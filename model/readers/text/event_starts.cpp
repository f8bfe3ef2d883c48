// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/text/event_starts.h"

#include "model/readers/text/json_walk.h"

#include <algorithm>
#include <array>

namespace collscope {

namespace {

constexpr auto npos = std::string_view::npos;
/// How far into an object, and through how many brackets, its "ph" is searched for. These limits also bound
/// how often each byte is examined.
constexpr std::size_t farthestPhase = std::size_t{64} << 10;
constexpr std::size_t deepestBeforePhase = 16;

constexpr std::array<std::string_view, 12> eventKeys{"ph",  "name", "cat", "ts", "pid", "tid",
                                                     "dur", "args", "id",  "bp", "s",   "tts"};
constexpr std::array<std::string_view, 7> headKeys{
    "schemaVersion",   "traceEvents",         "deviceProperties", "distributedInfo",
    "displayTimeUnit", "baseTimeNanoseconds", "traceName"};

/// Index of the last character before `at` that is not a blank; npos if there is none.
std::size_t beforeBlanks(std::string_view text, std::size_t at)
{
    while (at > 0 && isJsonBlank(text[at - 1]))
        --at;
    return at == 0 ? npos : at - 1;
}

/// Whether the object at a brace is the value of a key, and so part of another object.
bool isMember(std::string_view text, std::size_t brace)
{
    const std::size_t colon = beforeBlanks(text, brace);
    if (colon == npos || text[colon] != ':')
        return false;
    const std::size_t quote = beforeBlanks(text, colon);
    return quote != npos && text[quote] == '"';
}

constexpr std::string_view phaseKey = "\"ph\"";

/// Stops a walk when the key is found in the object itself.
struct KeySearch
{
    std::string_view key;
    bool isFound = false;

    static bool mayOpen(std::string_view, std::size_t, bool, std::size_t depth)
    {
        return depth <= deepestBeforePhase;
    }
    bool mayPass(std::string_view passed, std::size_t depth)
    {
        isFound = depth == 1 && passed == key;
        return !isFound;
    }
};

} // namespace

bool isEventKey(std::string_view key)
{
    return std::find(eventKeys.begin(), eventKeys.end(), key) != eventKeys.end();
}

bool isHeadKey(std::string_view key)
{
    return std::find(headKeys.begin(), headKeys.end(), key) != headKeys.end();
}

std::string_view firstKey(std::string_view text, std::size_t brace)
{
    const std::size_t quote = afterBlanks(text, brace + 1);
    if (quote >= text.size() || text[quote] != '"')
        return {};
    const std::string_view rest = text.substr(quote + 1, 32);
    const std::size_t end = rest.find('"');
    return end == npos ? std::string_view() : rest.substr(0, end);
}

bool isEventStart(std::string_view text, std::size_t brace)
{
    const std::size_t quote = afterBlanks(text, brace + 1);
    if (text.substr(std::min(quote, text.size()), phaseKey.size()) != phaseKey)
        return false;
    const std::size_t colon = afterBlanks(text, quote + phaseKey.size());
    return colon < text.size() && text[colon] == ':';
}

bool isDocumentStart(std::string_view text, std::size_t brace)
{
    return isHeadKey(firstKey(text, brace));
}

Begins hasKey(std::string_view text, std::size_t brace, std::string_view quotedKey)
{
    const std::size_t first = afterBlanks(text, brace + 1);
    if (first >= text.size())
        return Begins::Unknown;
    if (text[first] != '"' || isMember(text, brace))
        return Begins::No;
    const std::string_view near = text.substr(0, brace + farthestPhase);
    KeySearch search{quotedKey};
    using Walk = JsonWalk<KeySearch>;
    Walk walk(near, search);
    switch (walk.walk(brace)) {
    case Walk::End::Closed:
        return Begins::No;
    case Walk::End::Open:
        return near.size() == text.size() ? Begins::Unknown : Begins::Perhaps;
    case Walk::End::Broken:
        break;
    case Walk::End::Stopped:
        if (!search.isFound)
            break;
        const std::size_t colon = afterBlanks(near, walk.at());
        return colon == near.size() ? Begins::Unknown : near[colon] == ':' ? Begins::Yes : Begins::Perhaps;
    }
    return Begins::Perhaps;
}

Begins eventBegins(std::string_view text, std::size_t brace)
{
    return isEventStart(text, brace) ? Begins::Yes : hasKey(text, brace, phaseKey);
}

Begins documentBegins(std::string_view text, std::size_t bracket)
{
    constexpr std::size_t longestKey = 40;
    if (text[bracket] == '{') {
        const std::string_view key = firstKey(text, bracket);
        if (key.empty())
            return bracket + longestKey > text.size() ? Begins::Unknown : Begins::No;
        return isHeadKey(key) ? Begins::Yes : Begins::No;
    }
    const std::size_t brace = afterBlanks(text, bracket + 1);
    if (brace == text.size())
        return Begins::Unknown;
    return text[brace] == '{' ? eventBegins(text, brace) : Begins::No;
}

bool standsBehindObject(std::string_view text, std::size_t brace)
{
    const std::size_t comma = beforeBlanks(text, brace);
    if (comma == npos || text[comma] != ',')
        return false;
    const std::size_t closing = beforeBlanks(text, comma);
    return closing != npos && text[closing] == '}';
}

bool isEventBoundary(std::string_view text, std::size_t brace)
{
    return standsBehindObject(text, brace)
        && (isEventKey(firstKey(text, brace)) || eventBegins(text, brace) == Begins::Yes);
}

std::size_t nextPhase(std::string_view text, std::size_t from)
{
    for (std::size_t at = text.find(phaseKey, from); at != npos; at = text.find(phaseKey, at + 1)) {
        const std::size_t colon = afterBlanks(text, at + phaseKey.size());
        const std::size_t value = afterBlanks(text, std::min(colon + 1, text.size()));
        if (value < text.size() && text[colon] == ':' && text[value] == '"')
            return at;
    }
    return npos;
}

std::size_t countPhases(std::string_view text)
{
    std::size_t count = 0;
    for (std::size_t at = nextPhase(text, 0); at != npos; at = nextPhase(text, at + 1))
        ++count;
    return count;
}

} // namespace collscope
