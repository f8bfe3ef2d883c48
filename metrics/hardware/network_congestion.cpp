// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/hardware/network_congestion.h"

#include "metrics/core/duration_text.h"
#include "metrics/core/statistics.h"
#include "metrics/core/value.h"
#include "metrics/hardware/gpu_state.h"
#include "metrics/hardware/network_series.h"
#include "model/text/printable_text.h"
#include "model/text/rank_ranges.h"
#include "model/text/wall_clock_text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace collscope {

namespace {

/// What a counter that ends so tells of congestion, and the traffic that it is compared by. The names are
/// those of "NIC Metric Sampling" in the User Guide of Nsight Systems; before them stands the protocol ("IB:
/// ").
struct CongestionRow
{
    std::string_view counter, traffic, words;
};
constexpr CongestionRow congestionRows[]
    = {{"Send waits", "Bytes sent", "had data and could not send it in"},
       {"CNPs received", "Bytes sent", "was told by receivers to send slower, with"},
       {"CNPs sent", "Bytes received", "told senders that it is congested, with"}};

/// A card is named if it counts more than this many times as much as the others.
constexpr double congestedFactor = 10;
/// In the unit of the export, per ms: what rounds to nothing there is not worth a sentence.
constexpr double leastCongestion = 1;
constexpr std::size_t fewestPeers = 2;
constexpr double peerTrafficShare = 0.5;

/// The samples of a counter that end in a time.
struct SampleMean
{
    std::int64_t samples = 0;
    double mean = 0; ///< samples of a counter are equally long
    std::int64_t periodNs = 0;

    bool isEnough() const { return samples >= fewestSamples; }
};

SampleMean meanIn(const CounterSeries& series, TimeRange range)
{
    const auto first = std::upper_bound(series.timeNs.begin(), series.timeNs.end(), range.beginNs);
    const auto last = std::upper_bound(first, series.timeNs.end(), range.endNs);
    SampleMean result;
    result.samples = last - first;
    for (auto at = first; at != last; ++at)
        result.mean += series.value[static_cast<std::size_t>(at - series.timeNs.begin())];
    if (result.samples > 0)
        result.mean /= static_cast<double>(result.samples);
    if (result.samples > 1)
        result.periodNs = (*(last - 1) - *first) / (result.samples - 1);
    return result;
}

/// A card of a host: its counters, each as the file with the most samples in the time recorded it.
struct SampledCard
{
    struct Counter
    {
        std::string unit;
        SampleMean state;
    };
    std::string label; ///< "Network card mlx5_0 of node07"
    std::vector<std::int32_t> ranks;
    std::map<std::string, Counter, std::less<>> counters; ///< by name

    /// The largest of the counters of bytes that end so: one protocol may be counted within another.
    double traffic(std::string_view end) const
    {
        double most = 0;
        for (const auto& [name, counter] : counters) {
            if (name.ends_with(end) && counter.unit == networkTrafficUnit && counter.state.isEnough())
                most = std::max(most, counter.state.mean);
        }
        return most;
    }
};

std::vector<std::int32_t> ranksOf(const TraceModel& model, const Timeline& beside)
{
    std::set<std::int32_t> ranks;
    for (const Timeline& timeline : model.timelines) {
        if (beside.host ? timeline.host == beside.host : timeline.source == beside.source)
            ranks.insert(timeline.rank);
    }
    return {ranks.begin(), ranks.end()};
}

/// Empty if the files do not tell on which hosts the cards are, and there are several files.
std::vector<SampledCard> cardsIn(const TraceModel& model, const TroubleScope& scope)
{
    std::map<std::pair<StringId, std::string>, SampledCard> cards;
    std::set<SourceId> sources;
    bool areHostsKnown = true;
    for (const NetworkSeries& series : networkSeriesOf(model)) {
        const Timeline& timeline = model.timelines[series.timeline];
        if (series.counter.kind != NetworkCounter::Kind::Card || series.samples->timeNs.empty()
            || (scope.isStrict && !timeline.hasWallClock))
            continue;
        sources.insert(timeline.source);
        areHostsKnown &= bool(timeline.host);
        TimeRange range{series.samples->timeNs.front() - 1, series.samples->timeNs.back()};
        if (timeline.hasWallClock)
            range = {scope.time.beginNs - model.axisZeroNs, scope.time.endNs - model.axisZeroNs};
        SampledCard& card = cards[{timeline.host, series.counter.device}];
        if (card.label.empty()) {
            card.label = networkDeviceLabel(series.counter);
            if (timeline.host)
                card.label += " of " + printableLine(shortened(model.text(timeline.host)));
            card.ranks = ranksOf(model, timeline);
        }
        SampledCard::Counter& counter = card.counters[series.counter.quantity];
        const SampleMean state = meanIn(*series.samples, range);
        if (state.samples > counter.state.samples)
            counter = {series.counter.unit, state};
    }
    std::vector<SampledCard> all;
    if (!areHostsKnown && sources.size() > 1)
        return all;
    for (auto& [key, card] : cards)
        all.push_back(std::move(card));
    return all;
}

/// "1,234 ticks/ms".
std::string amountText(double amount, const std::string& unit)
{
    const std::string number
        = amount >= 10 || amount == 0 ? groupedText(amount) : numberText(std::round(amount * 10) / 10);
    return number + " " + printableLine(shortened(unit));
}

/// A counter of a card beside the same counter of the others.
class CongestionCheck
{
public:
    CongestionCheck(const std::vector<SampledCard>& cards, const SampledCard& card, const std::string& name)
        : m_card(card)
        , m_name(name)
        , m_own(card.counters.at(name))
        , m_row(std::find_if(std::begin(congestionRows), std::end(congestionRows),
                             [&](const CongestionRow& row) { return name.ends_with(row.counter); }))
    {
        if (!mayBeCongested())
            return;
        for (const SampledCard& other : cards) {
            const auto counter = other.counters.find(name);
            if (&other != &card && counter != other.counters.end() && counter->second.unit == m_own.unit
                && counter->second.state.isEnough()
                && other.traffic(m_row->traffic) >= peerTrafficShare * card.traffic(m_row->traffic))
                m_peers.push_back(counter->second.state.mean);
        }
    }

    bool isCongested() const
    {
        return mayBeCongested() && m_peers.size() >= fewestPeers
            && m_own.state.mean > congestedFactor * usual();
    }
    /// What follows the name of the card.
    std::string text(const std::string& during) const
    {
        return std::string(m_row->words) + " " + amountText(m_own.state.mean, m_own.unit) + "; "
            + countText(static_cast<std::int64_t>(m_peers.size()), "other card")
            + " that carried at least half as much: " + amountText(usual(), m_own.unit) + " in the median ("
            + printableLine(m_name) + ": mean of " + countText(m_own.state.samples, "sample") + " during "
            + during + ", " + aboutText(m_own.state.periodNs) + " apart).";
    }

private:
    bool mayBeCongested() const
    {
        return m_row != std::end(congestionRows) && m_own.state.isEnough()
            && m_own.state.mean >= leastCongestion && m_card.traffic(m_row->traffic) > 0;
    }
    double usual() const { return medianOf(m_peers); }

    const SampledCard& m_card;
    const std::string& m_name;
    const SampledCard::Counter& m_own;
    const CongestionRow* m_row;
    std::vector<double> m_peers;
};

} // namespace

void addCongestedCards(Analysis& analysis, const TroubleScope& scope, std::vector<HardwareTrouble>& troubles)
{
    const bool hasSeveralRanks = analysis.model().ranks().size() > 1;
    const std::vector<SampledCard> cards = cardsIn(analysis.model(), scope);
    for (const SampledCard& card : cards) {
        for (const auto& counter : card.counters) {
            const CongestionCheck check(cards, card, counter.first);
            if (!check.isCongested())
                continue;
            HardwareTrouble& trouble = troubles.emplace_back();
            trouble.ranks = card.ranks;
            trouble.count = counter.second.state.samples;
            trouble.cause = "congestion";
            trouble.text = card.label
                + (hasSeveralRanks ? " (" + rankRangesText(card.ranks) + ")" : std::string()) + " "
                + check.text(scope.during);
        }
    }
}

} // namespace collscope
