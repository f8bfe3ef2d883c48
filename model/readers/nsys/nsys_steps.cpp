// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/nsys/nsys_steps.h"

#include "model/readers/text/json_blanks.h"
#include "model/text/lower_case.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

namespace collscope {

namespace {

/// The number after the blanks at the start of `text`; `rest` is set to the text after the number.
std::optional<std::int64_t> blanksAndNumber(std::string_view text, std::string_view* rest = nullptr)
{
    const std::size_t digits = text.find_first_not_of(jsonBlanks);
    if (digits == 0 || digits == std::string_view::npos || text[digits] < '0' || text[digits] > '9')
        return std::nullopt;
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data() + digits, text.data() + text.size(), number);
    if (error != std::errc())
        return std::nullopt;
    if (rest)
        *rest = text.substr(static_cast<std::size_t>(end - text.data()));
    return number;
}

/// The number of the first "<words> <number>" anywhere in the text.
std::optional<std::int64_t> stepAfter(std::string_view text, std::string_view words)
{
    for (std::size_t at = text.find(words); at != std::string_view::npos; at = text.find(words, at + 1)) {
        if (const auto number = blanksAndNumber(text.substr(at + words.size())))
            return number;
    }
    return std::nullopt;
}

std::optional<std::int64_t> trainStep(std::string_view text)
{
    const auto number = stepAfter(text, "train step");
    return number ? number : stepAfter(text, "training step");
}

std::optional<std::int64_t> iteration(std::string_view text)
{
    return stepAfter(text, "iteration");
}

/// The number if the text is just "step 3"; "zero step 3 of optimizer" means something else.
std::optional<std::int64_t> bareStep(std::string_view text)
{
    constexpr std::string_view word = "step";
    if (!text.starts_with(word))
        return std::nullopt;
    std::string_view rest;
    const auto number = blanksAndNumber(text.substr(word.size()), &rest);
    return number && rest.find_first_not_of(jsonBlanks) == std::string_view::npos ? number : std::nullopt;
}

bool isOptimizerStep(std::string_view text)
{
    const std::size_t at = text.find("optimizer");
    if (at == std::string_view::npos)
        return false;
    const std::string_view rest = text.substr(at);
    return rest.find(".step") != std::string_view::npos || rest.find("_step") != std::string_view::npos
        || rest.find(" step") != std::string_view::npos || rest.find("::step") != std::string_view::npos;
}

} // namespace

void NvtxSteps::add(StringId name, std::string_view text, TimeRange range, std::int64_t thread)
{
    const std::string lower = lowered(text);
    // Nearly all ranges are operators; only these words can mark a step.
    if (lower.find("step") == std::string::npos && lower.find("iteration") == std::string::npos)
        return;
    constexpr std::optional<std::int64_t> (*patterns[patternCount])(std::string_view)
        = {trainStep, iteration, bareStep};
    for (int pattern = 0; pattern < patternCount; ++pattern) {
        const std::optional<std::int64_t> number = patterns[pattern](lower);
        if (!number)
            continue;
        const auto [found, isNew]
            = m_numbered[pattern].try_emplace(*number, NumberedStep{{*number, name, range}, thread});
        if (!isNew) {
            found->second.step.range = found->second.step.range.united(range);
            m_repeated |= found->second.thread == thread;
        }
        return;
    }
    if (isOptimizerStep(lower))
        m_optimizerSteps[thread].push_back({0, name, range});
}

std::vector<Step> NvtxSteps::steps(StepSource& source) const
{
    std::vector<Step> steps;
    for (const ByNumber& numbered : m_numbered) {
        for (const auto& [number, marker] : numbered)
            steps.push_back(marker.step);
        if (!steps.empty()) {
            source = StepSource::NvtxStep;
            return steps;
        }
    }
    const auto busiest
        = std::max_element(m_optimizerSteps.begin(), m_optimizerSteps.end(),
                           [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
    if (busiest == m_optimizerSteps.end())
        return steps;
    std::vector<Step> markers = busiest->second;
    std::sort(markers.begin(), markers.end(),
              [](const Step& a, const Step& b) { return a.range.beginNs < b.range.beginNs; });
    // A marker inside another one belongs to the same step (a wrapper around the optimizer's own marker).
    std::size_t kept = 0;
    for (std::size_t i = 1; i < markers.size(); ++i) {
        if (markers[i].range.beginNs >= markers[kept].range.endNs)
            markers[++kept] = markers[i];
    }
    for (std::size_t i = 0; i < kept; ++i)
        steps.push_back({static_cast<std::int64_t>(i),
                         markers[i].name,
                         {markers[i].range.beginNs, markers[i + 1].range.beginNs}});
    if (!steps.empty())
        source = StepSource::OptimizerMarker;
    return steps;
}

} // namespace collscope
