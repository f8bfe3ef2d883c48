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
        double by = 0;
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
    CounterTroubles(CounterIncreases& increases, const HardwareUnit& unit);

    /// "12 NVLink replays", and by how much the counter rose.
    const std::vector<std::pair<std::string, double>>& all() const { return m_all; }
    /// "during the traces", "within 1 s of this step", "in the record; whether ...". Precondition: not empty.
    std::string whenText(const std::string& during) const;

private:
    const HardwareUnit::Recorded* m_record = nullptr; ///< of the first one found
    TimeRange m_time;
    std::vector<std::pair<std::string, double>> m_all;
};

} // namespace collscope
