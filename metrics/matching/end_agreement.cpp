// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/matching/end_agreement.h"

#include "metrics/core/statistics.h"
#include "metrics/matching/call_alignment.h"
#include "model/queries/end_evidence.h"

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {

/// Minimum number of pairs to measure an offset and confirm it.
constexpr std::size_t fewestToConfirm = 4;
/// Minimum number of pairs for a drift.
constexpr std::size_t fewestToDrift = 16;
/// Largest shift of the alternative orders, in calls, in either direction.
constexpr std::ptrdiff_t farthestShift = 16;
/// Largest offset between wall clocks of one host, or of synchronised hosts in one room.
constexpr double closeClocksNs = 1e6;
/// Number of differences sampled from longer lists, for the line and for an alternative order.
constexpr std::size_t mostLookedAt = 2000;
constexpr std::size_t mostOfRival = 200;
/// Expected number of pairs that may arise by chance.
constexpr double chancePairs = 0.01; // of each sign

struct Difference
{
    double atNs = 0; ///< on the second clock
    double aheadNs = 0;
    double barNs = 0; ///< smaller bar of the two calls
};

double spreadAround(const std::vector<Difference>& differences, const EndFit& fit)
{
    std::vector<double> off;
    off.reserve(differences.size());
    for (const Difference& one : differences)
        off.push_back(std::abs(one.aheadNs - fit.offsetNs - fit.drift * (one.atNs - fit.pivotNs)));
    return medianOf(std::move(off));
}

/// Fits the offset at the pivot for a given slope.
EndFit withSlope(const std::vector<Difference>& differences, double slope, double pivotNs)
{
    EndFit fit;
    fit.drift = slope;
    fit.pivotNs = pivotNs;
    std::vector<double> rest;
    rest.reserve(differences.size());
    for (const Difference& one : differences)
        rest.push_back(one.aheadNs - slope * (one.atNs - pivotNs));
    fit.offsetNs = medianOf(std::move(rest));
    fit.spreadNs = spreadAround(differences, fit);
    return fit;
}

/// Slope of differences in time order: medians of up to 16 pieces, and the median of their slopes.
double slopeOf(const std::vector<Difference>& differences)
{
    const std::size_t pieces = std::min<std::size_t>(16, differences.size() / 4);
    std::vector<Difference> middles;
    for (std::size_t piece = 0; piece < pieces; ++piece) {
        std::vector<double> at, ahead;
        for (std::size_t i = differences.size() * piece / pieces;
             i < differences.size() * (piece + 1) / pieces; ++i) {
            at.push_back(differences[i].atNs);
            ahead.push_back(differences[i].aheadNs);
        }
        middles.push_back({medianOf(std::move(at)), medianOf(std::move(ahead)), 0});
    }
    std::vector<double> slopes;
    for (std::size_t i = 0; i < middles.size(); ++i) {
        for (std::size_t j = i + 1; j < middles.size(); ++j) {
            if (middles[j].atNs > middles[i].atNs)
                slopes.push_back((middles[j].aheadNs - middles[i].aheadNs)
                                 / (middles[j].atNs - middles[i].atNs));
        }
    }
    return slopes.empty() ? 0 : medianOf(std::move(slopes));
}

/// Precondition: not empty. A drift is used only if it clearly reduces the spread that an offset leaves, and
/// if a clock can have it.
EndFit fitTo(const std::vector<Difference>& differences)
{
    const double pivotNs = (differences.front().atNs + differences.back().atNs) / 2;
    EndFit fit = withSlope(differences, 0, pivotNs);
    if (differences.size() < fewestToDrift || fit.spreadNs < 1000)
        return fit;
    const double slope = slopeOf(differences);
    if (std::abs(slope) > mostClockDrift)
        return fit;
    const EndFit drifting = withSlope(differences, slope, pivotNs);
    return drifting.spreadNs * 10 <= fit.spreadNs * 7 ? drifting : fit;
}

/// Differences between the ends of the k-th call of the second list and the call `shift` later in the first.
/// Empty if the calls differ, or if fewer than half of the second list have a partner. Samples `most` of
/// longer lists.
std::vector<Difference> differencesOf(const std::vector<EndingCall>& first,
                                      const std::vector<EndingCall>& second, std::ptrdiff_t shift,
                                      std::size_t most)
{
    std::vector<Difference> differences;
    const auto from = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, -shift));
    const std::ptrdiff_t last = static_cast<std::ptrdiff_t>(first.size()) - shift;
    const std::size_t to
        = std::min(second.size(), static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, last)));
    if (from >= to || 2 * (to - from) < second.size())
        return differences;
    const std::size_t every = (to - from + most - 1) / most;
    std::size_t differ = 0;
    for (std::size_t i = from; i < to; i += every) {
        const EndingCall& own = second[i];
        const EndingCall& other = first[static_cast<std::size_t>(static_cast<std::ptrdiff_t>(i) + shift)];
        if (own.signature != other.signature) {
            ++differ;
            continue;
        }
        differences.push_back({static_cast<double>(own.endNs), static_cast<double>(own.endNs - other.endNs),
                               static_cast<double>(std::min(own.barNs, other.barNs))});
    }
    if (differ * 20 > differences.size())
        differences.clear();
    return differences;
}

std::int64_t barOf(const EndFit& fit)
{
    return std::clamp(std::llround(4 * fit.spreadNs), static_cast<long long>(closeEndsNs),
                      static_cast<long long>(farthestEndsNs));
}

bool fits(const std::vector<Difference>& differences, const EndFit& fit)
{
    const auto bar = static_cast<double>(barOf(fit));
    if (2 * fit.spreadNs > static_cast<double>(farthestEndsNs))
        return false;
    const auto inside = std::count_if(differences.begin(), differences.end(), [&](const Difference& one) {
        return std::abs(one.aheadNs - fit.offsetNs - fit.drift * (one.atNs - fit.pivotNs)) <= bar;
    });
    return 10 * static_cast<std::size_t>(inside) >= 8 * differences.size();
}

/// Whether one offset fits most pairs within their own bars. Otherwise the ends lie at two or more places (as
/// with smaller groups that alternate on a stream), which the spread around their median hides.
bool endAtOnePlace(const std::vector<Difference>& differences, const EndFit& fit)
{
    std::vector<std::pair<double, int>> borders; // of the offsets that fit each pair
    for (const Difference& one : differences) {
        const double offsetNs = one.aheadNs - fit.drift * (one.atNs - fit.pivotNs);
        borders.emplace_back(offsetNs - one.barNs, -1); // at equal offsets, starts come first
        borders.emplace_back(offsetNs + one.barNs, 1);
    }
    std::sort(borders.begin(), borders.end());
    std::ptrdiff_t open = 0, most = 0;
    for (const auto& [offsetNs, kind] : borders)
        most = std::max(most, open -= kind);
    return 10 * most >= 8 * std::ssize(differences);
}

/// Among pairs whose calls both start in steps, the share with equal step numbers.
double shareInOneStep(const std::vector<EndingCall>& first, const std::vector<EndingCall>& second,
                      std::ptrdiff_t shift)
{
    std::size_t known = 0, same = 0;
    const std::size_t every = (second.size() + mostOfRival - 1) / mostOfRival;
    for (std::size_t i = 0; i < second.size(); i += every) {
        const std::ptrdiff_t other = static_cast<std::ptrdiff_t>(i) + shift;
        if (other < 0 || other >= std::ssize(first))
            continue;
        const EndingCall& theirs = first[static_cast<std::size_t>(other)];
        known += second[i].step && theirs.step ? 1U : 0U;
        same += second[i].step && theirs.step && *second[i].step == *theirs.step ? 1U : 0U;
    }
    return known == 0 ? 0 : static_cast<double>(same) / static_cast<double>(known);
}

/// Whether an alternative order of the calls fits as well as (or better than) the one to be judged.
enum class Rival : std::uint8_t
{
    None,
    AsGood,
    Better
};
Rival rivalOf(const std::vector<EndingCall>& first, const std::vector<EndingCall>& second, const EndFit& fit)
{
    constexpr double noiseNs = 5000;
    constexpr double resolutionNs = 500; // for times in whole us
    constexpr auto nearNs = static_cast<double>(closeEndsNs);
    const bool isNear = std::abs(fit.offsetNs) <= nearNs;
    const double inOneStep = shareInOneStep(first, second, 0);
    Rival rival = Rival::None;
    for (std::ptrdiff_t shift = -farthestShift; shift <= farthestShift; ++shift) {
        if (shift == 0)
            continue;
        const std::vector<Difference> differences = differencesOf(first, second, shift, mostOfRival);
        if (differences.size() < fewestToConfirm)
            continue;
        const EndFit other = fitTo(differences);
        if (!fits(differences, other))
            continue;
        // Steps have the same numbers on all ranks.
        if (inOneStep >= shareInOneStep(first, second, shift) + 0.05)
            continue;
        // Clocks that agree without an offset need no other order.
        const bool isFarther = std::abs(other.offsetNs) > std::abs(fit.offsetNs);
        if (isNear && isFarther)
            continue;
        // Ends of different collectives scatter like those of one collective, plus the scatter of the
        // distances between collectives: apart from sampling, the right order never scatters more.
        const auto scattersLess
            = [&](double leastNs) { return 3 * std::max(other.spreadNs, leastNs) < fit.spreadNs; };
        const bool scattersMore = other.spreadNs > 1.25 * fit.spreadNs;
        const bool isNearer = !isFarther && std::abs(other.offsetNs) <= nearNs;
        if (scattersLess(noiseNs) || (isNearer && (isNear ? scattersLess(resolutionNs) : !scattersMore)))
            return Rival::Better;
        if (other.spreadNs <= 3 * std::max(fit.spreadNs, resolutionNs))
            rival = Rival::AsGood;
    }
    return rival;
}

/// Pairs calls of both lists that have exactly one candidate each.
EndPairs pairUp(const std::vector<EndingCall>& first, const std::vector<EndingCall>& second,
                const EndFit& fit, std::int64_t barNs)
{
    EndPairs pairs;
    pairs.fit = fit;
    pairs.barNs = barNs;
    pairs.partner.assign(second.size(), notAligned);
    std::vector<std::uint32_t> wanted(first.size(), 0);
    const auto bar = static_cast<double>(barNs);
    for (std::size_t i = 0; i < second.size(); ++i) {
        const double at = static_cast<double>(second[i].endNs) - fit.aheadNs(second[i].endNs);
        auto near = std::partition_point(first.begin(), first.end(), [&](const EndingCall& call) {
            return static_cast<double>(call.endNs) < at - bar;
        });
        std::size_t found = 0;
        for (; near != first.end() && static_cast<double>(near->endNs) <= at + bar && found < 2; ++near) {
            if (near->signature != second[i].signature)
                continue;
            const auto index = static_cast<std::size_t>(near - first.begin());
            pairs.partner[i] = ++found == 1 ? index : notAligned;
            ++wanted[index];
        }
    }
    for (std::size_t& partner : pairs.partner) {
        if (partner != notAligned && wanted[partner] > 1)
            partner = notAligned;
        pairs.count += partner != notAligned ? 1 : 0;
    }
    return pairs;
}

std::vector<Difference> differencesOf(const std::vector<EndingCall>& first,
                                      const std::vector<EndingCall>& second, const EndPairs& pairs)
{
    std::vector<Difference> differences;
    for (std::size_t i = 0; i < second.size(); ++i) {
        if (pairs.partner[i] != notAligned)
            differences.push_back({static_cast<double>(second[i].endNs),
                                   static_cast<double>(second[i].endNs - first[pairs.partner[i]].endNs), 0});
    }
    return differences;
}

/// A bar so small that random calls do not form pairs: each of n x m combinations is a pair with probability
/// 2 x bar / span.
std::int64_t barWithoutChance(const std::vector<EndingCall>& first, const std::vector<EndingCall>& second,
                              const EndFit& fit)
{
    const auto onFirst
        = [&](const EndingCall& call) { return static_cast<double>(call.endNs) - fit.aheadNs(call.endNs); };
    const double begin = std::max(static_cast<double>(first.front().endNs), onFirst(second.front()));
    const double end = std::min(static_cast<double>(first.back().endNs), onFirst(second.back()));
    if (end <= begin)
        return 0;
    const auto inFirst = std::count_if(first.begin(), first.end(), [&](const EndingCall& call) {
        const auto at = static_cast<double>(call.endNs);
        return at >= begin && at <= end;
    });
    const auto inSecond = std::count_if(second.begin(), second.end(), [&](const EndingCall& call) {
        return onFirst(call) >= begin && onFirst(call) <= end;
    });
    const double pairs = static_cast<double>(inFirst) * static_cast<double>(inSecond);
    return pairs <= 0 ? 0
                      : std::min(closeEndsNs, static_cast<std::int64_t>(chancePairs * (end - begin) / pairs));
}

/// Finds pairs for an offset, then repeatedly for the line through them.
EndPairs settled(const std::vector<EndingCall>& first, const std::vector<EndingCall>& second, EndFit fit)
{
    EndPairs pairs;
    for (int round = 0; round < 3; ++round) {
        const std::int64_t barNs = barWithoutChance(first, second, fit);
        if (barNs <= 0)
            return {std::vector<std::size_t>(second.size(), notAligned), fit, 0, 0};
        pairs = pairUp(first, second, fit, barNs);
        if (pairs.count < fewestToConfirm)
            break;
        fit = fitTo(differencesOf(first, second, pairs));
    }
    return pairs;
}

/// The offset that most calls agree on, and the votes for the best alternative.
struct Vote
{
    double offsetNs = 0;
    std::size_t votes = 0, others = 0;
};
Vote vote(const std::vector<EndingCall>& first, const std::vector<EndingCall>& second, double farthestNs)
{
    constexpr std::size_t mostProbes = 512;
    constexpr std::size_t mostNear = 64;
    const auto bar = static_cast<double>(closeEndsNs);
    std::vector<double> offsets;
    const std::size_t every = (second.size() + mostProbes - 1) / mostProbes;
    for (std::size_t i = 0; i < second.size(); i += every) {
        const auto at = static_cast<double>(second[i].endNs);
        auto near = std::partition_point(first.begin(), first.end(), [&](const EndingCall& call) {
            return static_cast<double>(call.endNs) < at - farthestNs;
        });
        for (std::size_t looked = 0;
             near != first.end() && looked < mostNear && static_cast<double>(near->endNs) <= at + farthestNs;
             ++near, ++looked) {
            if (near->signature == second[i].signature)
                offsets.push_back(at - static_cast<double>(near->endNs));
        }
    }
    std::sort(offsets.begin(), offsets.end());
    const auto countFrom = [&](std::size_t i) {
        const auto end = std::upper_bound(offsets.begin() + static_cast<std::ptrdiff_t>(i), offsets.end(),
                                          offsets[i] + bar);
        return static_cast<std::size_t>(end - offsets.begin()) - i;
    };
    Vote best;
    for (std::size_t i = 0; i < offsets.size(); ++i) {
        if (const std::size_t count = countFrom(i); count > best.votes)
            best = {offsets[i + count / 2], count, 0};
    }
    for (std::size_t i = 0; i < offsets.size(); ++i) {
        if (std::abs(offsets[i] + bar / 2 - best.offsetNs) > 2 * bar)
            best.others = std::max(best.others, countFrom(i));
    }
    best.votes *= every;
    best.others *= every;
    return best;
}

/// The fit of the only shift at which the ends agree; nullopt if there are none or several.
std::optional<EndFit> fitOfOneShift(const std::vector<EndingCall>& first,
                                    const std::vector<EndingCall>& second)
{
    std::optional<EndFit> best;
    bool isAlone = true;
    for (std::ptrdiff_t shift = -farthestShift; shift <= farthestShift; ++shift) {
        const std::vector<Difference> differences = differencesOf(first, second, shift, mostLookedAt);
        if (differences.size() < 6)
            continue;
        const EndFit fit = fitTo(differences);
        if (!fits(differences, fit))
            continue;
        const double noiseNs = 5000;
        if (best && 3 * std::max(best->spreadNs, noiseNs) < fit.spreadNs)
            continue;
        isAlone = !best || 3 * std::max(fit.spreadNs, noiseNs) < best->spreadNs;
        best = fit;
    }
    return isAlone ? best : std::nullopt;
}

} // namespace

EndAgreement judgePairs(const std::vector<EndingCall>& first, const std::vector<EndingCall>& second,
                        bool isOrdered)
{
    EndAgreement result;
    const std::vector<Difference> differences = differencesOf(first, second, 0, mostLookedAt);
    if (differences.empty())
        return result;
    result.fit = fitTo(differences);
    result.barNs = barOf(result.fit);
    if (differences.size() < fewestToConfirm) {
        const auto [least, most] = std::minmax_element(
            differences.begin(), differences.end(),
            [](const Difference& a, const Difference& b) { return a.aheadNs < b.aheadNs; });
        if (most->aheadNs - least->aheadNs > static_cast<double>(farthestEndsNs))
            result.verdict = EndVerdict::Contradicted;
        else if (std::max(std::abs(least->aheadNs), std::abs(most->aheadNs))
                     <= static_cast<double>(closeEndsNs)
                 || (isOrdered && differences.size() > 1
                     && most->aheadNs - least->aheadNs <= static_cast<double>(closeEndsNs))
                 || shareInOneStep(first, second, 0) == 1.0)
            result.verdict = EndVerdict::Confirmed;
        return result;
    }
    if (!fits(differences, result.fit) || !endAtOnePlace(differences, result.fit)) {
        result.verdict = EndVerdict::Contradicted;
        return result;
    }
    switch (rivalOf(first, second, result.fit)) {
    case Rival::None:
        result.verdict = EndVerdict::Confirmed;
        break;
    case Rival::AsGood:
        result.verdict = isOrdered ? EndVerdict::Confirmed : EndVerdict::Unclear;
        break;
    case Rival::Better:
        result.verdict = EndVerdict::Contradicted;
        break;
    }
    return result;
}

EndPairs pairByEnds(const std::vector<EndingCall>& first, const std::vector<EndingCall>& second,
                    std::optional<std::int64_t> farthestNs)
{
    EndPairs none;
    none.partner.assign(second.size(), notAligned);
    if (first.empty() || second.empty())
        return none;
    const std::size_t most = std::min(first.size(), second.size());
    const auto isEnough
        = [&](const EndPairs& pairs) { return pairs.count >= 6 && 10 * pairs.count >= 6 * most; };
    if (farthestNs) {
        EndPairs pairs = settled(first, second, EndFit());
        const Vote votes = vote(first, second, static_cast<double>(*farthestNs));
        const bool isRaw = std::abs(votes.offsetNs) <= closeClocksNs || votes.votes <= 2 * pairs.count;
        if (pairs.count >= 3 && isRaw)
            return pairs;
        EndFit fit;
        fit.offsetNs = votes.offsetNs;
        pairs = settled(first, second, fit);
        return isEnough(pairs) && 2 * votes.others <= votes.votes ? pairs : none;
    }
    if (const auto fit = fitOfOneShift(first, second)) {
        EndPairs pairs = settled(first, second, *fit);
        if (isEnough(pairs))
            return pairs;
    }
    return none;
}

bool shareOnlySome(const std::vector<EndingCall>& first, const std::vector<EndingCall>& second,
                   const EndFit& fit)
{
    std::size_t inTime = 0, alone = 0;
    for (const EndingCall& call : second) {
        const double at = static_cast<double>(call.endNs) - fit.aheadNs(call.endNs);
        if (first.empty() || at < static_cast<double>(first.front().endNs)
            || at > static_cast<double>(first.back().endNs))
            continue;
        const auto bar = static_cast<double>(call.barNs);
        auto near = std::partition_point(first.begin(), first.end(), [&](const EndingCall& other) {
            return static_cast<double>(other.endNs) < at - bar;
        });
        bool isAlone = true;
        for (; isAlone && near != first.end() && static_cast<double>(near->endNs) <= at + bar; ++near)
            isAlone = near->signature != call.signature;
        ++inTime;
        alone += isAlone ? 1U : 0U;
    }
    return 10 * alone > inTime;
}

} // namespace collscope
