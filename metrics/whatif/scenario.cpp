// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/whatif/scenario.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace collscope {

namespace {

constexpr ChangeWord words[changeKindCount] = {
    {ChangeKind::Rank, "rank", "rank=R", "rank R (or 1,3 or 4-7 or host:NAME) is as fast as its peers"},
    {ChangeKind::Late, "late", "late", "no rank is slower than usual"},
    {ChangeKind::Stages, "stages", "stages=balanced", "all stages of the pipeline compute equally long"},
    {ChangeKind::Kernels, "kernels", "kernels=REGEX:50%", "kernels of that name take 50 % of their time"},
    {ChangeKind::Input, "input", "input=0", "loading of data takes no time"},
    {ChangeKind::Launches, "launches", "launches=0", "the work of the CPU takes no time"},
    {ChangeKind::Bandwidth, "bandwidth", "bandwidth=2",
     "communication has twice the bandwidth; bandwidth=dp:2, inside:2 or across:2 only there"},
    {ChangeKind::Communication, "comm", "comm=0", "communication takes no time; comm=dp:0 only there"},
    {ChangeKind::Overlapped, "comm", "comm=overlapped",
     "communication is hidden as far as possible; comm=dp:overlapped only there"},
};

std::optional<std::int32_t> rankOf(std::string_view text)
{
    constexpr std::int32_t largest = 999'999;
    std::int32_t rank = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rank);
    const bool isRank
        = error == std::errc() && end == text.data() + text.size() && rank >= 0 && rank <= largest;
    return isRank ? std::optional(rank) : std::nullopt;
}

/// nullopt if the text is not just a number.
std::optional<double> numberOf(std::string_view text)
{
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

constexpr std::size_t mostRanks = 1'000'000;

/// "1,3,4-7".
bool readRanks(std::string_view text, std::vector<std::int32_t>& ranks)
{
    while (!text.empty()) {
        const std::size_t comma = std::min(text.find(','), text.size());
        const std::string_view item = text.substr(0, comma);
        text.remove_prefix(std::min(comma + 1, text.size()));
        const std::size_t dash = item.find('-');
        const auto first = rankOf(item.substr(0, dash));
        const auto last = dash == std::string_view::npos ? first : rankOf(item.substr(dash + 1));
        if (!first || !last || *last < *first)
            return false;
        if (static_cast<std::size_t>(*last - *first) >= mostRanks - std::min(ranks.size(), mostRanks))
            return false;
        for (std::int32_t rank = *first; rank <= *last; ++rank)
            ranks.push_back(rank);
    }
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    return !ranks.empty();
}

std::string readRank(std::string_view value, Change& change)
{
    constexpr std::string_view host = "host:";
    if (value.starts_with(host)) {
        change.host = value.substr(host.size());
        return change.host.empty() ? "names no host" : "";
    }
    return readRanks(value, change.ranks) ? "" : "is not a list of ranks such as 5 or 1,3 or 4-7";
}

std::string readKernels(std::string_view value, Change& change)
{
    const std::size_t colon = value.rfind(':');
    if (colon == std::string_view::npos || !value.ends_with('%'))
        return "does not end with a share such as :50%";
    const auto percent = numberOf(value.substr(colon + 1, value.size() - colon - 2));
    constexpr double mostPercent = 1000;
    if (!percent || *percent < 0 || *percent > mostPercent)
        return "has no share from 0 % to 1000 %";
    change.factor = *percent / 100;
    const std::string error = setNamePattern(change.kernels, std::string(value.substr(0, colon)));
    return error.empty() ? "" : "has a pattern that " + error;
}

/// Takes "dp:" off "dp:2".
std::string readScope(std::string_view& value, Change& change)
{
    const std::size_t colon = value.rfind(':');
    if (colon == std::string_view::npos)
        return "";
    change.scope = value.substr(0, colon);
    constexpr std::string_view scopes[] = {"tp", "dp", "pp", "cp", "ep", "global", "inside", "across"};
    if (std::find(std::begin(scopes), std::end(scopes), change.scope) == std::end(scopes))
        return "names none of tp, dp, pp, cp, ep, global, inside and across";
    value.remove_prefix(colon + 1);
    return "";
}

std::string readBandwidth(std::string_view value, Change& change)
{
    if (std::string error = readScope(value, change); !error.empty())
        return error;
    const auto factor = numberOf(value);
    constexpr double least = 0.01;
    constexpr double most = 1000;
    if (!factor || *factor < least || *factor > most)
        return "has no factor from 0.01 to 1000";
    change.factor = *factor;
    return "";
}

std::string readCommunication(std::string_view value, Change& change)
{
    if (std::string error = readScope(value, change); !error.empty())
        return error;
    change.kind = value == "overlapped" ? ChangeKind::Overlapped : ChangeKind::Communication;
    return value == "overlapped" || value == "0" ? "" : "can only be 0 or overlapped";
}

std::string mustBe(std::string_view value, std::string_view wanted)
{
    return value == wanted ? "" : "can only be " + std::string(wanted);
}

/// Reads one change. Returns what is wrong with it, as the end of a sentence.
std::string readChange(std::string_view text, Change& change)
{
    const std::size_t equals = std::min(text.find('='), text.size());
    const std::string_view word = text.substr(0, equals);
    const std::string_view value = text.substr(std::min(equals + 1, text.size()));
    const auto known = std::find_if(std::begin(words), std::end(words),
                                    [&](const ChangeWord& own) { return own.word == word; });
    if (known == std::end(words))
        return "is not known";
    change.kind = known->kind;
    switch (known->kind) {
    case ChangeKind::Rank:
        return readRank(value, change);
    case ChangeKind::Late:
        return equals == text.size() ? "" : "has no value";
    case ChangeKind::Stages:
        return mustBe(value, "balanced");
    case ChangeKind::Kernels:
        return readKernels(value, change);
    case ChangeKind::Bandwidth:
        return readBandwidth(value, change);
    case ChangeKind::Communication:
    case ChangeKind::Overlapped:
        return readCommunication(value, change);
    case ChangeKind::Input:
    case ChangeKind::Launches:
        return mustBe(value, "0");
    }
    return {};
}

void sortChanges(Scenario& scenario)
{
    std::stable_sort(scenario.changes.begin(), scenario.changes.end(),
                     [](const Change& a, const Change& b) { return a.kind < b.kind; });
}

} // namespace

std::span<const ChangeWord> changeWords()
{
    return words;
}

std::variant<Scenario, std::string> parseScenario(std::string_view spec)
{
    Scenario scenario{.spec = std::string(spec), .changes = {}};
    // A pattern may contain '+': a change begins only where a word follows.
    std::size_t begin = 0;
    while (begin <= spec.size()) {
        std::size_t end = spec.size();
        for (std::size_t plus = spec.find('+', begin); plus != std::string_view::npos;
             plus = spec.find('+', plus + 1)) {
            const std::string_view rest = spec.substr(plus + 1);
            const bool isWord = std::any_of(std::begin(words), std::end(words), [&](const ChangeWord& own) {
                if (!rest.starts_with(own.word))
                    return false;
                const std::string_view after = rest.substr(own.word.size());
                return own.word == own.form ? after.empty() || after.front() == '+' : after.starts_with('=');
            });
            if (isWord) {
                end = plus;
                break;
            }
        }
        Change change;
        const std::string error = readChange(spec.substr(begin, end - begin), change);
        if (!error.empty())
            return "The scenario \"" + std::string(spec.substr(begin, end - begin)) + "\" " + error + ".";
        scenario.changes.push_back(std::move(change));
        begin = end + 1;
    }
    sortChanges(scenario);
    return scenario;
}

Scenario joined(const Scenario& first, const Scenario& second)
{
    Scenario both{.spec = first.spec + "+" + second.spec, .changes = first.changes};
    both.changes.insert(both.changes.end(), second.changes.begin(), second.changes.end());
    sortChanges(both);
    return both;
}

std::optional<Scenario> scenarioOfKernel(std::string_view name, int percent)
{
    std::string pattern = "^";
    for (const char c : name) {
        if (std::string_view("\\^$.|?*+()[]{}/").find(c) != std::string_view::npos)
            pattern += '\\';
        pattern += c;
    }
    auto read = parseScenario("kernels=" + pattern + "$:" + std::to_string(percent) + "%");
    auto* const scenario = std::get_if<Scenario>(&read);
    if (!scenario || scenario->changes.size() != 1)
        return std::nullopt;
    scenario->changes.front().label = name;
    return std::move(*scenario);
}

} // namespace collscope
