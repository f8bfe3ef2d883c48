// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/hardware/hardware_builder.h"

#include "model/readers/text/measurement_text.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>

namespace collscope {

namespace {

constexpr std::size_t mostDevices = 65'536;
constexpr std::size_t longestSampleLine = std::size_t{64} * 1024;

/// Whether hardware can have such a value.
bool isPossibleSample(HardwareQuantity quantity, double value)
{
    const auto isIn = [&](double least, double most) { return value >= least && value <= most; };
    switch (quantity) {
    case HardwareQuantity::SmClock:
    case HardwareQuantity::MemoryClock:
    case HardwareQuantity::Power:
    case HardwareQuantity::PowerLimit:
        return isIn(0, 100'000);
    case HardwareQuantity::Temperature:
        return isIn(-100, 250);
    case HardwareQuantity::Utilisation:
        return isIn(0, 100);
    case HardwareQuantity::ThrottleReasons:
        return isIn(0, std::numeric_limits<std::uint32_t>::max()) && value == std::floor(value);
    default:
        return isIn(0, 9007199254740992.0) && value == std::floor(value); // exact as double
    }
}

HardwareSeries& sampleSeriesOf(HardwareDevice& device, HardwareQuantity quantity, std::string_view name)
{
    const auto found
        = std::find_if(device.series.begin(), device.series.end(), [&](const HardwareSeries& own) {
              return own.quantity == quantity && own.name == name;
          });
    if (found != device.series.end())
        return *found;
    HardwareSeries& series = device.series.emplace_back();
    series.quantity = quantity;
    series.name = name;
    return series;
}

/// Puts samples into the order of their times: loops of several tools can write into one file.
void sortSamples(HardwareDevice& device)
{
    if (std::is_sorted(device.timeNs.begin(), device.timeNs.end()))
        return;
    std::vector<std::uint32_t> order(device.timeNs.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return device.timeNs[a] < device.timeNs[b]; });
    for (HardwareSeries& series : device.series) {
        HardwareSeries sorted;
        sorted.quantity = series.quantity;
        sorted.name = std::move(series.name);
        for (std::uint32_t i = 0; i < order.size(); ++i)
            sorted.add(i, series.at(order[i]));
        series = std::move(sorted);
    }
    std::sort(device.timeNs.begin(), device.timeNs.end());
}

} // namespace

HardwareBuilder::HardwareBuilder(const SourceFile& file, SourceKind kind)
    : m_file(file)
    , m_fragment(fragmentOf(file, kind))
{ }

HardwareDevice* HardwareBuilder::deviceOf(const SampledDevice& device)
{
    m_key.assign(device.host).push_back('\0');
    m_key.append(device.uuid).push_back('\0');
    m_key.append(device.uuid.empty() ? device.pci : std::string_view()).push_back('\0');
    m_key.append(device.kind == HardwareDevice::Kind::NetworkCard ? device.name : std::string_view())
        .push_back('\0');
    if (device.index)
        m_key.append(reinterpret_cast<const char*>(&*device.index), sizeof *device.index);
    if (!m_devices.empty() && m_key == m_lastKey)
        return &m_devices[m_last];
    const auto found = m_byKey.find(m_key);
    if (found == m_byKey.end()) {
        if (m_devices.size() == mostDevices)
            return nullptr;
        HardwareDevice& added = m_devices.emplace_back();
        added.kind = device.kind;
        const std::filesystem::path path(m_file.originalPath.empty() ? m_file.path : m_file.originalPath);
        added.file = path.filename().string();
        added.folder = path.parent_path().filename().string();
        added.host = device.host;
        added.index = device.index;
        added.uuid = device.uuid;
        added.pci = pciAddress(device.pci);
        added.name = device.name;
        m_last = m_devices.size() - 1;
        m_byKey.emplace(m_key, m_last);
    } else {
        m_last = found->second;
    }
    m_lastKey = m_key;
    return &m_devices[m_last];
}

void HardwareBuilder::add(const SampledDevice& device, const std::optional<Stamp>& stamp,
                          std::span<const SampledValue> values, std::uint64_t offset)
{
    HardwareDevice* const own = deviceOf(device);
    if (!own || own->samples == std::numeric_limits<std::uint32_t>::max()) {
        exclude("too_many_devices", "The file names more devices than any system has; the rest is not read.",
                offset);
        return;
    }
    const StampKind kind = stamp ? stamp->kind : StampKind::None;
    if (own->samples == 0)
        own->stamps = kind;
    if (own->stamps != kind) {
        exclude("mixed_times", "A sample has a time of another kind than those before it.", offset);
        return;
    }
    if (stamp)
        own->timeNs.push_back(stamp->ns);
    for (const SampledValue& value : values) {
        const bool isOdd = !std::isnan(value.value) && !isPossibleSample(value.quantity, value.value);
        if (isOdd)
            note("impossible_value", "A value is impossible for hardware; it is taken as not known.", offset);
        sampleSeriesOf(*own, value.quantity, value.name)
            .add(own->samples, isOdd ? std::numeric_limits<double>::quiet_NaN() : value.value);
    }
    ++own->samples;
    ++m_fragment.source.eventsInFile;
    ++m_fragment.source.shown;
}

void HardwareBuilder::exclude(std::string_view code, std::string_view why, std::uint64_t offset)
{
    ++m_fragment.source.eventsInFile;
    ++m_fragment.source.excluded;
    m_fragment.problems.add(Severity::DataLoss, code, m_file.path, offset, why, 1);
}

void HardwareBuilder::note(std::string_view code, std::string_view what, std::uint64_t offset)
{
    m_fragment.problems.add(Severity::Notice, code, m_file.path, offset, what);
}

Result<TraceFragment> HardwareBuilder::finish()
{
    if (m_fragment.source.shown == 0)
        return Error{Error::Kind::Format, "The file has no complete sample of a device.", m_file.path, 0};
    for (HardwareDevice& device : m_devices) {
        sortSamples(device);
        device.measurePeriod();
    }
    // What was refused as the first sample of a device left it empty.
    std::erase_if(m_devices, [](const HardwareDevice& device) { return device.samples == 0; });
    if (m_devices.front().stamps == StampKind::None)
        note("samples_without_time",
             "The samples have no time stamps, so they cannot be placed beside the traces.", 0);
    m_fragment.hardware = std::make_shared<HardwareRecord>();
    m_fragment.hardware->devices = std::move(m_devices);
    return std::move(m_fragment);
}

Status forEachLine(const SourceFile& file, const ReadContext& context, Diagnostics& problems,
                   const std::function<void(std::string_view line, std::uint64_t offset)>& take)
{
    auto source = ByteSource::open(file.path);
    if (!source)
        return source.error();
    std::vector<char> buffer(std::size_t{1} << 20);
    std::string open; // the begin of a line, whose rest is in the next buffer
    std::uint64_t openAt = 0, offset = 0;
    bool isTooLong = false;
    const auto pass = [&](std::string_view line, std::uint64_t at) {
        if (isTooLong)
            problems.add(Severity::Notice, "long_line", file.path, at,
                         "A line is longer than 64 KiB; it was not read.");
        else
            take(line.ends_with('\r') ? line.substr(0, line.size() - 1) : line, at);
        isTooLong = false;
    };
    while (const std::size_t got = (*source)->read(buffer)) {
        std::string_view text(buffer.data(), got);
        while (true) {
            const std::size_t end = text.find('\n');
            const std::string_view part = text.substr(0, end);
            const std::uint64_t at = offset + got - text.size();
            if (end != std::string_view::npos && open.empty() && !isTooLong) {
                pass(part, at);
            } else {
                if (open.empty() && !isTooLong)
                    openAt = at;
                isTooLong = isTooLong || open.size() + part.size() > longestSampleLine;
                isTooLong ? open.clear() : void(open.append(part));
                if (end == std::string_view::npos)
                    break;
                pass(open, openAt);
                open.clear();
            }
            text.remove_prefix(end + 1);
        }
        offset += got;
        context.progress((*source)->diskBytesRead());
        if (context.mustStop())
            return Error{Error::Kind::Cancelled, "Loading was cancelled.", file.path, 0};
    }
    if (!open.empty() || isTooLong)
        pass(open, openAt);
    noteDamage(**source, file.path, offset, problems);
    return {};
}

} // namespace collscope
