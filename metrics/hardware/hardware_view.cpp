// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/hardware/hardware_view.h"

#include "metrics/core/duration_text.h"
#include "model/text/printable_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace collscope {

namespace {

std::string safeName(std::string_view name)
{
    return printableLine(shortened(name));
}

std::string unitLabelOf(const HardwareDevice& device, const std::string& host)
{
    std::string label;
    if (device.kind == HardwareDevice::Kind::NetworkCard)
        label = "Network card " + safeName(device.name);
    else if (device.index)
        label = "GPU " + std::to_string(*device.index);
    else
        label = "GPU " + safeName(!device.pci.empty() ? device.pci : device.uuid);
    const std::string place = !device.host.empty() ? device.host.substr(0, device.host.find('.'))
        : host == "?"                              ? std::string()
                                                   : host;
    if (!place.empty())
        return label + " of " + safeName(place);
    return host == "?" ? label + " in " + safeName(device.file) : label;
}

/// The same device of several files has the same key.
std::string unitKeyOf(const HardwareDevice& device, const std::string& host)
{
    const std::string place = host == "?" ? "?" + device.folder + "/" + device.file : host;
    const char kind = device.kind == HardwareDevice::Kind::Gpu ? 'g' : 'n';
    if (device.kind == HardwareDevice::Kind::NetworkCard)
        return place + '\0' + kind + device.name;
    if (device.index)
        return place + '\0' + kind + std::to_string(*device.index);
    return place + '\0' + kind + "by " + (!device.uuid.empty() ? device.uuid : device.pci);
}

/// A GPU whose number alone tells it from others.
bool isNameless(const HardwareDevice& device)
{
    return device.kind == HardwareDevice::Kind::Gpu && device.uuid.empty() && device.pci.empty()
        && device.host.empty();
}

/// Files with rows of several GPUs of the same number, by name.
std::map<SourceId, std::string> mixedFilesOf(const HardwareRecord& record)
{
    std::map<SourceId, std::string> mixed;
    for (const HardwareDevice& device : record.devices) {
        if (isNameless(device)
            && std::any_of(device.series.begin(), device.series.end(), [](const HardwareSeries& series) {
                   return isCounter(series.quantity) && fallsRepeatedly(series);
               }))
            mixed.emplace(device.source, device.file);
    }
    return mixed;
}

PeerState peerSummaryOf(const std::vector<GpuState>& states)
{
    PeerState peers;
    std::vector<double> clocks;
    for (const GpuState& state : states) {
        ++peers.gpus;
        if (state.clockMhz)
            clocks.push_back(*state.clockMhz);
    }
    if (!clocks.empty()) {
        std::sort(clocks.begin(), clocks.end());
        peers.clockMhz = clocks[(clocks.size() - 1) / 2];
    }
    constexpr std::uint32_t lastReason = static_cast<std::uint32_t>(ThrottleReason::Unnamed);
    for (std::uint32_t bit = 1; bit <= lastReason; bit <<= 1) {
        const auto hasIt = [&](const GpuState& state) {
            return std::any_of(state.reasons.begin(), state.reasons.end(), [&](const auto& reason) {
                return static_cast<std::uint32_t>(reason.first) == bit && 2 * reason.second >= state.samples;
            });
        };
        const auto count = std::count_if(states.begin(), states.end(), hasIt);
        if (count > 0 && 2 * static_cast<std::size_t>(count) >= states.size())
            peers.usualReasons |= bit;
    }
    return peers;
}

} // namespace

HardwareView hardwareViewOf(const TraceModel& model)
{
    HardwareView view;
    view.traces = wallRangeOf(model);
    if (!model.hardware)
        return view;
    view.ranks = std::make_shared<DeviceRanks>(model, *model.hardware);
    std::map<std::string, std::size_t> units;
    bool doGuessesAgree = true;
    const std::map<SourceId, std::string> mixed = mixedFilesOf(*model.hardware);
    for (const auto& [source, name] : mixed)
        view.warnings.push_back("The hardware record " + quotedName(name)
                                + " is not used: counters of it fall again and again, as if rows of several "
                                  "nodes were in it, and it does not tell them apart.");
    for (const HardwareDevice& device : model.hardware->devices) {
        if (isNameless(device) && mixed.contains(device.source))
            continue;
        const std::string host = view.ranks->hostOf(device);
        const auto [known, isNew] = units.try_emplace(unitKeyOf(device, host), view.units.size());
        if (isNew) {
            HardwareUnit& unit = view.units.emplace_back();
            unit.kind = device.kind;
            unit.label = unitLabelOf(device, host);
            unit.host = host;
            const GpuRank place = view.ranks->placeOf(device);
            // Findings state a rank without saying that it is a guess.
            if (place.evidence != RankEvidence::LogAlone)
                unit.rank = place.rank;
        }
        HardwareUnit& unit = view.units[known->second];
        if (unit.product.empty())
            unit.product = device.name;
        unit.records.push_back({&device, recordTimeOf(view.traces, device)});
        const RecordTime& time = unit.records.back().time;
        if (time.kind == RecordTime::Kind::Guessed) {
            doGuessesAgree &= !view.toUtcNs || *view.toUtcNs == time.toUtcNs;
            view.toUtcNs = time.toUtcNs;
        }
    }
    if (!doGuessesAgree)
        view.toUtcNs.reset();
    return view;
}

const HardwareUnit::Recorded* HardwareUnit::bestIn(std::span<const TimeRange> ranges) const
{
    const Recorded* best = nullptr;
    std::ptrdiff_t most = -1;
    for (const Recorded& record : records) {
        if (!record.time.isPlaced())
            continue;
        std::ptrdiff_t samples = 0;
        for (const TimeRange range : ranges) {
            const auto& times = record.device->timeNs;
            const auto first
                = std::lower_bound(times.begin(), times.end(), range.beginNs - record.time.toUtcNs);
            samples += std::lower_bound(first, times.end(), range.endNs - record.time.toUtcNs) - first;
        }
        // A record that knows why clocks are low is better than one that does not.
        const bool tells = record.device->find(HardwareQuantity::ThrottleReasons) || !best
            || !best->device->find(HardwareQuantity::ThrottleReasons);
        if (samples > most && (tells || most < fewestSamples)) {
            most = samples;
            best = &record;
        }
    }
    return best;
}

const HardwareUnit* HardwareView::unitOfRank(std::int32_t rank) const
{
    const auto found = std::find_if(units.begin(), units.end(),
                                    [&](const HardwareUnit& unit) { return unit.rank == rank; });
    return found == units.end() ? nullptr : &*found;
}

const HardwareUnit* HardwareView::unitOf(const XidEvent& xid) const
{
    const std::string host = ranks ? ranks->hostOf(xid) : std::string();
    const auto isOwn = [&](const HardwareUnit& unit) {
        return unit.kind == HardwareDevice::Kind::Gpu
            && std::any_of(unit.records.begin(), unit.records.end(), [&](const auto& record) {
                   const HardwareDevice& device = *record.device;
                   if (!xid.uuid.empty() && !device.uuid.empty())
                       return xid.uuid == device.uuid;
                   if (unit.host != host)
                       return false;
                   if (xid.index)
                       return xid.index == device.index;
                   return !xid.pci.empty() && xid.pci == device.pci;
               });
    };
    const auto found = std::find_if(units.begin(), units.end(), isOwn);
    return found == units.end() ? nullptr : &*found;
}

const HardwareView& hardwareOf(Analysis& analysis)
{
    return analysis.table<HardwareView>([&] { return hardwareViewOf(analysis.model()); });
}

GpuStates::GpuStates(const HardwareView& view, std::vector<TimeRange> ranges)
    : m_view(view)
    , m_ranges(std::move(ranges))
{ }

const HardwareUnit::Recorded* GpuStates::recordOf(const HardwareUnit& unit) const
{
    if (!m_ranges.empty())
        return unit.bestIn(m_ranges);
    const auto found
        = std::find_if(unit.records.begin(), unit.records.end(), [](const HardwareUnit::Recorded& record) {
              return record.time.kind != RecordTime::Kind::Elsewhere;
          });
    return found == unit.records.end() ? nullptr : &*found;
}

const GpuState& GpuStates::stateOf(const HardwareUnit& unit)
{
    const auto [known, isNew] = m_states.try_emplace(&unit);
    if (isNew) {
        const HardwareUnit::Recorded& record = *recordOf(unit);
        known->second = m_ranges.empty() ? gpuStateOf(*record.device)
                                         : gpuStateIn(*record.device, record.time.toUtcNs, m_ranges);
    }
    return known->second;
}

bool GpuStates::isPeer(const HardwareUnit& unit, const HardwareUnit& other)
{
    if (other.kind != unit.kind || (unit.rank && !other.rank) || !recordOf(other)
        || (!other.product.empty() && !unit.product.empty() && other.product != unit.product))
        return false;
    const GpuState& state = stateOf(other);
    return state.isEnough() && 2 * state.loaded >= state.samples;
}

PeerState GpuStates::peersOf(const HardwareUnit& unit)
{
    // Among many, one more or less does not change the middle.
    constexpr std::size_t many = 32;
    const bool isOneOfMany = m_view.units.size() >= many;
    const std::pair key(unit.product, unit.rank.has_value());
    if (const auto known = m_ofMany.find(key); isOneOfMany && known != m_ofMany.end())
        return known->second;
    std::vector<GpuState> states;
    for (const HardwareUnit& other : m_view.units) {
        if ((isOneOfMany || &other != &unit) && isPeer(unit, other))
            states.push_back(stateOf(other));
    }
    const PeerState peers = peerSummaryOf(states);
    if (isOneOfMany)
        m_ofMany.emplace(key, peers);
    return peers;
}

bool isSlower(const GpuState& own, const PeerState& peers)
{
    return own.clockMhz && peers.clockMhz > 0 && *own.clockMhz < (1 - slowerClockShare) * peers.clockMhz;
}

std::string reasonsText(const GpuState& own, const PeerState& peers)
{
    const auto isMost = [&](const auto& reason) {
        const auto bit = static_cast<std::uint32_t>(reason.first);
        return reason.first != ThrottleReason::Idle && (bit & peers.usualReasons) == 0
            && 2 * reason.second >= std::max<std::int64_t>(own.loaded, 1);
    };
    const auto has = [&](ThrottleReason wanted) {
        return std::any_of(own.reasons.begin(), own.reasons.end(),
                           [&](const auto& reason) { return reason.first == wanted && isMost(reason); });
    };
    // NVML sets this one together with the two that say more.
    const bool saysMore = has(ThrottleReason::HardwareThermal) || has(ThrottleReason::PowerBrake);
    std::string text;
    for (const auto& reason : own.reasons) {
        if (!isMost(reason) || (reason.first == ThrottleReason::HardwareSlowdown && saysMore))
            continue;
        text += std::string(text.empty() ? "" : ", ").append(reasonText(reason.first));
    }
    return text;
}

std::string slowerText(const GpuState& own, const PeerState& peers)
{
    std::string text = "ran at " + groupedText(own.clockMhz.value_or(0)) + " MHz, the other"
        + (peers.gpus > 1 ? "s" : "") + " at " + groupedText(peers.clockMhz) + " MHz";
    const std::string reasons = reasonsText(own, peers);
    if (!reasons.empty())
        text += ": " + reasons;
    return text;
}

std::string groupedText(double number)
{
    std::string digits = std::to_string(std::llround(number));
    for (std::size_t i = digits.size(); i > 3; i -= 3) {
        if (digits[i - 4] != '-')
            digits.insert(i - 3, ",");
    }
    return digits;
}

} // namespace collscope
