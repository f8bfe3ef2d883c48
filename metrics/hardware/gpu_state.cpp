// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/hardware/gpu_state.h"

#include "model/text/wall_clock_text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace collscope {

namespace {

struct ReasonRow
{
    ThrottleReason reason;
    std::string_view text;
};
constexpr std::array reasonRows{
    ReasonRow{ThrottleReason::Idle, "idle"},
    ReasonRow{ThrottleReason::ApplicationClocks, "clocks set by the user"},
    ReasonRow{ThrottleReason::PowerCap, "power cap"},
    ReasonRow{ThrottleReason::HardwareSlowdown, "hardware slowdown"},
    ReasonRow{ThrottleReason::SyncBoost, "clocks tied to those of another GPU"},
    ReasonRow{ThrottleReason::SoftwareThermal, "software thermal slowdown"},
    ReasonRow{ThrottleReason::HardwareThermal, "hardware thermal slowdown"},
    ReasonRow{ThrottleReason::PowerBrake, "hardware power brake"},
    ReasonRow{ThrottleReason::DisplayClocks, "clocks set for a display"},
    ReasonRow{ThrottleReason::SomePower, "power limit"},
    ReasonRow{ThrottleReason::SomeThermal, "heat"},
    ReasonRow{ThrottleReason::Unnamed, "throttled, not said why"},
};

/// Under this utilisation, in percent, a GPU is not loaded.
constexpr double loadedPercent = 50;
/// A sample farther from a range does not show what happened in it: the program that samples had paused.
constexpr std::int64_t nearPeriods = 2;

/// The value of a series at samples that come in ascending order.
class Cursor
{
public:
    explicit Cursor(const HardwareSeries* series)
        : m_series(series)
    { }
    double at(std::uint32_t sample)
    {
        if (!m_series)
            return std::numeric_limits<double>::quiet_NaN();
        if (!m_hasBegun) {
            m_next = static_cast<std::size_t>(
                std::upper_bound(m_series->row.begin(), m_series->row.end(), sample) - m_series->row.begin());
            m_hasBegun = true;
        }
        while (m_next < m_series->row.size() && m_series->row[m_next] <= sample)
            ++m_next;
        return m_next == 0 ? std::numeric_limits<double>::quiet_NaN() : m_series->value[m_next - 1];
    }

private:
    const HardwareSeries* m_series;
    std::size_t m_next = 0;
    bool m_hasBegun = false;
};

std::optional<double> middleSample(std::vector<double>& values)
{
    if (values.empty())
        return std::nullopt;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// Adds up the samples of a device.
class StateSums
{
public:
    explicit StateSums(const HardwareDevice& device)
        : m_timeNs(device.timeNs)
        , m_clock(device.find(HardwareQuantity::SmClock))
        , m_load(device.find(HardwareQuantity::Utilisation))
        , m_reasons(device.find(HardwareQuantity::ThrottleReasons))
        , m_temperature(device.find(HardwareQuantity::Temperature))
        , m_power(device.find(HardwareQuantity::Power))
        , m_limit(device.find(HardwareQuantity::PowerLimit))
    { }

    /// Precondition: samples in order.
    void add(std::uint32_t sample)
    {
        ++m_state.samples;
        addMoment(sample);
        const double reasons = m_reasons.at(sample);
        const auto bits = std::isnan(reasons) ? 0u : static_cast<std::uint32_t>(reasons);
        const double load = m_load.at(sample);
        m_state.areReasonsKnown |= !std::isnan(reasons);
        m_state.isLoadKnown |= !std::isnan(load);
        const bool isIdle
            = (bits & static_cast<std::uint32_t>(ThrottleReason::Idle)) != 0 || load < loadedPercent;
        addReasons(bits);
        if (const double temperature = m_temperature.at(sample); !std::isnan(temperature))
            m_state.temperature = std::max(m_state.temperature.value_or(temperature), temperature);
        if (const double limit = m_limit.at(sample); !std::isnan(limit))
            m_state.powerLimit = limit;
        if (isIdle)
            return;
        ++m_state.loaded;
        if (const double clock = m_clock.at(sample); !std::isnan(clock))
            m_clocks.push_back(clock);
        if (const double power = m_power.at(sample); !std::isnan(power))
            m_powers.push_back(power);
    }
    GpuState finish()
    {
        m_state.clockMhz = middleSample(m_clocks);
        m_state.power = middleSample(m_powers);
        for (std::size_t i = 0; i < reasonRows.size(); ++i) {
            if (m_counts[i] > 0)
                m_state.reasons.emplace_back(reasonRows[i].reason, m_counts[i]);
        }
        std::stable_sort(m_state.reasons.begin(), m_state.reasons.end(),
                         [](const auto& a, const auto& b) { return a.second > b.second; });
        return std::move(m_state);
    }

private:
    void addMoment(std::uint32_t sample)
    {
        if (!m_timeNs.empty() && m_lastNs == m_timeNs[sample])
            return;
        ++m_state.moments;
        if (!m_timeNs.empty())
            m_lastNs = m_timeNs[sample];
    }
    void addReasons(std::uint32_t bits)
    {
        m_state.troubled += (bits & troubleReasons) != 0 ? 1 : 0;
        m_state.capped += (bits & powerReasons) != 0 ? 1 : 0;
        m_state.chosen += (bits & static_cast<std::uint32_t>(ThrottleReason::ApplicationClocks)) != 0 ? 1 : 0;
        for (std::size_t i = 0; bits != 0 && i < reasonRows.size(); ++i)
            m_counts[i] += (bits & static_cast<std::uint32_t>(reasonRows[i].reason)) != 0 ? 1 : 0;
    }

    const std::vector<std::int64_t>& m_timeNs;
    std::optional<std::int64_t> m_lastNs;
    Cursor m_clock, m_load, m_reasons, m_temperature, m_power, m_limit;
    GpuState m_state;
    std::vector<double> m_clocks, m_powers;
    std::array<std::int64_t, reasonRows.size()> m_counts{};
};

/// The rows of a time range.
std::pair<std::size_t, std::size_t> samplesIn(const HardwareDevice& device, std::int64_t toUtcNs,
                                              TimeRange range)
{
    const auto& times = device.timeNs;
    const auto first = std::lower_bound(times.begin(), times.end(), range.beginNs - toUtcNs);
    const auto last = std::lower_bound(first, times.end(), range.endNs - toUtcNs);
    return {static_cast<std::size_t>(first - times.begin()), static_cast<std::size_t>(last - times.begin())};
}

/// The increments of a counter in the rows [first, last).
std::optional<double> increaseOfRows(const HardwareSeries& counter, std::size_t first, std::size_t last)
{
    double sum = 0;
    std::optional<double> before;
    bool hasTwo = false;
    const auto begin
        = std::upper_bound(counter.row.begin(), counter.row.end(), static_cast<std::uint32_t>(first));
    auto change = begin == counter.row.begin() ? begin : begin - 1;
    for (; change != counter.row.end() && *change < last; ++change) {
        const double value = counter.value[static_cast<std::size_t>(change - counter.row.begin())];
        if (std::isnan(value))
            continue;
        if (before) {
            sum += value >= *before ? value - *before : value;
            hasTwo = true;
        }
        before = value;
    }
    // A value that stays the same is stored once.
    return hasTwo || (before && last - first >= 2) ? std::optional(sum) : std::nullopt;
}

} // namespace

GpuState gpuStateIn(const HardwareDevice& device, std::int64_t toUtcNs, std::span<const TimeRange> ranges)
{
    StateSums sums(device);
    std::size_t done = 0;
    for (const TimeRange range : ranges) {
        const auto [first, last] = samplesIn(device, toUtcNs, range);
        for (std::size_t row = std::max(first, done); row < last; ++row)
            sums.add(static_cast<std::uint32_t>(row));
        done = std::max(done, last);
    }
    return sums.finish();
}

GpuState gpuStateOf(const HardwareDevice& device)
{
    StateSums sums(device);
    for (std::uint32_t row = 0; row < device.samples; ++row)
        sums.add(row);
    return sums.finish();
}

std::string apartText(const GpuState& state, std::int64_t periodNs)
{
    if (periodNs <= 0)
        return {};
    return (state.moments < state.samples ? ", their times " : ", ") + aboutText(periodNs) + " apart";
}

std::optional<double> increaseOf(const HardwareDevice& device, const HardwareSeries& counter)
{
    return increaseOfRows(counter, 0, device.samples);
}

std::optional<CounterRise> increaseIn(const HardwareDevice& device, const HardwareSeries& counter,
                                      std::int64_t toUtcNs, TimeRange range, bool isStrict)
{
    const auto [first, last] = samplesIn(device, toUtcNs, range);
    const std::size_t before = first > 0 ? first - 1 : first;
    const std::size_t behind = last < device.samples ? last + 1 : last;
    const auto utcOf = [&](std::size_t row) { return device.timeNs[row] + toUtcNs; };
    const std::int64_t reachNs = nearPeriods * device.periodNs;
    const bool isNearBefore = before < first && range.beginNs - utcOf(before) <= reachNs;
    const bool isNearBehind = last < behind && utcOf(last) - range.endNs <= reachNs;
    const auto near = increaseOfRows(counter, isNearBefore ? before : first, isNearBehind ? behind : last);
    const auto whole = isStrict ? std::nullopt : increaseOfRows(counter, before, behind);
    if (whole && *whole > near.value_or(0))
        return CounterRise{*whole, TimeRange{utcOf(before), utcOf(behind - 1)}};
    return near ? std::optional(CounterRise{*near, std::nullopt}) : std::nullopt;
}

bool fallsRepeatedly(const HardwareSeries& counter)
{
    int falls = 0;
    std::optional<double> before;
    for (const double value : counter.value) {
        if (std::isnan(value))
            continue;
        falls += before && value < *before ? 1 : 0;
        if (falls > 1)
            return true;
        before = value;
    }
    return false;
}

std::string_view reasonText(ThrottleReason reason)
{
    const auto row = std::find_if(reasonRows.begin(), reasonRows.end(),
                                  [&](const ReasonRow& known) { return known.reason == reason; });
    return row == reasonRows.end() ? std::string_view() : row->text;
}

} // namespace collscope
