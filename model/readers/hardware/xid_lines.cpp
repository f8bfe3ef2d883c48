// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Reads the errors that NVIDIA's driver reports in the log of the kernel:
// "NVRM: Xid (PCI:0000:3b:00): 79, pid=1234, name=python, GPU has fallen off the bus." (NVIDIA, XID Errors,
// https://docs.nvidia.com/deploy/xid-errors/). Older drivers leave "PCI:" out. All other lines are not
// events.

#include "model/readers/hardware/hardware_builder.h"
#include "model/readers/hardware/log_stamp.h"
#include "model/text/trimmed.h"

#include <charconv>
#include <filesystem>

namespace collscope {

namespace {

constexpr std::string_view driverMark = "NVRM: ";
constexpr std::string_view xidMark = "NVRM: Xid (";
constexpr std::size_t mostXids = 1'000'000;
constexpr std::size_t longestXidText = 300;

/// The error in a line; nullopt: another line.
std::optional<XidEvent> xidOf(std::string_view line)
{
    const std::size_t at = line.find(xidMark);
    if (at == std::string_view::npos)
        return std::nullopt;
    std::string_view rest = line.substr(at + xidMark.size());
    const std::size_t close = rest.find("): ");
    if (close == std::string_view::npos)
        return std::nullopt;
    XidEvent xid;
    xid.pci = pciAddress(rest.substr(0, close));
    rest.remove_prefix(close + std::string_view("): ").size());
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), xid.code);
    constexpr std::int32_t largest = 10'000;
    if (xid.pci.empty() || error != std::errc() || xid.code < 1 || xid.code > largest)
        return std::nullopt;
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    if (rest.starts_with(','))
        xid.text = trimmed(rest.substr(1)).substr(0, longestXidText);
    const LogPrefix prefix = logPrefixOf(line.substr(0, at));
    xid.stamps = prefix.stamp.kind;
    xid.timeNs = prefix.stamp.ns;
    xid.resolutionNs = prefix.stamp.resolutionNs;
    xid.host = prefix.host;
    return xid;
}

/// A log of the kernel on a node with NVIDIA's driver, with or without errors, or errors cut out of one.
bool isLineOfDriver(std::string_view line)
{
    if (line.starts_with(xidMark))
        return xidOf(line).has_value();
    const std::size_t at = line.find(driverMark);
    return at != std::string_view::npos && logPrefixOf(line.substr(0, at)).isOfKernel;
}

Sniff sniffXids(std::string_view, std::string_view head)
{
    while (!head.empty()) {
        const std::size_t at = head.find(driverMark);
        if (at == std::string_view::npos)
            return Sniff::No;
        const std::size_t begin = head.substr(0, at).rfind('\n');
        head.remove_prefix(begin == std::string_view::npos ? 0 : begin + 1);
        if (isLineOfDriver(takeLine(head)))
            return Sniff::Yes;
    }
    return Sniff::No;
}

Result<TraceFragment> readXids(const SourceFile& file, const ReadContext& context)
{
    HardwareBuilder builder(file, SourceKind::SystemLog);
    TraceFragment& fragment = builder.fragment();
    const std::filesystem::path path(file.originalPath.empty() ? file.path : file.originalPath);
    std::vector<XidEvent> xids;
    std::uint64_t number = 0;
    const Status status = forEachLine(
        file, context, fragment.problems, [&](std::string_view line, std::uint64_t offset) {
            ++number;
            if (line.find(xidMark) == std::string_view::npos)
                return;
            auto xid = xidOf(line);
            if (!xid || xids.size() == mostXids) {
                builder.exclude("bad_xid", "A line of an XID error is damaged, or one of too many.", offset);
                return;
            }
            xid->file = path.filename().string();
            xid->folder = path.parent_path().filename().string();
            xid->line = number;
            xids.push_back(std::move(*xid));
            ++fragment.source.eventsInFile;
            ++fragment.source.shown;
        });
    if (!status)
        return status.error();
    fragment.hardware = std::make_shared<HardwareRecord>();
    fragment.hardware->xids = std::move(xids);
    return std::move(fragment);
}

} // namespace

extern const ReaderDescriptor xidReader;
const ReaderDescriptor xidReader{"xid_lines", "Log of the kernel (XID errors of GPUs)", SourceKind::SystemLog,
                                 sniffXids, readXids};

} // namespace collscope
