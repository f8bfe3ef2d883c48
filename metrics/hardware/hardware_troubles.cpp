// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/hardware/hardware_troubles.h"

#include "metrics/core/duration_text.h"
#include "metrics/core/value.h"
#include "metrics/hardware/counter_troubles.h"
#include "metrics/hardware/xid_troubles.h"
#include "model/text/printable_text.h"
#include "model/text/rank_ranges.h"
#include "model/text/wall_clock_text.h"

#include <algorithm>
#include <array>
#include <set>

namespace collscope {

namespace {

/// Heat and the like in fewer samples, or in a smaller share of them, is not worth a sentence.
constexpr std::int64_t fewestTroubled = 2;
constexpr double troubledShare = 0.01;
/// Chips differ: under a power limit the clocks of sound GPUs are some percent apart.
constexpr double farSlowerShare = 0.1;

std::string joinedParts(const std::vector<std::string>& parts)
{
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i)
        text += (i == 0 ? "" : i + 1 == parts.size() ? ", and " : ", ") + parts[i];
    return text;
}

/// "58 of 60 samples".
std::string samplesOfText(std::int64_t some, std::int64_t all)
{
    return groupedText(static_cast<double>(some)) + " of " + groupedText(static_cast<double>(all))
        + " samples";
}

class TroubleSearch
{
public:
    TroubleSearch(Analysis& analysis, const TroubleScope& scope)
        : m_view(hardwareOf(analysis))
        , m_scope(scope)
        , m_hasSeveralRanks(analysis.model().ranks().size() > 1)
        , m_inTime(m_view, {scope.time})
        , m_ofRecords(m_view, {})
        , m_increases(m_view, scope.time, scope.isStrict)
    { }

    HardwareTroubles find(const HardwareRecord& record)
    {
        XidTroubles xids(m_view, record, m_scope);
        std::set<std::string> elsewhere;
        for (const HardwareUnit& unit : m_view.units) {
            for (const HardwareUnit::Recorded& recorded : unit.records) {
                if (recorded.time.kind == RecordTime::Kind::Elsewhere)
                    elsewhere.insert(elsewhereText(*recorded.device));
            }
            addUnit(unit, xids);
        }
        xids.addRest(m_found);
        if (!m_scope.isStrict)
            m_found.warnings.insert(m_found.warnings.end(), elsewhere.begin(), elsewhere.end());
        return std::move(m_found);
    }

private:
    std::string elsewhereText(const HardwareDevice& device) const
    {
        return "The hardware record " + quotedName(device.file)
            + " is of another time than the traces: it does not explain them.";
    }

    void addUnit(const HardwareUnit& unit, XidTroubles& xids)
    {
        std::vector<std::string> parts;
        std::int64_t count = 0;
        const bool isSaid = unit.rank && m_scope.clocksSaidOf == unit.rank;
        if (unit.kind == HardwareDevice::Kind::Gpu && !isSaid)
            addClocks(unit, parts, count);
        addCounters(unit, parts, count);
        xids.addOf(unit, parts, count);
        if (parts.empty())
            return;
        HardwareTrouble& trouble = m_found.all.emplace_back();
        trouble.count = count;
        if (unit.rank)
            trouble.ranks = {*unit.rank};
        else if (unit.kind == HardwareDevice::Kind::NetworkCard && m_view.ranks)
            trouble.ranks = m_view.ranks->ranksOn(unit.host);
        trouble.text = unit.label + ranksText(unit, trouble.ranks) + " " + joinedParts(parts) + ".";
    }

    std::string ranksText(const HardwareUnit& unit, const std::vector<std::int32_t>& ranks) const
    {
        if (!m_hasSeveralRanks)
            return {};
        if (!ranks.empty())
            return " (" + rankRangesText(ranks) + ")";
        return unit.kind == HardwareDevice::Kind::Gpu ? " (the files do not tell of which rank)"
                                                      : std::string();
    }

    /// What a record can say of the time: the record to read, and whether its samples in the time are enough.
    struct Scope
    {
        const HardwareUnit::Recorded* record = nullptr;
        GpuState own;
        PeerState peers;
        bool isOfTime = false;
        std::int64_t inTime = 0; ///< samples
    };

    Scope scopeOf(const HardwareUnit& unit)
    {
        Scope scope;
        scope.record = m_inTime.recordOf(unit);
        if (scope.record) {
            scope.own = m_inTime.stateOf(unit);
            scope.inTime = scope.own.samples;
            scope.isOfTime = scope.own.isEnough();
            scope.peers = m_inTime.peersOf(unit);
        }
        if (scope.isOfTime || m_scope.isStrict)
            return scope;
        scope.record = m_ofRecords.recordOf(unit);
        if (scope.record->time.kind == RecordTime::Kind::Elsewhere)
            return {};
        scope.own = m_ofRecords.stateOf(unit);
        scope.peers = m_ofRecords.peersOf(unit);
        return scope;
    }

    void addClocks(const HardwareUnit& unit, std::vector<std::string>& parts, std::int64_t& count)
    {
        const Scope scope = scopeOf(unit);
        const GpuState& own = scope.own;
        if (!scope.record || !own.isEnough() || (m_scope.isStrict && !scope.isOfTime))
            return;
        const bool isLoaded = 2 * own.loaded >= own.samples && (own.isLoadKnown || unit.rank);
        const bool isTroubled = own.troubled >= fewestTroubled
            && static_cast<double>(own.troubled) >= troubledShare * static_cast<double>(own.samples)
            && (troubleReasons & ~scope.peers.usualReasons & bitsOf(own)) != 0;
        const bool isFarSlower = own.clockMhz && *own.clockMhz < (1 - farSlowerShare) * scope.peers.clockMhz;
        const bool runsSlower
            = isLoaded && scope.peers.gpus > 0 && isSlower(own, scope.peers) && (isFarSlower || isTroubled);
        if (!runsSlower && !isTroubled)
            return;
        count += runsSlower ? own.loaded : own.troubled;
        std::string text = runsSlower
            ? slowerText(own, scope.peers)
            : "was throttled in " + samplesOfText(own.troubled, own.samples) + ": " + troublesText(own);
        if (own.temperature && (bitsOf(own) & heatReasons) != 0)
            text += ", up to " + groupedText(*own.temperature) + " °C";
        parts.push_back(text + " (" + scopeText(scope) + ")");
    }

    static constexpr std::uint32_t heatReasons = static_cast<std::uint32_t>(ThrottleReason::SoftwareThermal)
        | static_cast<std::uint32_t>(ThrottleReason::HardwareThermal)
        | static_cast<std::uint32_t>(ThrottleReason::SomeThermal);
    static std::uint32_t bitsOf(const GpuState& state)
    {
        std::uint32_t bits = 0;
        for (const auto& [reason, samples] : state.reasons)
            bits |= static_cast<std::uint32_t>(reason);
        return bits;
    }
    static std::string troublesText(const GpuState& state)
    {
        std::string text;
        for (const auto& [reason, samples] : state.reasons) {
            if ((static_cast<std::uint32_t>(reason) & troubleReasons) != 0)
                text += std::string(text.empty() ? "" : ", ").append(reasonText(reason));
        }
        return text;
    }

    /// "60 samples during the traces, 1 s apart".
    std::string scopeText(const Scope& scope) const
    {
        const std::int64_t period = scope.record->device->periodNs;
        const std::string apart = period > 0 ? ", " + aboutText(period) + " apart" : std::string();
        const RecordTime& time = scope.record->time;
        const std::string samples = countText(scope.own.samples, "sample");
        if (scope.isOfTime)
            return samples + " during " + m_scope.during + apart
                + (time.kind == RecordTime::Kind::Guessed ? ", if their times are " + zoneText(time.toUtcNs)
                           + ", the only zone in which they are of the time of the traces"
                                                          : std::string());
        if (!time.isPlaced())
            return samples + " of the record" + apart + "; whether during " + m_scope.during
                + " cannot be told, because " + std::string(time.why);
        return samples + " of the record" + apart + "; only " + std::to_string(scope.inTime)
            + " of them within " + m_scope.during + ", too few to explain "
            + (m_scope.during == "the traces" ? "them" : "it");
    }

    void addCounters(const HardwareUnit& unit, std::vector<std::string>& parts, std::int64_t& count)
    {
        const CounterTroubles counters(m_increases, unit);
        if (counters.all().empty())
            return;
        std::string text;
        for (const auto& [words, increase] : counters.all()) {
            text += (text.empty() ? "counted " : ", ") + words;
            count += static_cast<std::int64_t>(increase);
        }
        parts.push_back(text + " " + counters.whenText(m_scope.during));
    }

    const HardwareView& m_view;
    TroubleScope m_scope;
    bool m_hasSeveralRanks;
    GpuStates m_inTime, m_ofRecords;
    CounterIncreases m_increases;
    HardwareTroubles m_found;
};

} // namespace

HardwareTroubles hardwareTroublesIn(Analysis& analysis, const TroubleScope& scope)
{
    const auto& record = analysis.model().hardware;
    return record ? TroubleSearch(analysis, scope).find(*record) : HardwareTroubles();
}

HardwareTroubles hardwareTroublesOf(Analysis& analysis)
{
    // Without a wall clock nothing can be placed, and the range is not used.
    return hardwareTroublesIn(analysis, {hardwareOf(analysis).traces.value_or(TimeRange{}), "the traces"});
}

} // namespace collscope
