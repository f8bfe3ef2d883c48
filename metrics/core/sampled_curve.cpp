// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/core/sampled_curve.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace collscope {

namespace {

constexpr std::size_t blockSize = 64;
/// A counter that pauses for more than this many periods was not sampled in the meantime.
constexpr std::int64_t longestPause = 2;

void include(SampledCurve::Extremes& extremes, double value)
{
    if (std::isnan(value))
        return;
    extremes.low = std::min(extremes.low, value);
    extremes.high = std::max(extremes.high, value);
}

std::int64_t medianPeriod(std::span<const std::int64_t> times)
{
    if (times.size() < 2)
        return 0;
    std::vector<std::int64_t> periods(times.size() - 1);
    for (std::size_t i = 0; i < periods.size(); ++i)
        periods[i] = times[i + 1] - times[i];
    const auto middle = periods.begin() + static_cast<std::ptrdiff_t>(periods.size() / 2);
    std::nth_element(periods.begin(), middle, periods.end());
    return *middle;
}

} // namespace

double StepFunction::highest() const
{
    double highest = 0;
    for (const double one : value)
        highest = one > highest ? one : highest; // false for NaN
    return highest;
}

SampledCurve::SampledCurve(std::shared_ptr<const StepFunction> steps)
{
    const std::span<const std::int64_t> times(steps->timeNs);
    if (times.size() > 1) {
        m_begins = times.first(times.size() - 1);
        m_ends = times.subspan(1);
        m_values = std::span(steps->value).first(m_ends.size());
    }
    m_owner = std::move(steps);
    summarise();
}

SampledCurve::SampledCurve(std::shared_ptr<const LinkSeries> link)
    : m_begins(link->beginNs)
    , m_ends(link->endNs)
    , m_bytes(link->bytes)
{
    m_owner = std::move(link);
    summarise();
}

SampledCurve::SampledCurve(std::shared_ptr<const CounterSeries> counter)
    : m_ends(counter->timeNs)
    , m_values(counter->value)
    , m_periodNs(medianPeriod(m_ends))
{
    m_owner = std::move(counter);
    summarise();
}

void SampledCurve::summarise()
{
    auto blocks = std::make_shared<std::vector<Extremes>>((size() + blockSize - 1) / blockSize);
    for (std::size_t i = 0; i < size(); ++i) {
        const double one = value(i);
        include((*blocks)[i / blockSize], one);
        if (one > 0 && (!m_lowestPositive || one < *m_lowestPositive))
            m_lowestPositive = one;
    }
    m_blocks = std::move(blocks);
}

TimeRange SampledCurve::range(std::size_t i) const
{
    const std::int64_t end = m_ends[i];
    if (!m_begins.empty())
        return {m_begins[i], end};
    const bool isAlone = i == 0 || end - m_ends[i - 1] > longestPause * m_periodNs;
    return {isAlone ? end - m_periodNs : m_ends[i - 1], end};
}

double SampledCurve::value(std::size_t i) const
{
    return m_bytes.empty() ? m_values[i] : gigabytesPerSecond(m_bytes[i], m_ends[i] - m_begins[i]);
}

std::size_t SampledCurve::firstEndingAfter(std::int64_t timeNs) const
{
    return static_cast<std::size_t>(std::upper_bound(m_ends.begin(), m_ends.end(), timeNs) - m_ends.begin());
}

std::optional<std::size_t> SampledCurve::sampleAt(std::int64_t timeNs) const
{
    const std::size_t at = firstEndingAfter(timeNs);
    const bool isSampled = at < size() && range(at).beginNs <= timeNs && !std::isnan(value(at));
    return isSampled ? std::optional(at) : std::nullopt;
}

SampledCurve::Extremes SampledCurve::extremes(std::size_t first, std::size_t last) const
{
    Extremes found;
    while (first < last) {
        if (first % blockSize == 0 && first + blockSize <= last) {
            const Extremes& block = (*m_blocks)[first / blockSize];
            found.low = std::min(found.low, block.low);
            found.high = std::max(found.high, block.high);
            first += blockSize;
        } else {
            include(found, value(first));
            ++first;
        }
    }
    return found;
}

double SampledCurve::highest() const
{
    const Extremes all = extremes(0, size());
    return all.isEmpty() ? 0 : all.high;
}

} // namespace collscope
