// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/hardware/record_time.h"

#include <chrono>

namespace collscope {

namespace {

constexpr std::int64_t recordNsPerSecond = 1'000'000'000;
constexpr std::int64_t recordMinuteNs = 60 * recordNsPerSecond;
constexpr std::int64_t recordHourNs = 60 * recordMinuteNs;
constexpr std::int64_t westernmostNs = -12 * recordHourNs, easternmostNs = 14 * recordHourNs;

/// Offsets that are not whole hours, in minutes east of UTC, with and without daylight saving time (IANA time
/// zone database).
constexpr std::int64_t oddZones[] = {-570, -210, -150, 210, 270, 330, 345, 390, 525, 570, 630, 765, 825};

/// What ends up in `beside` when a zone is taken off a local time.
struct FittingZones
{
    int fitting = 0;
    std::int64_t toUtcNs = 0; ///< of the last one that fits
};

/// The zones in which a range of local time overlaps another one of UTC.
FittingZones zonesOf(TimeRange local, TimeRange beside)
{
    FittingZones zones;
    const auto add = [&](std::int64_t east) {
        // Ranges of a single moment count.
        if (local.beginNs - east <= beside.endNs && beside.beginNs <= local.endNs - east) {
            ++zones.fitting;
            zones.toUtcNs = -east;
        }
    };
    for (std::int64_t east = westernmostNs; east <= easternmostNs; east += recordHourNs)
        add(east);
    for (const std::int64_t minutes : oddZones)
        add(minutes * recordMinuteNs);
    return zones;
}

/// The stamp of 1972 in the year that lies nearest to a time.
std::int64_t inYearOf(std::int64_t ns, std::int64_t nearNs)
{
    using namespace std::chrono;
    const auto dayOf
        = [](std::int64_t time) { return floor<days>(sys_time<nanoseconds>(nanoseconds(time))); };
    const year_month_day own(dayOf(ns)), other(dayOf(nearNs));
    const std::int64_t clockNs = ns - nanoseconds(dayOf(ns).time_since_epoch()).count();
    std::int64_t best = ns;
    for (const int more : {-1, 0, 1}) {
        const year_month_day date{other.year() + years(more), own.month(), own.day()};
        if (!date.ok())
            continue;
        const std::int64_t candidate = nanoseconds(sys_days(date).time_since_epoch()).count() + clockNs;
        if (std::abs(candidate - nearNs) < std::abs(best - nearNs))
            best = candidate;
    }
    return best;
}

} // namespace

std::optional<TimeRange> wallRangeOf(const TraceModel& model)
{
    std::optional<TimeRange> all;
    for (const Timeline& timeline : model.timelines) {
        if (!timeline.hasWallClock || timeline.range.isEmpty())
            continue;
        const TimeRange own{timeline.range.beginNs + model.axisZeroNs,
                            timeline.range.endNs + model.axisZeroNs};
        all = all ? all->united(own) : own;
    }
    return model.hasWallClock ? all : std::nullopt;
}

RecordTime recordTimeOf(const std::optional<TimeRange>& traces, const HardwareDevice& device)
{
    RecordTime time;
    if (device.timeNs.empty()) {
        time.why = "its samples have no times";
        return time;
    }
    if (!traces) {
        time.why = "the traces have no wall-clock times";
        return time;
    }
    const std::int64_t period = device.periodNs;
    const TimeRange own{device.timeNs.front(), device.timeNs.back()};
    const TimeRange near{traces->beginNs - period, traces->endNs + period};
    if (device.stamps == StampKind::Utc) {
        const bool isNear = own.beginNs <= near.endNs && near.beginNs <= own.endNs;
        time.kind = isNear ? RecordTime::Kind::Stated : RecordTime::Kind::Elsewhere;
        return time;
    }
    const FittingZones zones = zonesOf(own, near);
    time.why = "its times have no zone";
    if (zones.fitting == 0)
        time.kind = RecordTime::Kind::Elsewhere;
    if (zones.fitting == 1) {
        time.kind = RecordTime::Kind::Guessed;
        time.toUtcNs = zones.toUtcNs;
    }
    return time;
}

RecordTime recordTimeOf(const std::optional<TimeRange>& traces, const XidEvent& xid,
                        const std::optional<std::int64_t>& toUtcNs)
{
    RecordTime time;
    if (xid.stamps == StampKind::None || xid.stamps == StampKind::SinceBoot) {
        time.why = xid.stamps == StampKind::None ? "the log has no time that can be read for it"
                                                 : "the log counts from the start of the node";
        return time;
    }
    if (!traces) {
        time.why = "the traces have no wall-clock times";
        return time;
    }
    const TimeRange near{traces->beginNs - recordHourNs, traces->endNs + recordHourNs};
    std::int64_t ns = xid.timeNs;
    if (xid.stamps == StampKind::LocalWithoutYear)
        ns = inYearOf(ns, traces->beginNs);
    const std::int64_t yearNs = ns - xid.timeNs;
    const bool isStated = xid.stamps == StampKind::Utc;
    if (isStated || toUtcNs) {
        time.toUtcNs = yearNs + (isStated ? 0 : *toUtcNs);
        const std::int64_t utcNs = xid.timeNs + time.toUtcNs;
        const bool isNear = near.beginNs <= utcNs && utcNs <= near.endNs;
        time.kind = !isNear ? RecordTime::Kind::Elsewhere
            : isStated      ? RecordTime::Kind::Stated
                            : RecordTime::Kind::Guessed;
        return time;
    }
    // Sooner or later one zone puts a single moment beside the traces: that shows nothing.
    time.why = "the log does not state the zone of its times";
    if (zonesOf({ns, ns}, near).fitting == 0)
        time.kind = RecordTime::Kind::Elsewhere;
    return time;
}

std::string zoneText(std::int64_t toUtcNs)
{
    const std::int64_t minutes = std::abs(toUtcNs) / recordMinuteNs;
    const auto twoDigits
        = [](std::int64_t number) { return (number < 10 ? "0" : "") + std::to_string(number); };
    return std::string("UTC") + (toUtcNs > 0 ? "-" : "+") + twoDigits(minutes / 60) + ":"
        + twoDigits(minutes % 60);
}

std::string guessText(const RecordTime& time)
{
    return time.kind == RecordTime::Kind::Guessed ? ", if the times of the record are "
            + zoneText(time.toUtcNs) + ", the only zone in which they are of the time of the traces"
                                                  : std::string();
}

} // namespace collscope
