// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Reads what dcgm-exporter answers: Prometheus' text format, one line per metric and GPU,
// DCGM_FI_DEV_SM_CLOCK{gpu="0",UUID="GPU-...",Hostname="node07",pci_bus_id="00000000:0D:00.0"} 1980
// (etc/default-counters.csv of NVIDIA/dcgm-exporter). Several answers can follow each other in one file.
// Their time is that of the lines (ms since the epoch), which the exporter does not write, or of a comment
// before the answer ("# scraped 1764439827.5"). Values from 0x7ffffffffffffff0 on mean "not known".

#include "model/readers/hardware/hardware_builder.h"
#include "model/text/trimmed.h"

#include <algorithm>
#include <map>

namespace collscope {

namespace {

constexpr std::string_view dcgmFamily = "DCGM_FI_DEV_";

constexpr std::pair<std::string_view, HardwareQuantity> dcgmMetricRows[] = {
    {"SM_CLOCK", HardwareQuantity::SmClock},
    {"MEM_CLOCK", HardwareQuantity::MemoryClock},
    {"POWER_USAGE", HardwareQuantity::Power},
    {"POWER_MGMT_LIMIT", HardwareQuantity::PowerLimit},
    {"GPU_TEMP", HardwareQuantity::Temperature},
    {"GPU_UTIL", HardwareQuantity::Utilisation},
    {"CLOCKS_EVENT_REASONS", HardwareQuantity::ThrottleReasons},
    {"CLOCK_THROTTLE_REASONS", HardwareQuantity::ThrottleReasons},
    {"XID_ERRORS", HardwareQuantity::LastXid},
    {"ECC_SBE_VOL_TOTAL", HardwareQuantity::EccCorrected},
    {"ECC_DBE_VOL_TOTAL", HardwareQuantity::EccUncorrected},
    {"PCIE_REPLAY_COUNTER", HardwareQuantity::PcieReplays},
    {"NVLINK_REPLAY_ERROR_COUNT_TOTAL", HardwareQuantity::NvlinkReplays},
    {"NVLINK_RECOVERY_ERROR_COUNT_TOTAL", HardwareQuantity::NvlinkRecoveries},
    {"NVLINK_CRC_DATA_ERROR_COUNT_TOTAL", HardwareQuantity::NvlinkCrc},
};

/// An answer with more devices is read in parts.
constexpr std::size_t mostOpenDevices = 65'536;

/// A line of a metric.
struct MetricLine
{
    std::string_view name; ///< without dcgmFamily
    std::string_view gpu, uuid, pci, product, host;
    std::string_view value;
    std::optional<Stamp> stamp;
};

/// Takes `key="value"` from the front of the labels. Escapes stay as they are: values of interest have none.
bool takeDcgmLabel(std::string_view& labels, std::string_view& key, std::string_view& value)
{
    labels.remove_prefix(std::min(labels.find_first_not_of(" ,"), labels.size()));
    const std::size_t equals = labels.find("=\"");
    if (equals == std::string_view::npos)
        return false;
    key = labels.substr(0, equals);
    std::size_t end = equals + 2;
    while (end < labels.size() && labels[end] != '"')
        end += labels[end] == '\\' ? 2u : 1u;
    if (end >= labels.size())
        return false;
    value = labels.substr(equals + 2, end - equals - 2);
    labels.remove_prefix(end + 1);
    return true;
}

/// nullopt if the line is not a metric of this family.
std::optional<MetricLine> metricLineOf(std::string_view line)
{
    const std::size_t open = line.find('{');
    if (!line.starts_with(dcgmFamily) || open == std::string_view::npos)
        return std::nullopt;
    MetricLine metric;
    metric.name = trimmed(line.substr(dcgmFamily.size(), open - dcgmFamily.size()));
    std::string_view rest = line.substr(open + 1), key, value;
    while (takeDcgmLabel(rest, key, value)) {
        if (key == "gpu")
            metric.gpu = value;
        else if (key == "UUID" || key == "uuid")
            metric.uuid = value;
        else if (key == "pci_bus_id")
            metric.pci = value;
        else if (key == "modelName")
            metric.product = value;
        else if (key == "Hostname")
            metric.host = value;
    }
    rest = trimmed(rest);
    if (rest.starts_with(','))
        rest = trimmed(rest.substr(1));
    if (!rest.starts_with('}'))
        return std::nullopt;
    rest = trimmed(rest.substr(1));
    const std::size_t blank = std::min(rest.find(' '), rest.size());
    metric.value = rest.substr(0, blank);
    if (const std::string_view time = trimmed(rest.substr(blank)); !time.empty()) {
        metric.stamp = stampOf(time);
        if (!metric.stamp)
            return std::nullopt;
    }
    return metric;
}

/// The time in a comment: "# 1764439827.5", "# scraped 2025-11-29T18:10:27Z".
std::optional<Stamp> stampOfComment(std::string_view line)
{
    line = trimmed(line.substr(1));
    while (!line.empty()) {
        if (const auto stamp = stampOf(line))
            return stamp;
        const std::size_t blank = line.find(' ');
        if (blank == std::string_view::npos)
            break;
        line = trimmed(line.substr(blank));
    }
    return std::nullopt;
}

class ExporterFile
{
public:
    explicit ExporterFile(const SourceFile& file)
        : m_builder(file, SourceKind::HardwareSamples)
    { }

    void take(std::string_view line, std::uint64_t offset)
    {
        line = trimmed(line);
        if (line.starts_with('#')) {
            const bool describes = line.starts_with("# HELP") || line.starts_with("# TYPE");
            if (const auto stamp = describes ? std::nullopt : stampOfComment(line)) {
                flush();
                m_stamp = stamp;
            }
            return;
        }
        if (!line.starts_with(dcgmFamily))
            return; // another exporter's metrics
        const auto metric = metricLineOf(line);
        const auto number = metric ? sampleNumber(metric->value) : std::nullopt;
        if (!number || (metric->gpu.empty() && metric->uuid.empty()))
            m_builder.exclude("bad_row", "A line of a metric is damaged.", offset);
        else
            add(*metric, *number, offset);
    }
    HardwareBuilder& builder()
    {
        flush();
        return m_builder;
    }

private:
    struct Open
    {
        std::string gpu, uuid, pci, product, host;
        std::vector<SampledValue> values;
        std::optional<Stamp> stamp;
        std::uint64_t offset = 0;
        std::size_t seen = 0; ///< bit per row of dcgmMetricRows
    };

    void add(const MetricLine& metric, double number, std::uint64_t offset)
    {
        const auto row = std::find_if(std::begin(dcgmMetricRows), std::end(dcgmMetricRows),
                                      [&](const auto& known) { return known.first == metric.name; });
        if (row == std::end(dcgmMetricRows))
            return;
        if (m_open.size() == mostOpenDevices)
            flush();
        const std::size_t bit = std::size_t{1} << static_cast<std::size_t>(row - std::begin(dcgmMetricRows));
        const std::pair<std::string, std::string> key(metric.host,
                                                      metric.uuid.empty() ? metric.gpu : metric.uuid);
        // A metric that comes again belongs to the next answer. That of a device that is shared (MIG, pods)
        // comes several times with the same value, and later in the same answer.
        if (const auto known = m_open.find(key); known != m_open.end() && (known->second.seen & bit) != 0) {
            const bool isShared
                = m_lastName == row->first && (!metric.stamp || metric.stamp == known->second.stamp);
            if (isShared)
                return;
            flush();
        }
        m_lastName = row->first;
        Open& open = m_open[key];
        if (open.values.empty()) {
            open.gpu = metric.gpu;
            open.uuid = metric.uuid;
            open.pci = metric.pci;
            open.product = metric.product;
            open.host = metric.host;
            open.offset = offset;
            open.stamp = metric.stamp ? metric.stamp : m_stamp;
        }
        open.seen |= bit;
        open.values.push_back({row->second, number, {}});
    }

    void flush()
    {
        for (const auto& [key, open] : m_open) {
            SampledDevice device;
            device.index = gpuIndexOf(open.gpu);
            device.uuid = open.uuid;
            device.pci = open.pci;
            device.name = open.product;
            device.host = open.host;
            m_builder.add(device, open.stamp, open.values, open.offset);
        }
        m_open.clear();
        m_lastName = {};
    }

    HardwareBuilder m_builder;
    std::map<std::pair<std::string, std::string>, Open> m_open; ///< of one answer, by host and device
    std::optional<Stamp> m_stamp;
    std::string_view m_lastName;
};

Sniff sniffExporter(std::string_view, std::string_view head)
{
    constexpr std::size_t mostLines = 200; // descriptions come first in some versions
    for (std::size_t i = 0; i < mostLines && !head.empty(); ++i) {
        const std::string_view line = trimmed(takeLine(head));
        if (line.starts_with(dcgmFamily))
            return metricLineOf(line) ? Sniff::Yes : Sniff::No;
        if (!line.empty() && !line.starts_with('#'))
            return Sniff::No;
    }
    return Sniff::No;
}

} // namespace

extern const ReaderDescriptor dcgmExporterReader;
const ReaderDescriptor dcgmExporterReader{"dcgm_exporter", "GPU samples of dcgm-exporter (Prometheus text)",
                                          SourceKind::HardwareSamples, sniffExporter, readRows<ExporterFile>};

} // namespace collscope
