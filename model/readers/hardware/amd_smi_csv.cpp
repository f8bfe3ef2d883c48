// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Reads what "amd-smi metric -w 1 --csv" and "amd-smi monitor -w 1 --csv" print: a line of names, then a line
// per GPU and sample, with the seconds since the epoch in front; "N/A" where a value is not known, and lists
// in quotes. Names: amdsmi_cli of ROCm/amdsmi (amdsmi_commands.py).

#include "model/readers/hardware/hardware_builder.h"
#include "model/text/lower_case.h"
#include "model/text/trimmed.h"

#include <algorithm>
#include <cmath>

namespace collscope {

namespace {

enum class AmdColumn : std::uint8_t
{
    Other,
    Time,
    Gpu,
    Value,
    Status, ///< "THROTTLED" or "UNTHROTTLED"
    PowerViolation, ///< % of the time
    ThermalViolation
};

struct AmdColumnRow
{
    std::string_view name;
    AmdColumn column = AmdColumn::Other;
    HardwareQuantity quantity = HardwareQuantity::SmClock;
};

/// Of the first of several clocks, one per die: they run alike. Of two columns of one quantity, the one that
/// comes first in the file is read.
constexpr AmdColumnRow amdColumnRows[] = {
    {"timestamp", AmdColumn::Time},
    {"gpu", AmdColumn::Gpu},
    {"gfx_activity", AmdColumn::Value, HardwareQuantity::Utilisation},
    {"gfx", AmdColumn::Value, HardwareQuantity::Utilisation},
    {"socket_power", AmdColumn::Value, HardwareQuantity::Power},
    {"power_usage", AmdColumn::Value, HardwareQuantity::Power},
    {"gfx_0_clk", AmdColumn::Value, HardwareQuantity::SmClock},
    {"gfx_clk", AmdColumn::Value, HardwareQuantity::SmClock},
    {"gfx_clock", AmdColumn::Value, HardwareQuantity::SmClock},
    {"mem_0_clk", AmdColumn::Value, HardwareQuantity::MemoryClock},
    {"mem_clock", AmdColumn::Value, HardwareQuantity::MemoryClock},
    {"hotspot", AmdColumn::Value, HardwareQuantity::Temperature},
    {"hotspot_temperature", AmdColumn::Value, HardwareQuantity::Temperature},
    {"throttle_status", AmdColumn::Status},
    {"pviol", AmdColumn::PowerViolation},
    {"tviol", AmdColumn::ThermalViolation},
    {"total_correctable_count", AmdColumn::Value, HardwareQuantity::EccCorrected},
    {"single_bit_ecc", AmdColumn::Value, HardwareQuantity::EccCorrected},
    {"total_uncorrectable_count", AmdColumn::Value, HardwareQuantity::EccUncorrected},
    {"double_bit_ecc", AmdColumn::Value, HardwareQuantity::EccUncorrected},
    {"replay_count", AmdColumn::Value, HardwareQuantity::PcieReplays},
    {"pcie_replay", AmdColumn::Value, HardwareQuantity::PcieReplays},
};

/// The columns of a line of names; empty if it is another line.
std::vector<AmdColumnRow> amdColumnsOf(const std::vector<std::string_view>& cells)
{
    std::vector<AmdColumnRow> columns;
    std::size_t values = 0;
    bool hasGpu = false;
    for (const std::string_view cell : cells) {
        AmdColumnRow row = rowNamed(amdColumnRows, lowered(cell));
        const auto isSame = [&](const AmdColumnRow& other) {
            return other.column == row.column
                && (row.column != AmdColumn::Value || other.quantity == row.quantity);
        };
        if (row.column != AmdColumn::Other && std::any_of(columns.begin(), columns.end(), isSame))
            row = {};
        hasGpu |= row.column == AmdColumn::Gpu;
        values += row.column == AmdColumn::Value ? 1u : 0u;
        columns.push_back(row);
    }
    constexpr std::size_t fewest = 2;
    if (!hasGpu || values < fewest)
        columns.clear();
    return columns;
}

class AmdFile
{
public:
    explicit AmdFile(const SourceFile& file)
        : m_builder(file, SourceKind::HardwareSamples)
    { }

    void take(std::string_view line, std::uint64_t offset)
    {
        if (offset == 0 && line.starts_with("\xEF\xBB\xBF"))
            line.remove_prefix(3);
        if (trimmed(line).empty())
            return;
        splitCells(line, m_cells);
        if (std::vector<AmdColumnRow> columns = amdColumnsOf(m_cells); !columns.empty())
            m_columns = std::move(columns);
        else if (m_cells.size() != m_columns.size())
            m_builder.exclude("bad_row", "A row has not as many cells as there are columns.", offset);
        else
            takeRow(offset);
    }
    HardwareBuilder& builder() { return m_builder; }

private:
    void takeRow(std::uint64_t offset)
    {
        SampledDevice device;
        std::optional<Stamp> stamp;
        StatedReasons reasons;
        m_values.clear();
        for (std::size_t i = 0; i < m_cells.size(); ++i) {
            bool isRead = true;
            switch (m_columns[i].column) {
            case AmdColumn::Other:
                break;
            case AmdColumn::Time:
                stamp = stampOf(m_cells[i]);
                isRead = stamp.has_value();
                break;
            case AmdColumn::Gpu:
                device.index = gpuIndexOf(m_cells[i]);
                isRead = device.index.has_value();
                break;
            case AmdColumn::Status:
                addStatus(m_cells[i], reasons);
                break;
            case AmdColumn::Value:
            case AmdColumn::PowerViolation:
            case AmdColumn::ThermalViolation:
                isRead = takeNumber(m_columns[i], m_cells[i], reasons);
                break;
            }
            if (!isRead) {
                m_builder.exclude("bad_row", "A row has a cell that is not what its column says.", offset);
                return;
            }
        }
        reasons.addTo(m_values);
        m_builder.add(device, stamp, m_values, offset);
    }
    static void addStatus(std::string_view cell, StatedReasons& reasons)
    {
        const std::string word = lowered(cell);
        if (word == "throttled" || word == "unthrottled")
            reasons.add(ThrottleReason::Unnamed, word == "throttled");
    }
    bool takeNumber(const AmdColumnRow& column, std::string_view cell, StatedReasons& reasons)
    {
        const auto number = sampleNumber(cell);
        if (!number)
            return false;
        if (column.column == AmdColumn::Value)
            m_values.push_back({column.quantity, *number, {}});
        else if (!std::isnan(*number))
            reasons.add(column.column == AmdColumn::PowerViolation ? ThrottleReason::SomePower
                                                                   : ThrottleReason::SomeThermal,
                        *number > 0);
        return true;
    }

    HardwareBuilder m_builder;
    std::vector<std::string_view> m_cells;
    std::vector<AmdColumnRow> m_columns;
    std::vector<SampledValue> m_values;
};

Sniff sniffAmd(std::string_view, std::string_view head)
{
    std::vector<std::string_view> cells;
    splitCells(firstLine(head), cells);
    return !amdColumnsOf(cells).empty() ? Sniff::Yes : Sniff::No;
}

} // namespace

extern const ReaderDescriptor amdSmiReader;
const ReaderDescriptor amdSmiReader{"amd_smi", "GPU samples of amd-smi (CSV)", SourceKind::HardwareSamples,
                                    sniffAmd, readRows<AmdFile>};

} // namespace collscope
