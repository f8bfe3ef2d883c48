// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/witnesses/hardware_record.h"

#include "model/text/lower_case.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <tuple>

namespace collscope {

namespace {

bool isSame(double a, double b)
{
    return a == b || (std::isnan(a) && std::isnan(b));
}

bool isHex(std::string_view text, std::size_t least, std::size_t most)
{
    return text.size() >= least && text.size() <= most
        && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// The last XID of a GPU is sampled as a value: each change to another code is an error that happened between
/// two samples. What was there from the beginning happened at an unknown time before.
void addSampledXids(const HardwareDevice& device, std::vector<XidEvent>& xids)
{
    const HardwareSeries* const series = device.find(HardwareQuantity::LastXid);
    for (std::size_t i = 1; series && i < series->row.size(); ++i) {
        constexpr double largest = 10'000;
        const double code = series->value[i];
        if (!(code > 0 && code < largest))
            continue;
        double before = series->value[i - 1];
        for (std::size_t j = i - 1; std::isnan(before) && j > 0; --j)
            before = series->value[j - 1];
        if (isSame(code, before))
            continue;
        XidEvent& xid = xids.emplace_back();
        xid.source = device.source;
        xid.file = device.file;
        xid.folder = device.folder;
        xid.stamps = device.stamps;
        xid.timeNs = device.timeNs.empty() ? 0 : device.timeNs[series->row[i]];
        xid.resolutionNs = device.periodNs;
        xid.host = device.host;
        xid.pci = device.pci;
        xid.uuid = device.uuid;
        xid.index = device.index;
        xid.code = static_cast<std::int32_t>(code);
    }
}

/// Two files can say of one place that different GPUs are in it: then indices are not those of one job.
void noteContradictions(const std::vector<HardwareDevice>& devices, Diagnostics& problems)
{
    std::map<std::pair<std::string, std::int32_t>, const HardwareDevice*> places;
    for (const HardwareDevice& device : devices) {
        if (device.kind != HardwareDevice::Kind::Gpu || !device.index || device.uuid.empty()
            || device.host.empty())
            continue;
        const auto [known, isNew] = places.try_emplace({device.host, *device.index}, &device);
        if (!isNew && known->second->uuid != device.uuid)
            problems.add(Severity::Notice, "gpu_index_ambiguous", {}, 0,
                         "GPU " + std::to_string(*device.index) + " of a node has another UUID in "
                             + device.file + " than in " + known->second->file
                             + ": the files are not of one job, or number the GPUs differently.");
    }
}

} // namespace

double HardwareSeries::at(std::uint32_t sample) const
{
    const auto after = std::upper_bound(row.begin(), row.end(), sample);
    return after == row.begin() ? std::numeric_limits<double>::quiet_NaN()
                                : value[static_cast<std::size_t>(after - row.begin()) - 1];
}

void HardwareSeries::add(std::uint32_t sample, double newValue)
{
    if (row.empty() ? std::isnan(newValue) : isSame(value.back(), newValue))
        return;
    row.push_back(sample);
    value.push_back(newValue);
}

const HardwareSeries* HardwareDevice::find(HardwareQuantity quantity) const
{
    const auto found = std::find_if(series.begin(), series.end(),
                                    [&](const HardwareSeries& own) { return own.quantity == quantity; });
    return found == series.end() ? nullptr : &*found;
}

void HardwareDevice::measurePeriod()
{
    std::vector<std::int64_t> distances;
    for (std::size_t i = 0; i + 1 < timeNs.size(); ++i) {
        // Where stamps are coarser than samples are apart, several samples have the same one.
        if (timeNs[i + 1] != timeNs[i])
            distances.push_back(timeNs[i + 1] - timeNs[i]);
    }
    if (distances.empty())
        return;
    const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
    std::nth_element(distances.begin(), middle, distances.end());
    periodNs = *middle;
}

void HardwareRecord::take(HardwareRecord&& other, SourceId source)
{
    for (HardwareDevice& device : other.devices)
        device.source = source;
    for (XidEvent& xid : other.xids)
        xid.source = source;
    for (NumberedGpu& gpu : other.numbered)
        gpu.source = source;
    std::move(other.devices.begin(), other.devices.end(), std::back_inserter(devices));
    std::move(other.xids.begin(), other.xids.end(), std::back_inserter(xids));
    std::move(other.numbered.begin(), other.numbered.end(), std::back_inserter(numbered));
}

void HardwareRecord::settle(Diagnostics& problems)
{
    const auto placeOf = [](const HardwareDevice& device) {
        constexpr std::int32_t noIndex = std::numeric_limits<std::int32_t>::max();
        return std::tuple(std::string_view(device.host), device.kind, device.index.value_or(noIndex),
                          std::string_view(device.pci), std::string_view(device.name), device.source.value);
    };
    std::stable_sort(devices.begin(), devices.end(), [&](const HardwareDevice& a, const HardwareDevice& b) {
        return placeOf(a) < placeOf(b);
    });
    for (const HardwareDevice& device : devices)
        addSampledXids(device, xids);
    std::stable_sort(xids.begin(), xids.end(), [](const XidEvent& a, const XidEvent& b) {
        return std::tie(a.host, a.stamps, a.timeNs, a.line) < std::tie(b.host, b.stamps, b.timeNs, b.line);
    });
    noteContradictions(devices, problems);
}

std::string pciAddress(std::string_view text)
{
    const std::string lower = lowered(std::string(text));
    std::string_view rest = lower;
    if (rest.starts_with("pci:"))
        rest.remove_prefix(4);
    std::array<std::string_view, 3> parts; // domain, bus, device and function
    std::size_t count = 0;
    while (count < parts.size()) {
        const std::size_t colon = rest.find(':');
        parts[count++] = rest.substr(0, colon);
        if (colon == std::string_view::npos) {
            rest = {};
            break;
        }
        rest.remove_prefix(colon + 1);
    }
    if (!rest.empty() || count < 2)
        return {};
    const std::string_view domain = count == 3 ? parts[0] : "0000";
    const std::string_view bus = parts[count - 2];
    const std::string_view device = parts[count - 1].substr(0, 2);
    const std::string_view function = parts[count - 1].substr(device.size());
    const bool hasFunction = function.size() == 2 && function[0] == '.' && isHex(function.substr(1), 1, 1);
    if (!isHex(domain, 4, 8) || !isHex(bus, 2, 2) || !isHex(device, 2, 2)
        || !(function.empty() || hasFunction))
        return {};
    // NVML writes the domain with eight digits, the kernel with four.
    const std::size_t extra = domain.size() - 4;
    if (domain.substr(0, extra).find_first_not_of('0') != std::string_view::npos)
        return {};
    return std::string(domain.substr(extra)) + ":" + std::string(bus) + ":" + std::string(device)
        + (hasFunction ? std::string(function) : ".0");
}

} // namespace collscope
