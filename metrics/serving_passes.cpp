// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/serving_passes.h"

#include <algorithm>
#include <charconv>

namespace collscope {

namespace {

constexpr std::string_view contextPrefix = "execute_context_";

/// Context tokens of "execute_context_1(512)_generation_0(0)"; 0 if the name does not say.
std::int64_t contextTokens(std::string_view name)
{
    if (!name.starts_with(contextPrefix))
        return 0;
    const std::size_t open = name.find_first_not_of("0123456789", contextPrefix.size());
    if (open == std::string_view::npos || open == contextPrefix.size() || name[open] != '(')
        return 0;
    std::int64_t tokens = 0;
    const char* const last = name.data() + name.size();
    const auto [end, error] = std::from_chars(name.data() + open + 1, last, tokens);
    return error == std::errc() && end != last && *end == ')' ? tokens : 0;
}

/// The number right behind a part of a name: requests in "execute_context_1(512)_generation_0(0)"; 0 if there
/// is none.
std::int64_t requestsBehind(std::string_view part, std::string_view name)
{
    const std::size_t at = name.find(part);
    std::int64_t requests = 0;
    if (at != std::string_view::npos)
        std::from_chars(name.data() + at + part.size(), name.data() + name.size(), requests);
    return requests;
}

/// By string id: true for names of passes. Empty if there is none.
std::vector<bool> passNames(const TraceModel& model)
{
    std::vector<bool> isPass(model.strings.size(), false);
    bool any = false;
    for (std::size_t i = 0; i < isPass.size(); ++i) {
        isPass[i] = model.text(StringId{static_cast<std::uint32_t>(i)}).starts_with(contextPrefix);
        any |= isPass[i];
    }
    return any ? isPass : std::vector<bool>();
}

/// The annotations of passes in a timeline whose steps are something else (ProfilerStep#N around them).
std::vector<Step> annotatedPasses(const TraceModel& model, const Timeline& timeline,
                                  const std::vector<bool>& isPass)
{
    std::vector<Step> passes;
    for (const TrackId id : timeline.tracks) {
        const Track& track = model.track(id);
        if (track.kind != TrackKind::CpuThread)
            continue;
        const SliceColumns& slices = track.slices;
        for (std::size_t row = 0; row < slices.size(); ++row) {
            const bool marks = slices.category[row] == SliceCategory::UserAnnotation
                || slices.category[row] == SliceCategory::Nvtx;
            if (marks && isPass[slices.name[row].value])
                passes.push_back({0, slices.name[row], slices.range(row)});
        }
    }
    std::sort(passes.begin(), passes.end(),
              [](const Step& a, const Step& b) { return a.range.beginNs < b.range.beginNs; });
    for (std::size_t i = 0; i < passes.size(); ++i)
        passes[i].number = static_cast<std::int64_t>(i);
    return passes;
}

/// Precondition: there are passes.
ServingPasses divided(const TraceModel& model, const Timeline& timeline, std::vector<Step> passes)
{
    ServingPasses result;
    result.timeline = &timeline;
    result.passes = std::move(passes);
    const auto readsPrompt = [&](const Step& pass) { return contextTokens(model.text(pass.name)) > 0; };
    const auto begin = result.passes.begin();
    const auto end = result.passes.end();
    const auto first = std::find_if(begin, end, readsPrompt);
    if (first == end) {
        result.prefillEnd = 1;
        return result;
    }
    const auto after = std::find_if_not(first, end, readsPrompt);
    result.prefillBegin = static_cast<std::size_t>(first - begin);
    result.prefillEnd = static_cast<std::size_t>(after - begin);
    result.isInterleaved = std::any_of(after, end, readsPrompt);
    return result;
}

} // namespace

PassKind passKindOf(std::string_view name)
{
    if (!name.starts_with(contextPrefix))
        return PassKind::None;
    const bool generates = requestsBehind("_generation_", name) > 0;
    if (requestsBehind(contextPrefix, name) > 0)
        return generates ? PassKind::Mixed : PassKind::Prefill;
    return generates ? PassKind::Decode : PassKind::None;
}

bool namesPasses(const TraceModel& model)
{
    return !passNames(model).empty();
}

std::vector<RankPasses> findPasses(const TraceModel& model, const Selection& selection, bool xla)
{
    const std::vector<bool> isPass = passNames(model);
    std::vector<RankPasses> ranks;
    for (const RankWindows& windows : selection.ranks) {
        RankPasses rank{windows.rank, {}};
        for (const RankWindows::Part& part : windows.parts) {
            const StepSource source = part.timeline->stepSource;
            std::vector<Step> passes;
            if (source == StepSource::ExecuteContext || source == StepSource::RunBatch
                || (source == StepSource::XlaStep && xla))
                passes = part.timeline->steps;
            else if (!isPass.empty())
                passes = annotatedPasses(model, *part.timeline, isPass);
            if (!passes.empty())
                rank.parts.push_back(divided(model, *part.timeline, std::move(passes)));
        }
        if (!rank.parts.empty())
            ranks.push_back(std::move(rank));
    }
    return ranks;
}

} // namespace collscope
