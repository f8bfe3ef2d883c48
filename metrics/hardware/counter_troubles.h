// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Counters of errors that rose on one device more than on the others.

#include "metrics/hardware/hardware_view.h"

#include <tuple>

namespace collscope {

/// By how much the counters of all devices rose in a time, from the last sample before it to the first one
/// after it; unless `isStrict`, over whole records whose place in time is not known.
class CounterIncreases
{
public:
    CounterIncreases(const HardwareView& view, TimeRange time, bool isStrict)
        : m_view(view)
        , m_time(time)
        , m_isStrict(isStrict)
    { }

    struct Increase
    {
        CounterRise rise;
        const HardwareUnit::Recorded* record = nullptr; ///< nullptr: it did not rise
    };
    /// The largest increase in the records of a unit: two tools count the same.
    Increase of(const HardwareUnit& unit, HardwareQuantity quantity, std::string_view name) const;
    /// The median increase on the other devices of the same kind; 0 for a single device.
    double usual(const HardwareUnit& unit, HardwareQuantity quantity, std::string_view name, double own);
    TimeRange time() const { return m_time; }

private:
    const HardwareView& m_view;
    TimeRange m_time;
    bool m_isStrict;
    using Key = std::tuple<HardwareDevice::Kind, HardwareQuantity, std::string>;
    std::map<Key, std::vector<double>> m_sorted; ///< of all devices of the kind
};

/// Errors that links correct themselves are usual where the other devices count about as many.
class CounterTroubles
{
public:
    /// Counters that rose in the same time.
    struct Part
    {
        std::string words; ///< "counted 12 NVLink replays, 1 NVLink recovery"
        std::string when; ///< "during the traces", "within 1 s of this step", "in the record; whether ..."
        double by = 0; ///< in all
        bool isGrave = false; ///< a device does not correct one of them itself
        bool isGuessed = false; ///< the zone of the record is
    };
    /// `during` names the time: "the traces", "this step".
    CounterTroubles(CounterIncreases& increases, const HardwareUnit& unit, const std::string& during);

    const std::vector<Part>& all() const { return m_all; }

private:
    void add(const std::string& words, const CounterIncreases::Increase& own, bool isGrave);
    std::string whenText(const CounterIncreases::Increase& own) const;

    std::string m_during;
    TimeRange m_time;
    std::vector<Part> m_all;
};

} // namespace collscope
