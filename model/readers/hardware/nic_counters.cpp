// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Reads the error counters of network cards as the hardware sampler of the collection kit writes them
// (resources/collect/tools/hardware_sampler.cpp): a line of names, then a line per port and sample, with the
// values of the files in /sys/class/infiniband/DEVICE/ports/PORT/counters and hw_counters. Their meaning:
// Documentation/ABI/stable/sysfs-class-infiniband of the Linux kernel. An empty cell: the port lacks the
// counter.

#include "model/readers/hardware/hardware_builder.h"
#include "model/text/trimmed.h"

#include <algorithm>

namespace collscope {

namespace {

constexpr std::string_view nicHeads[] = {"timestamp_unix_ns", "host", "nic", "port"};
constexpr std::size_t nicHeadCount = std::size(nicHeads);

bool isNicHead(const std::vector<std::string_view>& cells)
{
    return cells.size() > nicHeadCount && std::equal(std::begin(nicHeads), std::end(nicHeads), cells.begin());
}

class NicFile
{
public:
    explicit NicFile(const SourceFile& file)
        : m_builder(file, SourceKind::HardwareSamples)
    { }

    void take(std::string_view line, std::uint64_t offset)
    {
        if (trimmed(line).empty())
            return;
        splitCells(line, m_cells);
        if (isNicHead(m_cells)) {
            m_counters.assign(m_cells.begin() + nicHeadCount, m_cells.end());
            return;
        }
        if (m_cells.size() != m_counters.size() + nicHeadCount || m_counters.empty()) {
            m_builder.exclude("bad_row", "A row has not as many cells as there are columns.", offset);
            return;
        }
        const auto stamp = stampOf(m_cells[0]);
        m_values.clear();
        bool isRead = stamp.has_value() && !m_cells[2].empty();
        for (std::size_t i = 0; i < m_counters.size(); ++i) {
            const auto number = sampleNumber(m_cells[nicHeadCount + i]);
            isRead = isRead && number;
            if (number)
                m_values.push_back({HardwareQuantity::LinkErrors, *number, m_counters[i]});
        }
        if (!isRead) {
            m_builder.exclude("bad_row", "A row has a cell that is not what its column says.", offset);
            return;
        }
        const std::string name = std::string(m_cells[2]) + " port " + std::string(m_cells[3]);
        SampledDevice device;
        device.kind = HardwareDevice::Kind::NetworkCard;
        device.host = m_cells[1];
        device.name = name;
        m_builder.add(device, stamp, m_values, offset);
    }
    HardwareBuilder& builder() { return m_builder; }

private:
    HardwareBuilder m_builder;
    std::vector<std::string_view> m_cells;
    std::vector<std::string> m_counters;
    std::vector<SampledValue> m_values;
};

Sniff sniffNic(std::string_view, std::string_view head)
{
    std::vector<std::string_view> cells;
    splitCells(firstLine(head), cells);
    return isNicHead(cells) ? Sniff::Yes : Sniff::No;
}

} // namespace

extern const ReaderDescriptor nicCountersReader;
const ReaderDescriptor nicCountersReader{"nic_counters", "Error counters of network cards (CSV of the kit)",
                                         SourceKind::HardwareSamples, sniffNic, readRows<NicFile>};

} // namespace collscope
