// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/gate/change_limit.h"

#include "metrics/core/value.h"

#include <charconv>
#include <cmath>
#include <optional>

namespace collscope {

namespace {

/// A number without a sign, and a percent sign behind it, with or without a space between.
std::optional<double> percentOf(std::string_view text)
{
    if (!text.ends_with('%'))
        return std::nullopt;
    text.remove_suffix(1);
    if (text.ends_with(' '))
        text.remove_suffix(1);
    double percent = 0;
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, percent);
    const bool isRead = error == std::errc() && end == last && std::isfinite(percent) && percent >= 0;
    return isRead ? std::optional(percent) : std::nullopt;
}

Error usage(std::string sentence)
{
    return {Error::Kind::Usage, std::move(sentence)};
}

} // namespace

std::string ChangeLimit::text() const
{
    return (isOnGrowth ? "+" : "-") + numberText(percent) + " %";
}

Result<ChangeLimit> parseChangeLimit(const std::string& text, const MetricCatalog& catalog)
{
    const std::size_t sign = text.find('=');
    const std::string name = text.substr(0, sign);
    const std::string_view amount
        = sign == std::string::npos ? std::string_view() : std::string_view(text).substr(sign + 1);
    const bool isOnGrowth = amount.starts_with('+');
    const auto percent
        = isOnGrowth || amount.starts_with('-') ? percentOf(amount.substr(1)) : std::optional<double>();
    if (name.empty() || !percent)
        return usage("A limit is METRIC=+X% or METRIC=-X%, for instance avg_step_time=+2%, not '" + text
                     + "'.");
    auto metric = catalog.request(name);
    if (!metric)
        return metric.error();
    const MetricDirection direction = metric->metric->direction;
    if (isOnGrowth && direction == MetricDirection::HigherIsBetter)
        return usage("A higher " + name + " is better, so its limit says how much it may lose: " + name + "=-"
                     + numberText(*percent) + "%.");
    if (!isOnGrowth && direction == MetricDirection::LowerIsBetter)
        return usage("A lower " + name + " is better, so its limit says how much it may grow: " + name + "=+"
                     + numberText(*percent) + "%.");
    constexpr double whole = 100;
    if (!isOnGrowth && *percent >= whole)
        return usage("No value loses more than 100 %: a limit of -" + numberText(*percent)
                     + "% never applies.");
    return ChangeLimit{std::move(*metric), isOnGrowth, *percent};
}

} // namespace collscope
