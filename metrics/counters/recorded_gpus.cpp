// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/counters/recorded_gpus.h"

#include "metrics/hardware/hardware_view.h"
#include "metrics/hardware/xid_meanings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace collscope {

namespace {

struct CurveRow
{
    HardwareQuantity quantity;
    const char* name;
    const char* unit;
};
constexpr std::array curveRows{CurveRow{HardwareQuantity::SmClock, "SM clock", "MHz"},
                               CurveRow{HardwareQuantity::Power, "Power", "W"},
                               CurveRow{HardwareQuantity::PowerLimit, "Power limit", "W"},
                               CurveRow{HardwareQuantity::Temperature, "Temperature", "\u00b0C"},
                               CurveRow{HardwareQuantity::Utilisation, "Utilisation", "%"},
                               CurveRow{HardwareQuantity::MemoryClock, "Memory clock", "MHz"}};

/// The rows of a device that are drawn: some more than those of the traces, so that curves do not begin late.
struct Rows
{
    std::uint32_t first = 0, last = 0;
};
Rows rowsOf(const HardwareUnit::Recorded& record, TimeRange traces)
{
    constexpr std::int64_t around = 5;
    const auto& times = record.device->timeNs;
    const std::int64_t more = around * record.device->periodNs;
    const auto first
        = std::lower_bound(times.begin(), times.end(), traces.beginNs - more - record.time.toUtcNs);
    const auto last = std::upper_bound(first, times.end(), traces.endNs + more - record.time.toUtcNs);
    return {static_cast<std::uint32_t>(first - times.begin()),
            static_cast<std::uint32_t>(last - times.begin())};
}

/// What one GPU shows.
class RecordedGpu
{
public:
    RecordedGpu(const TraceModel& model, const HardwareUnit::Recorded& record, Rows rows)
        : m_record(record)
        , m_rows(rows)
        , m_shiftNs(record.time.toUtcNs - model.axisZeroNs)
    { }

    void fill(SampledGpu& gpu) const
    {
        for (const CurveRow& row : curveRows) {
            if (const HardwareSeries* const series = m_record.device->find(row.quantity))
                addCurve(*series, row, gpu);
        }
        addThrottledTimes(gpu);
    }

private:
    std::int64_t timeOf(std::uint32_t row) const { return m_record.device->timeNs[row] + m_shiftNs; }

    void addCurve(const HardwareSeries& series, const CurveRow& row, SampledGpu& gpu) const
    {
        auto counter = std::make_shared<CounterSeries>();
        bool isKnown = false;
        for (std::uint32_t i = m_rows.first; i < m_rows.last; ++i) {
            // Two samples of one moment would make a range without length.
            if (!counter->timeNs.empty() && counter->timeNs.back() >= timeOf(i))
                continue;
            counter->timeNs.push_back(timeOf(i));
            counter->value.push_back(series.at(i));
            isKnown |= !std::isnan(counter->value.back());
        }
        if (!isKnown)
            return;
        // The limit is drawn with the power.
        const bool joins = row.quantity == HardwareQuantity::PowerLimit && !gpu.groups.empty()
            && gpu.groups.back().name == "Power";
        const std::size_t index = gpu.counters.size();
        gpu.counters.push_back(
            {row.name, row.unit, SampledCurve(std::shared_ptr<const CounterSeries>(counter))});
        if (joins)
            gpu.groups.back().counters.push_back(index);
        else
            gpu.groups.push_back({row.name, row.unit, {index}});
    }

    /// Samples in a row with the same reasons are one range.
    void addThrottledTimes(SampledGpu& gpu) const
    {
        const HardwareSeries* const series = m_record.device->find(HardwareQuantity::ThrottleReasons);
        std::string open;
        for (std::uint32_t i = m_rows.first; series && i < m_rows.last; ++i) {
            const std::string text = reasonsOf(series->at(i));
            const std::int64_t begin = i > 0
                ? std::max(timeOf(i - 1), timeOf(i) - 2 * m_record.device->periodNs)
                : timeOf(i) - m_record.device->periodNs;
            if (!text.empty() && text == open && gpu.remarks.back().range.endNs >= begin)
                gpu.remarks.back().range.endNs = timeOf(i);
            else if (!text.empty())
                gpu.remarks.push_back({{begin, timeOf(i)}, false, text});
            open = text;
        }
    }
    static std::string reasonsOf(double value)
    {
        const auto bits = std::isnan(value) ? 0u : static_cast<std::uint32_t>(value);
        std::string text;
        for (std::uint32_t bit = 1; bit != 0 && bit <= bits; bit <<= 1) {
            if ((bits & bit & (troubleReasons | powerReasons)) == 0)
                continue;
            text += (text.empty() ? "throttled: " : ", ")
                + std::string(reasonText(static_cast<ThrottleReason>(bit)));
        }
        return text;
    }

    const HardwareUnit::Recorded& m_record;
    Rows m_rows;
    std::int64_t m_shiftNs;
};

/// The errors that have a place in time, by GPU. O(errors x GPUs).
std::map<const HardwareUnit*, std::vector<GpuRemark>> xidsByGpu(const TraceModel& model,
                                                                const HardwareView& view)
{
    std::map<const HardwareUnit*, std::vector<GpuRemark>> byGpu;
    for (const XidEvent& xid : model.hardware->xids) {
        const RecordTime time = recordTimeOf(view.traces, xid, view.toUtcNs);
        const HardwareUnit* const unit = time.isPlaced() ? view.unitOf(xid) : nullptr;
        if (!unit)
            continue;
        const std::int64_t at = xid.timeNs + time.toUtcNs - model.axisZeroNs;
        std::string text = "Xid " + std::to_string(xid.code);
        if (const std::string_view meaning = xidMeaning(xid.code); !meaning.empty())
            text += ": " + std::string(meaning);
        byGpu[unit].push_back({{at - xid.resolutionNs, at + xid.resolutionNs}, true, std::move(text)});
    }
    return byGpu;
}

/// The timeline whose clock the samples of a GPU share: that of its rank, else any of a wall clock.
std::optional<std::size_t> clockOf(const TraceModel& model, std::optional<std::int32_t> rank)
{
    std::optional<std::size_t> any;
    for (std::size_t i = 0; i < model.timelines.size(); ++i) {
        if (!model.timelines[i].hasWallClock)
            continue;
        if (rank == model.timelines[i].rank)
            return i;
        if (!any)
            any = i;
    }
    return any;
}

} // namespace

bool hasRecordedGpus(const TraceModel& model)
{
    if (!model.hardware)
        return false;
    const auto traces = wallRangeOf(model);
    return traces
        && std::any_of(model.hardware->devices.begin(), model.hardware->devices.end(),
                       [&](const HardwareDevice& device) {
                           return device.kind == HardwareDevice::Kind::Gpu
                               && recordTimeOf(traces, device).isPlaced();
                       });
}

void addRecordedGpus(const TraceModelPtr& model, SampledGpus& gpus)
{
    if (!hasRecordedGpus(*model))
        return;
    const HardwareView view = hardwareViewOf(*model);
    auto xids = xidsByGpu(*model, view);
    for (const HardwareUnit& unit : view.units) {
        const std::array ranges{*view.traces};
        const HardwareUnit::Recorded* const record = unit.bestIn(ranges);
        const auto clock = clockOf(*model, unit.rank);
        if (unit.kind != HardwareDevice::Kind::Gpu || !record || !clock)
            continue;
        SampledGpu gpu;
        gpu.timeline = *clock;
        gpu.rank = unit.rank.value_or(0);
        gpu.device = record->device->index.value_or(-1);
        gpu.isOfRank = unit.rank.has_value();
        gpu.label = unit.label;
        RecordedGpu(*model, *record, rowsOf(*record, *view.traces)).fill(gpu);
        const std::vector<GpuRemark>& own = xids[&unit];
        gpu.remarks.insert(gpu.remarks.end(), own.begin(), own.end());
        std::stable_sort(gpu.remarks.begin(), gpu.remarks.end(), [](const GpuRemark& a, const GpuRemark& b) {
            return a.range.beginNs < b.range.beginNs;
        });
        if (!gpu.groups.empty())
            gpus.push_back(std::move(gpu));
    }
}

} // namespace collscope
