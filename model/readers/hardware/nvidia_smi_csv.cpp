// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Reads what "nvidia-smi --query-gpu=... --format=csv" prints: a line with the names of the fields, each with
// its unit ("clocks.current.sm [MHz]"), then a line per GPU and sample. Names and meanings: "nvidia-smi
// --help-query-gpu". The hardware sampler of the collection kit
// (resources/collect/tools/hardware_sampler.cpp) writes columns of the same names, with host, an unambiguous
// time and counters of PCIe and NVLink. Without the line of names ("noheader") nobody can tell the columns.

#include "model/readers/hardware/hardware_builder.h"
#include "model/text/lower_case.h"
#include "model/text/trimmed.h"

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {

enum class SmiColumn : std::uint8_t
{
    Other,
    Time,
    Index,
    Uuid,
    Pci,
    Name,
    Host,
    Value,
    ReasonBit ///< "Active" or "Not Active"
};

struct SmiColumnRow
{
    std::string_view name;
    SmiColumn column = SmiColumn::Other;
    HardwareQuantity quantity = HardwareQuantity::SmClock;
    ThrottleReason reason = ThrottleReason::Idle;
};

/// Of two columns of one quantity, the row that comes first here is read.
constexpr SmiColumnRow smiColumnRows[] = {
    {"timestamp", SmiColumn::Time},
    {"timestamp_unix_ns", SmiColumn::Time},
    {"index", SmiColumn::Index},
    {"uuid", SmiColumn::Uuid},
    {"gpu_uuid", SmiColumn::Uuid},
    {"pci.bus_id", SmiColumn::Pci},
    {"gpu_bus_id", SmiColumn::Pci},
    {"name", SmiColumn::Name},
    {"gpu_name", SmiColumn::Name},
    {"host", SmiColumn::Host},
    {"clocks.current.sm", SmiColumn::Value, HardwareQuantity::SmClock},
    {"clocks.sm", SmiColumn::Value, HardwareQuantity::SmClock},
    {"clocks.current.graphics", SmiColumn::Value, HardwareQuantity::SmClock},
    {"clocks.gr", SmiColumn::Value, HardwareQuantity::SmClock},
    {"clocks.current.memory", SmiColumn::Value, HardwareQuantity::MemoryClock},
    {"clocks.mem", SmiColumn::Value, HardwareQuantity::MemoryClock},
    {"power.draw.instant", SmiColumn::Value, HardwareQuantity::Power},
    {"power.draw", SmiColumn::Value, HardwareQuantity::Power},
    {"power.draw.average", SmiColumn::Value, HardwareQuantity::Power},
    {"enforced.power.limit", SmiColumn::Value, HardwareQuantity::PowerLimit},
    {"power.limit", SmiColumn::Value, HardwareQuantity::PowerLimit},
    {"temperature.gpu", SmiColumn::Value, HardwareQuantity::Temperature},
    {"utilization.gpu", SmiColumn::Value, HardwareQuantity::Utilisation},
    {"clocks_event_reasons.active", SmiColumn::Value, HardwareQuantity::ThrottleReasons},
    {"clocks_throttle_reasons.active", SmiColumn::Value, HardwareQuantity::ThrottleReasons},
    {"ecc.errors.corrected.volatile.total", SmiColumn::Value, HardwareQuantity::EccCorrected},
    {"ecc.errors.corrected.aggregate.total", SmiColumn::Value, HardwareQuantity::EccCorrected},
    {"ecc.errors.uncorrected.volatile.total", SmiColumn::Value, HardwareQuantity::EccUncorrected},
    {"ecc.errors.uncorrected.aggregate.total", SmiColumn::Value, HardwareQuantity::EccUncorrected},
    {"pcie.replay_counter", SmiColumn::Value, HardwareQuantity::PcieReplays},
    {"nvlink.replay_errors", SmiColumn::Value, HardwareQuantity::NvlinkReplays},
    {"nvlink.recovery_errors", SmiColumn::Value, HardwareQuantity::NvlinkRecoveries},
    {"nvlink.crc_errors", SmiColumn::Value, HardwareQuantity::NvlinkCrc},
};

/// Single reasons, as "clocks_event_reasons.NAME" or "clocks_throttle_reasons.NAME".
constexpr std::pair<std::string_view, ThrottleReason> smiReasonRows[] = {
    {"gpu_idle", ThrottleReason::Idle},
    {"applications_clocks_setting", ThrottleReason::ApplicationClocks},
    {"sw_power_cap", ThrottleReason::PowerCap},
    {"hw_slowdown", ThrottleReason::HardwareSlowdown},
    {"sync_boost", ThrottleReason::SyncBoost},
    {"sw_thermal_slowdown", ThrottleReason::SoftwareThermal},
    {"hw_thermal_slowdown", ThrottleReason::HardwareThermal},
    {"hw_power_brake_slowdown", ThrottleReason::PowerBrake},
};

/// "clocks.current.sm" of "clocks.current.sm [MHz]".
std::string smiFieldName(std::string_view head)
{
    return lowered(trimmed(head.substr(0, head.find('['))));
}

SmiColumnRow smiColumnOf(std::string_view head)
{
    const std::string name = smiFieldName(head);
    if (const SmiColumnRow known = rowNamed(smiColumnRows, name); known.column != SmiColumn::Other)
        return known;
    for (const std::string_view family : {"clocks_event_reasons.", "clocks_throttle_reasons."}) {
        for (const auto& [reason, bit] : smiReasonRows) {
            if (name.starts_with(family) && name.substr(family.size()) == reason)
                return {{}, SmiColumn::ReasonBit, HardwareQuantity::ThrottleReasons, bit};
        }
    }
    return {};
}

/// Whether a cell can be the name of a field: "power.draw [W]".
bool isSmiFieldName(std::string_view cell)
{
    const std::string_view name = trimmed(cell.substr(0, cell.find('[')));
    return !name.empty()
        && name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789._") == std::string_view::npos
        && !isDigit(name.front());
}

/// The columns of a line of names; empty if it is another line.
std::vector<SmiColumnRow> smiColumnsOf(const std::vector<std::string_view>& cells)
{
    std::vector<SmiColumnRow> columns;
    bool hasValue = false, hasPlace = false, isSpecific = false;
    for (const std::string_view cell : cells) {
        if (!isSmiFieldName(cell))
            return {};
        const SmiColumnRow row = smiColumnOf(cell);
        hasValue |= row.column == SmiColumn::Value || row.column == SmiColumn::ReasonBit;
        hasPlace |= row.column == SmiColumn::Time || row.column == SmiColumn::Index
            || row.column == SmiColumn::Uuid || row.column == SmiColumn::Pci;
        isSpecific |= hasValue && smiFieldName(cell).find('.') != std::string::npos;
        columns.push_back(row);
    }
    if (!hasValue || !hasPlace || !isSpecific)
        columns.clear();
    return columns;
}

class SmiFile
{
public:
    explicit SmiFile(const SourceFile& file)
        : m_builder(file, SourceKind::HardwareSamples)
    { }

    void take(std::string_view line, std::uint64_t offset)
    {
        if (trimmed(line).empty())
            return;
        if (offset == 0 && line.starts_with("\xEF\xBB\xBF"))
            line.remove_prefix(3);
        splitCells(line, m_cells);
        // Where several runs of the tool write into one file, each begins with its names.
        if (isSmiFieldName(m_cells.front())) {
            if (std::vector<SmiColumnRow> columns = smiColumnsOf(m_cells); !columns.empty()) {
                setColumns(std::move(columns));
                return;
            }
        }
        if (m_columns.empty() || m_cells.size() != m_columns.size())
            m_builder.exclude("bad_row", "A row has not as many cells as there are columns, or no columns.",
                              offset);
        else
            takeRow(offset);
    }
    HardwareBuilder& builder() { return m_builder; }

private:
    void setColumns(std::vector<SmiColumnRow> columns)
    {
        m_columns = std::move(columns);
        m_hasActive = false;
        // Of the columns of one quantity only the best one is read.
        for (std::size_t i = 0; i < m_columns.size(); ++i) {
            SmiColumnRow& own = m_columns[i];
            m_hasActive
                |= own.column == SmiColumn::Value && own.quantity == HardwareQuantity::ThrottleReasons;
            for (std::size_t j = 0; j < i && own.column == SmiColumn::Value; ++j) {
                SmiColumnRow& other = m_columns[j];
                if (other.column != SmiColumn::Value || other.quantity != own.quantity)
                    continue;
                (rankOf(own) < rankOf(other) ? other : own).column = SmiColumn::Other;
            }
        }
    }
    static std::ptrdiff_t rankOf(const SmiColumnRow& row)
    {
        return std::find_if(std::begin(smiColumnRows), std::end(smiColumnRows),
                            [&](const SmiColumnRow& known) { return known.name == row.name; })
            - std::begin(smiColumnRows);
    }

    void takeRow(std::uint64_t offset)
    {
        SampledDevice device;
        std::optional<Stamp> stamp;
        StatedReasons reasons; // of single columns
        m_values.clear();
        for (std::size_t i = 0; i < m_cells.size(); ++i) {
            const std::string_view cell = m_cells[i];
            bool isRead = true;
            switch (m_columns[i].column) {
            case SmiColumn::Time:
                stamp = stampOf(cell);
                isRead = stamp.has_value();
                break;
            case SmiColumn::Index:
                device.index = gpuIndexOf(cell);
                isRead = device.index.has_value();
                break;
            case SmiColumn::Uuid:
                device.uuid = cell.starts_with("GPU-") ? cell : std::string_view();
                break;
            case SmiColumn::Pci:
                device.pci = cell;
                break;
            case SmiColumn::Name:
                device.name = cell;
                break;
            case SmiColumn::Host:
                device.host = cell;
                break;
            case SmiColumn::Value:
                isRead = addValue(m_columns[i].quantity, cell);
                break;
            case SmiColumn::ReasonBit:
                isRead = addReason(m_columns[i].reason, cell, reasons);
                break;
            case SmiColumn::Other:
                break;
            }
            if (!isRead) {
                m_builder.exclude("bad_row", "A row has a cell that is not what its column says.", offset);
                return;
            }
        }
        if (!m_hasActive)
            reasons.addTo(m_values);
        m_builder.add(device, stamp, m_values, offset);
    }

    bool addValue(HardwareQuantity quantity, std::string_view cell)
    {
        const auto number = sampleNumber(cell);
        if (number)
            m_values.push_back({quantity, *number, {}});
        return number.has_value();
    }
    static bool addReason(ThrottleReason reason, std::string_view cell, StatedReasons& reasons)
    {
        const std::string word = lowered(cell);
        if (word == "active" || word == "not active") {
            reasons.add(reason, word == "active");
            return true;
        }
        const auto number = sampleNumber(cell);
        return number && std::isnan(*number); // "[N/A]"
    }

    HardwareBuilder m_builder;
    std::vector<std::string_view> m_cells;
    std::vector<SmiColumnRow> m_columns;
    std::vector<SampledValue> m_values;
    bool m_hasActive = false; ///< a column has all reasons as bits
};

Sniff sniffSmi(std::string_view, std::string_view head)
{
    std::vector<std::string_view> cells;
    splitCells(firstLine(head), cells);
    return !smiColumnsOf(cells).empty() ? Sniff::Yes : Sniff::No;
}

} // namespace

extern const ReaderDescriptor nvidiaSmiReader;
const ReaderDescriptor nvidiaSmiReader{"nvidia_smi", "GPU samples of nvidia-smi or the kit (CSV)",
                                       SourceKind::HardwareSamples, sniffSmi, readRows<SmiFile>};

} // namespace collscope
