// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Adds up the waits and who caused them, collective by collective, wherever the calls are kept: in memory, or
// in the summaries of the ranks. See blame.md.

#include "metrics/causes/arrivals.h"
#include "metrics/causes/wait_history.h"

#include <optional>
#include <set>
#include <span>
#include <vector>

namespace collscope {

/// One call of the collective that is read.
struct ArrivingCall
{
    std::size_t rank = 0; ///< index into Arrivals::ranks
    TimeRange range; ///< on the clock of its timeline
    std::int32_t step = -1; ///< as Call::step
    KernelClass kind = KernelClass::OtherCommunication;
};

/// What is known about the collective that is read. Members are numbered as in its calls.
class ArrivingCollective
{
public:
    virtual ~ArrivingCollective() = default;
    virtual const CollectiveInstance& instance() const = 0;
    virtual std::span<const ArrivingCall> calls() const = 0;
    /// See HiddenWaits.
    virtual std::int64_t exposedNs(std::size_t member, std::int64_t waitNs) = 0;
    virtual bool isHiddenAtEnd(std::size_t member) = 0;
    /// LackingCalls::usualNs(); asked only if the collective is lacking.
    virtual std::int64_t usualNs() const = 0;
    /// Whether it is a transfer between two ranks, and not an exchange (HandedWork).
    virtual bool isPointToPoint() const = 0;
    /// HandedWork::mayExplainLast().
    virtual bool mayExplainLast(const CollectiveTimes& times) const = 0;
};

/// Processes the collectives one after the other, in the order of their last arrivals, and sums up the waits
/// that follow.
class ArrivalSums
{
public:
    explicit ArrivalSums(std::size_t ranks)
        : m_history(ranks)
        , m_lastStep(ranks, -1)
    { }

    /// Adds a collective where its arrivals show who waited, and counts why if they do not. `timer`: measures
    /// it. Adds to `counted`; returns what was added, without its instance, if waits are known.
    std::optional<Arrival> read(ArrivingCollective& collective, CollectiveTimer& timer, Arrivals& counted);

private:
    static constexpr std::size_t nobody = WaitHistory::nobody;

    void addLacking();
    Arrival add(const CollectiveTimes& times);
    void followSteps();
    void remember(const std::vector<std::int64_t>& waits, WaitHistory::Collective collective);
    WaitHistory::Since sinceMeeting(std::size_t member, std::size_t other) const;
    std::int64_t medianWait(const Arrival& arrival) const;
    void checkOrder(KernelClass kind, const CollectiveTimes& times);
    std::int64_t waitOf(std::size_t rank) const;
    bool isHeldUpBy(std::size_t origin, std::size_t member, std::int64_t lateNs, std::size_t first) const;
    std::int64_t soleWaitNs(const Arrival& arrival, KernelClass kind) const;
    std::int64_t orderNs(KernelClass kind) const;
    std::size_t originOf(std::size_t member, const Arrival& arrival) const;
    std::set<std::size_t> originsOf(const Arrival& arrival, KernelClass kind) const;
    void noteUnknown(const Arrival& arrival, const std::set<std::size_t>& origins);
    void noteEarly(const Arrival& arrival);
    void noteLast(const Arrival& arrival, std::size_t last);
    std::size_t blame(Arrival& arrival, KernelClass kind);

    Arrivals* m_arrivals = nullptr; ///< where the collective on hand is counted
    ArrivingCollective* m_collective = nullptr; ///< on hand
    const CollectiveTimer* m_timer = nullptr; ///< that measured it
    std::span<const ArrivingCall> m_calls; ///< its calls
    WaitHistory m_history;
    std::vector<std::int32_t> m_lastStep; ///< by rank
};

} // namespace collscope
