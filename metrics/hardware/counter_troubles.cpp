// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/hardware/counter_troubles.h"

#include "metrics/core/duration_text.h"
#include "model/text/printable_text.h"
#include "model/text/wall_clock_text.h"

#include <algorithm>

namespace collscope {

namespace {

struct CounterRow
{
    HardwareQuantity quantity;
    std::string_view one, many;
    bool isGrave; ///< trouble wherever it rises
};
constexpr CounterRow counterRows[] = {
    {HardwareQuantity::EccUncorrected, "uncorrectable ECC error", "uncorrectable ECC errors", true},
    {HardwareQuantity::NvlinkRecoveries, "NVLink recovery", "NVLink recoveries", true},
    {HardwareQuantity::NvlinkReplays, "NVLink replay", "NVLink replays", false},
    {HardwareQuantity::NvlinkCrc, "NVLink CRC error", "NVLink CRC errors", false},
    {HardwareQuantity::EccCorrected, "corrected ECC error", "corrected ECC errors", false},
    {HardwareQuantity::PcieReplays, "PCIe replay", "PCIe replays", false},
    {HardwareQuantity::LinkErrors, "", "", false},
};

/// A counter that rises more than this many times as fast as on the others is unusual.
constexpr double unusualFactor = 2;

std::optional<double> increaseOfRecord(const HardwareUnit::Recorded& record, const HardwareSeries& series,
                                       TimeRange time, bool isStrict)
{
    if (record.time.isPlaced())
        return increaseIn(*record.device, series, record.time.toUtcNs, time);
    if (record.time.kind == RecordTime::Kind::Elsewhere || isStrict)
        return std::nullopt;
    return increaseOf(*record.device, series);
}

} // namespace

CounterIncreases::Increase CounterIncreases::of(const HardwareUnit& unit, HardwareQuantity quantity,
                                                std::string_view name) const
{
    Increase most;
    for (const HardwareUnit::Recorded& record : unit.records) {
        for (const HardwareSeries& series : record.device->series) {
            if (series.quantity != quantity || series.name != name)
                continue;
            const auto by = increaseOfRecord(record, series, m_time, m_isStrict);
            if (by && *by > most.by)
                most = {*by, &record};
        }
    }
    return most;
}

double CounterIncreases::usual(const HardwareUnit& unit, HardwareQuantity quantity, std::string_view name,
                               double own)
{
    const auto [known, isNew] = m_sorted.try_emplace(Key(unit.kind, quantity, name));
    std::vector<double>& all = known->second;
    if (isNew) {
        for (const HardwareUnit& other : m_view.units) {
            if (other.kind == unit.kind)
                all.push_back(of(other, quantity, name).by);
        }
        std::sort(all.begin(), all.end());
    }
    if (all.size() < 2)
        return 0;
    const std::size_t middle = (all.size() - 1) / 2; // of the others
    return all[middle] >= own ? all[middle + 1] : all[middle];
}

CounterTroubles::CounterTroubles(CounterIncreases& increases, const HardwareUnit& unit)
    : m_time(increases.time())
{
    std::vector<std::pair<HardwareQuantity, std::string_view>> seen;
    const auto addSeries = [&](const CounterRow& row, const HardwareSeries& series) {
        const std::pair key(row.quantity, std::string_view(series.name));
        if (series.quantity != row.quantity || std::find(seen.begin(), seen.end(), key) != seen.end())
            return;
        seen.push_back(key);
        const CounterIncreases::Increase own = increases.of(unit, row.quantity, series.name);
        if (own.by <= 0
            || (!row.isGrave
                && own.by <= unusualFactor * increases.usual(unit, row.quantity, series.name, own.by)))
            return;
        if (!m_record)
            m_record = own.record;
        const std::string words = row.quantity == HardwareQuantity::LinkErrors
            ? "more " + printableLine(shortened(series.name))
            : std::string(own.by == 1 ? row.one : row.many);
        m_all.emplace_back(groupedText(own.by) + " " + words, own.by);
    };
    for (const CounterRow& row : counterRows) {
        for (const HardwareUnit::Recorded& record : unit.records) {
            for (const HardwareSeries& series : record.device->series)
                addSeries(row, series);
        }
    }
}

std::string CounterTroubles::whenText(const std::string& during) const
{
    const RecordTime& time = m_record->time;
    if (!time.isPlaced())
        return "in the record; whether during " + during + " cannot be told, because "
            + std::string(time.why);
    const std::int64_t period = m_record->device->periodNs;
    // The samples around a short time are what is known of it.
    if (m_time.lengthNs() < fewestSamples * period)
        return "within " + aboutText(period) + " of " + during
            + ", which is as precisely as the samples tell";
    return "during " + during;
}

} // namespace collscope
