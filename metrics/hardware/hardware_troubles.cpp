// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/hardware/hardware_troubles.h"

#include "metrics/core/duration_text.h"
#include "metrics/core/value.h"
#include "metrics/hardware/counter_troubles.h"
#include "metrics/hardware/network_congestion.h"
#include "metrics/hardware/xid_troubles.h"
#include "model/text/printable_text.h"
#include "model/text/rank_ranges.h"

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
        addAlike();
        xids.addRest(m_found);
        if (!m_scope.isStrict)
            m_found.warnings.insert(m_found.warnings.end(), m_view.warnings.begin(), m_view.warnings.end());
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
        TroubleParts parts;
        if (unit.kind == HardwareDevice::Kind::Gpu)
            addClocks(unit, parts);
        addCounters(unit, parts);
        xids.addOf(unit, parts);
        if (parts.texts.empty())
            return;
        HardwareTrouble& trouble = m_found.all.emplace_back();
        trouble.count = parts.count;
        trouble.cause = parts.cause();
        trouble.isGuessed = parts.isGuessed;
        if (unit.rank)
            trouble.ranks = {*unit.rank};
        else if (unit.kind == HardwareDevice::Kind::NetworkCard && m_view.ranks)
            trouble.ranks = m_view.ranks->ranksOn(unit.host);
        trouble.text = unit.label + ranksText(unit, trouble.ranks) + " " + joinedParts(parts.texts) + ".";
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
        if (!scope.record)
            return {};
        scope.own = m_ofRecords.stateOf(unit);
        scope.peers = m_ofRecords.peersOf(unit);
        return scope;
    }

    void addClocks(const HardwareUnit& unit, TroubleParts& parts)
    {
        const Scope scope = scopeOf(unit);
        const GpuState& own = scope.own;
        if (!scope.record || !own.isEnough() || (m_scope.isStrict && !scope.isOfTime))
            return;
        const bool isSaid = unit.rank && m_scope.clocksSaidOf == unit.rank;
        const bool isComparable = m_alike.isLike(scope);
        m_alike.gpus += isComparable ? 1 : 0;
        const bool isLoaded = 2 * own.loaded >= own.samples && (own.isLoadKnown || unit.rank);
        const bool isOften = own.troubled >= fewestTroubled
            && static_cast<double>(own.troubled) >= troubledShare * static_cast<double>(own.samples);
        const bool isTroubled = isOften && (troubleReasons & ~scope.peers.usualReasons & bitsOf(own)) != 0;
        const bool isFarSlower = own.clockMhz && *own.clockMhz < (1 - farSlowerShare) * scope.peers.clockMhz;
        const bool runsSlower
            = isLoaded && scope.peers.gpus > 0 && isSlower(own, scope.peers) && (isFarSlower || isTroubled);
        if (isOften && isComparable)
            m_alike.add(unit, scope, !runsSlower && !isTroubled && !isSaid);
        if ((!runsSlower && !isTroubled) || isSaid)
            return;
        const bool isChosen = runsSlower && 2 * own.chosen >= own.loaded
            && (bitsOf(own) & (troubleReasons | powerReasons)) == 0;
        parts.isGuessed |= scope.record->time.kind == RecordTime::Kind::Guessed;
        std::string text = runsSlower
            ? slowerText(own, scope.peers)
            : "was throttled in " + samplesOfText(own.troubled, own.samples) + ": " + troublesText(own);
        if (own.temperature && (bitsOf(own) & heatReasons) != 0)
            text += ", up to " + groupedText(*own.temperature) + " °C";
        parts.add(text + " (" + scopeText(scope) + ")", runsSlower ? own.loaded : own.troubled,
                  isChosen ? "chosen_clocks" : "");
    }

    /// What half of the GPUs share is not the trouble of one of them, but of all.
    void addAlike()
    {
        if (m_alike.unsaid == 0)
            return;
        HardwareTrouble& trouble = m_found.all.emplace_back();
        const std::size_t some = m_alike.throttled;
        trouble.cause = "all_gpus";
        trouble.count = m_alike.state.troubled;
        trouble.isGuessed = m_alike.first.record->time.kind == RecordTime::Kind::Guessed;
        std::sort(m_alike.ranks.begin(), m_alike.ranks.end());
        if (m_alike.ranks.size() == some)
            trouble.ranks = m_alike.ranks;
        const std::string all = std::to_string(m_alike.gpus) + " sampled GPUs";
        trouble.text = (some == m_alike.gpus ? (some == 1 ? "The only sampled GPU" : "All " + all)
                                             : std::to_string(some) + " of the " + all)
            + (some == 1 ? " was" : " were") + " throttled, together in "
            + samplesOfText(m_alike.state.troubled, m_alike.state.samples) + ": "
            + troublesText(m_alike.state);
        if (m_alike.state.temperature && (bitsOf(m_alike.state) & heatReasons) != 0)
            trouble.text += ", up to " + groupedText(*m_alike.state.temperature) + " °C";
        m_alike.first.own = m_alike.state;
        m_alike.first.inTime = m_alike.inTime;
        trouble.text += " (" + scopeText(m_alike.first) + ").";
    }

    /// GPUs whose samples are of the same kind of time.
    struct Alike
    {
        std::size_t gpus = 0; ///< with enough samples
        std::size_t throttled = 0; ///< of them
        std::size_t unsaid = 0; ///< of them, without a sentence of their own
        std::vector<std::int32_t> ranks; ///< of the throttled ones
        GpuState state; ///< sums
        std::int64_t inTime = 0; ///< samples of the throttled ones
        Scope first; ///< of all GPUs

        /// Whether a sentence about the first one may speak of this one, too.
        bool isLike(const Scope& scope)
        {
            if (gpus == 0)
                first = scope;
            return first.isOfTime == scope.isOfTime && first.record->time.kind == scope.record->time.kind;
        }
        void add(const HardwareUnit& unit, const Scope& scope, bool isUnsaid)
        {
            ++throttled;
            inTime += scope.inTime;
            unsaid += isUnsaid ? 1 : 0;
            if (unit.rank)
                ranks.push_back(*unit.rank);
            state.samples += scope.own.samples;
            state.moments += scope.own.moments;
            state.troubled += scope.own.troubled;
            for (const auto& reason : scope.own.reasons) {
                if (std::none_of(state.reasons.begin(), state.reasons.end(),
                                 [&](const auto& known) { return known.first == reason.first; }))
                    state.reasons.push_back(reason);
            }
            if (scope.own.temperature)
                state.temperature = std::max(state.temperature.value_or(-300), *scope.own.temperature);
        }
    };

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
        const std::string apart = apartText(scope.own, scope.record->device->periodNs);
        const RecordTime& time = scope.record->time;
        const std::string samples = countText(scope.own.samples, "sample");
        if (scope.isOfTime)
            return samples + " during " + m_scope.during + apart + guessText(time);
        if (!time.isPlaced())
            return samples + " of the record" + apart + "; whether during " + m_scope.during
                + " cannot be told, because " + std::string(time.why);
        return samples + " of the record" + apart + "; only " + std::to_string(scope.inTime)
            + " of them within " + m_scope.during + ", too few to explain "
            + (m_scope.during == "the traces" ? "them" : "it");
    }

    void addCounters(const HardwareUnit& unit, TroubleParts& parts)
    {
        const CounterTroubles counters(m_increases, unit, m_scope.during);
        for (const CounterTroubles::Part& part : counters.all()) {
            parts.add(part.words + " " + part.when, static_cast<std::int64_t>(part.by),
                      part.isGrave ? "" : "corrected_errors");
            parts.isGuessed |= part.isGuessed;
        }
    }

    const HardwareView& m_view;
    TroubleScope m_scope;
    bool m_hasSeveralRanks;
    GpuStates m_inTime, m_ofRecords;
    CounterIncreases m_increases;
    Alike m_alike;
    HardwareTroubles m_found;
};

} // namespace

HardwareTroubles hardwareTroublesIn(Analysis& analysis, const TroubleScope& scope)
{
    const auto& record = analysis.model().hardware;
    HardwareTroubles troubles = record ? TroubleSearch(analysis, scope).find(*record) : HardwareTroubles();
    addCongestedCards(analysis, scope, troubles.all);
    return troubles;
}

HardwareTroubles hardwareTroublesOf(Analysis& analysis)
{
    // Without a wall clock nothing can be placed, and the range is not used.
    return hardwareTroublesIn(analysis, {hardwareOf(analysis).traces.value_or(TimeRange{}), "the traces"});
}

} // namespace collscope
