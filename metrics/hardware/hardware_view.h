// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The hardware record of a run as the metrics need it: devices of several files joined, placed in time, and
// with the ranks that ran on them.

#include "metrics/analysis/analysis.h"
#include "metrics/hardware/device_ranks.h"
#include "metrics/hardware/gpu_state.h"
#include "metrics/hardware/record_time.h"

#include <map>
#include <memory>

namespace collscope {

/// One GPU or network card, as one or several files recorded it.
struct HardwareUnit
{
    struct Recorded
    {
        const HardwareDevice* device = nullptr;
        RecordTime time;
    };
    HardwareDevice::Kind kind = HardwareDevice::Kind::Gpu;
    std::string label; ///< "GPU 3 of node07", safe for a sentence
    std::string host; ///< as DeviceRanks::hostOf()
    std::string product; ///< empty: not stated
    std::optional<std::int32_t> rank; ///< of a GPU
    std::vector<Recorded> records;

    /// The record with the most samples in the ranges (ns since the epoch); nullptr if none of its times is
    /// known.
    const Recorded* bestIn(std::span<const TimeRange> ranges) const;
};

struct HardwareView
{
    std::optional<TimeRange> traces; ///< ns since the epoch
    std::vector<HardwareUnit> units; ///< by host, kind, index
    std::optional<std::int64_t> toUtcNs; ///< what samples without a zone were guessed to need, if all agree
    std::shared_ptr<const DeviceRanks> ranks; ///< nullptr without a record
    std::vector<std::string> warnings; ///< files that are not used, and why

    const HardwareUnit* unitOfRank(std::int32_t rank) const;
    /// The GPU that reported an error; nullptr if the record does not tell.
    const HardwareUnit* unitOf(const XidEvent& xid) const;
};

/// O(devices). Empty without a record.
HardwareView hardwareViewOf(const TraceModel& model);
/// The same, computed once.
const HardwareView& hardwareOf(Analysis& analysis);

/// The median clock of other GPUs in the same ranges, and which reasons most of them have as well.
struct PeerState
{
    std::size_t gpus = 0;
    double clockMhz = 0; ///< median of theirs; 0: not known
    std::uint32_t usualReasons = 0; ///< bits that half of them have in half of their samples
};
/// The states of all GPUs in the same time, each computed once. The view must outlive it.
class GpuStates
{
public:
    /// In ranges (ns since the epoch, ascending); without ranges over whole records.
    GpuStates(const HardwareView& view, std::vector<TimeRange> ranges);

    /// The record that the state is of; nullptr if none has a place in time, or, without ranges, if all are
    /// of another time.
    const HardwareUnit::Recorded* recordOf(const HardwareUnit& unit) const;
    /// Precondition: recordOf() is one.
    const GpuState& stateOf(const HardwareUnit& unit);
    /// Of the other GPUs of the same product, with ranks if `unit` has one, as far as they have enough
    /// samples and load. O(units) for the first units; the same for all if there are many.
    PeerState peersOf(const HardwareUnit& unit);

private:
    bool isPeer(const HardwareUnit& unit, const HardwareUnit& other);

    const HardwareView& m_view;
    std::vector<TimeRange> m_ranges;
    std::map<const HardwareUnit*, GpuState> m_states;
    std::map<std::pair<std::string, bool>, PeerState> m_ofMany; ///< by product, and whether with ranks
};

/// A GPU runs slower than others if its clock is lower by more than this share.
constexpr double slowerClockShare = 0.05;
bool isSlower(const GpuState& own, const PeerState& peers);
/// "power cap, hardware power brake": what throttles a GPU in most of its samples, and not the others alike;
/// empty: nothing was recorded.
std::string reasonsText(const GpuState& own, const PeerState& peers);
/// "ran at 1,215 MHz, the others at 1,980 MHz: power cap".
std::string slowerText(const GpuState& own, const PeerState& peers);
/// "1,215".
std::string groupedText(double number);

} // namespace collscope
