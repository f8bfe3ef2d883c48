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
/// The counter of a network card that nothing corrects (sysfs, /sys/class/infiniband/*/ports/*/counters).
constexpr std::string_view linkWentDown = "link_downed";

std::optional<CounterRise> increaseOfRecord(const HardwareUnit::Recorded& record,
                                            const HardwareSeries& series, TimeRange time, bool isStrict)
{
    if (record.time.isPlaced())
        return increaseIn(*record.device, series, record.time.toUtcNs, time, isStrict);
    if (record.time.kind == RecordTime::Kind::Elsewhere || isStrict)
        return std::nullopt;
    const auto by = increaseOf(*record.device, series);
    return by ? std::optional(CounterRise{*by, std::nullopt}) : std::nullopt;
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
            const auto rise = increaseOfRecord(record, series, m_time, m_isStrict);
            if (rise && rise->by > most.rise.by)
                most = {*rise, &record};
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
                all.push_back(of(other, quantity, name).rise.by);
        }
        std::sort(all.begin(), all.end());
    }
    if (all.size() < 2)
        return 0;
    const std::size_t middle = (all.size() - 1) / 2; // of the others
    return all[middle] >= own ? all[middle + 1] : all[middle];
}

CounterTroubles::CounterTroubles(CounterIncreases& increases, const HardwareUnit& unit,
                                 const std::string& during)
    : m_during(during)
    , m_time(increases.time())
{
    std::vector<std::pair<HardwareQuantity, std::string_view>> seen;
    const auto addSeries = [&](const CounterRow& row, const HardwareSeries& series) {
        const std::pair key(row.quantity, std::string_view(series.name));
        if (series.quantity != row.quantity || std::find(seen.begin(), seen.end(), key) != seen.end())
            return;
        seen.push_back(key);
        const CounterIncreases::Increase own = increases.of(unit, row.quantity, series.name);
        const double by = own.rise.by;
        if (by <= 0
            || (!row.isGrave && by <= unusualFactor * increases.usual(unit, row.quantity, series.name, by)))
            return;
        const std::string words = row.quantity == HardwareQuantity::LinkErrors
            ? "more " + printableLine(shortened(series.name))
            : std::string(by == 1 ? row.one : row.many);
        add(groupedText(by) + " " + words, own, row.isGrave || series.name == linkWentDown);
    };
    for (const CounterRow& row : counterRows) {
        for (const HardwareUnit::Recorded& record : unit.records) {
            for (const HardwareSeries& series : record.device->series)
                addSeries(row, series);
        }
    }
}

void CounterTroubles::add(const std::string& words, const CounterIncreases::Increase& own, bool isGrave)
{
    const std::string when = whenText(own);
    auto part
        = std::find_if(m_all.begin(), m_all.end(), [&](const Part& known) { return known.when == when; });
    if (part == m_all.end()) {
        part = m_all.insert(m_all.end(), Part());
        part->when = when;
        part->words = "counted " + words;
    } else {
        part->words += ", " + words;
    }
    part->by += own.rise.by;
    part->isGrave |= isGrave;
    part->isGuessed |= own.record->time.kind == RecordTime::Kind::Guessed;
}

std::string CounterTroubles::whenText(const CounterIncreases::Increase& own) const
{
    const RecordTime& time = own.record->time;
    if (!time.isPlaced())
        return "in the record; whether during " + m_during + " cannot be told, because "
            + std::string(time.why);
    if (const auto& between = own.rise.between)
        return "between " + wallClockText(between->beginNs) + " and " + wallClockText(between->endNs)
            + "; whether during " + m_during + " cannot be told, because the record has a gap"
            + guessText(time);
    const std::int64_t period = own.record->device->periodNs;
    // The samples around a short time are what is known of it.
    if (m_time.lengthNs() < fewestSamples * period)
        return "within " + aboutText(period) + " of " + m_during
            + ", which is as precisely as the samples tell" + guessText(time);
    return "during " + m_during + guessText(time);
}

} // namespace collscope
