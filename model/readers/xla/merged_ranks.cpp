// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/xla/merged_ranks.h"

#include "model/text/lower_case.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <set>
#include <utility>

namespace collscope {

namespace {

/// In sort order: "rank" is used alone; then pipeline, data, expert and tensor parallel ranks.
constexpr std::array<std::string_view, 5> dimensions{"rank", "pp", "dp", "ep", "tp"};
using Label = std::array<std::int32_t, dimensions.size()>; ///< the number for each dimension, -1 = not stated

std::optional<std::int32_t> leadingNumber(std::string_view text)
{
    std::int32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && number >= 0 ? std::optional(number) : std::nullopt;
}

/// The number after the name of a dimension, if the name is a separate word: "step 1" and "http 8001" do not
/// contain "ep" and "tp".
std::optional<std::int32_t> numberOf(std::string_view dimension, std::string_view text)
{
    const auto isLetter = [](char c) { return c >= 'a' && c <= 'z'; };
    for (std::size_t at = text.find(dimension); at != std::string_view::npos;
         at = text.find(dimension, at + 1)) {
        if (at > 0 && isLetter(text[at - 1]))
            continue;
        std::string_view rest = text.substr(at + dimension.size());
        rest.remove_prefix(std::min(rest.find_first_not_of(" _-:#"), rest.size()));
        if (const auto number = leadingNumber(rest))
            return number;
    }
    return std::nullopt;
}

/// The numbers after the names of dimensions: "[tp01-pp00]", "rank 1", "rank_1". nullopt if there are none.
std::optional<Label> labelOf(std::string_view text)
{
    Label label;
    label.fill(-1);
    bool any = false;
    for (std::size_t i = 0; i < dimensions.size(); ++i) {
        if (const auto number = numberOf(dimensions[i], text)) {
            label[i] = *number;
            any = true;
        }
    }
    return any ? std::optional(label) : std::nullopt;
}

/// The label at the front of a pid or a name.
std::optional<Label> frontLabel(const std::string& text)
{
    const std::string lower = lowered(text);
    if (lower.starts_with('[')) {
        const std::size_t end = lower.find(']');
        return end == std::string::npos ? std::nullopt : labelOf(std::string_view(lower).substr(0, end));
    }
    return lower.starts_with("rank") ? labelOf(lower) : std::nullopt;
}

/// The ranks of the labels: a single number is the rank itself, other labels are numbered in sort order.
RankOfPid ranksOf(const std::map<std::string, Label>& labels)
{
    std::set<Label> distinct;
    bool isPlain = true; // each label has one number, all of the same dimension
    std::set<std::size_t> said;
    for (const auto& [pid, label] : labels) {
        distinct.insert(label);
        std::size_t numbers = 0;
        for (std::size_t i = 0; i < label.size(); ++i) {
            if (label[i] >= 0) {
                said.insert(i);
                ++numbers;
            }
        }
        isPlain &= numbers == 1;
    }
    isPlain &= said.size() == 1;
    RankOfPid ranks;
    for (const auto& [pid, label] : labels)
        ranks[pid] = isPlain
            ? label[*said.begin()]
            : static_cast<std::int32_t>(std::distance(distinct.begin(), distinct.find(label)));
    return ranks;
}

bool holdsSeveral(const RankOfPid& ranks)
{
    std::set<std::int32_t> distinct;
    for (const auto& [pid, rank] : ranks)
        distinct.insert(rank);
    return distinct.size() > 1;
}

} // namespace

RankOfPid mergedRanks(const std::vector<FragmentBuilder::Process>& processes, const RankOfPid& said)
{
    if (holdsSeveral(said))
        return said;
    std::map<std::string, Label> byPid;
    std::map<std::string, Label> byName;
    for (const FragmentBuilder::Process& process : processes) {
        if (const auto label = frontLabel(process.pid))
            byPid[process.pid] = *label;
        if (const auto label = frontLabel(process.name))
            byName[process.pid] = *label;
    }
    for (const auto& labels : {byPid, byName}) {
        if (RankOfPid ranks = ranksOf(labels); holdsSeveral(ranks))
            return ranks;
    }
    return {};
}

std::vector<std::int32_t> distinctRanks(const RankOfPid& ranks)
{
    std::vector<std::int32_t> distinct;
    for (const auto& [pid, rank] : ranks)
        distinct.push_back(rank);
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    return distinct;
}

bool finishRanks(TraceFragment& fragment, FragmentBuilder& builder, const RankOfPid& ranks,
                 const std::function<Timeline(FragmentBuilder&)>& timelineOf, const Parallel& parallel,
                 const std::function<bool(double)>& shouldContinue)
{
    const std::vector<std::int32_t> distinct = distinctRanks(ranks);
    std::vector<FragmentBuilder> parts = builder.split(distinct.size(), [&](const std::string& pid) {
        const auto rank = ranks.find(pid);
        return rank == ranks.end()
            ? 0
            : static_cast<std::size_t>(std::distance(
                distinct.begin(), std::lower_bound(distinct.begin(), distinct.end(), rank->second)));
    });
    for (std::size_t i = 0; i < parts.size(); ++i) {
        Timeline timeline = timelineOf(parts[i]);
        timeline.rank = distinct[i];
        const auto count = static_cast<double>(parts.size());
        const auto before = static_cast<double>(i);
        if (!parts[i].finish(fragment, std::move(timeline), parallel,
                             [&](double done) { return shouldContinue((before + done) / count); }))
            return false;
    }
    return true;
}

std::int32_t firstDeviceOf(FragmentBuilder& builder)
{
    for (std::uint32_t t = 0; t < builder.trackCount(); ++t) {
        if (builder.trackAt(t).kind == TrackKind::GpuStream && builder.trackAt(t).device >= 0)
            return builder.trackAt(t).device;
    }
    return -1;
}

} // namespace collscope
