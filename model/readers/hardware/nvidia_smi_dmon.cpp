// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Reads what "nvidia-smi dmon" prints: two lines with names and units of the columns, repeated from time to
// time, and a line per GPU and sample, "-" where a value is not known. With "-o DT" each line begins with
// date and time of the node. Columns: "nvidia-smi dmon -h" (pclk is the clock of the processor, sbecc and
// dbecc are the single and double bit errors so far, pci the replays).

#include "model/readers/hardware/hardware_builder.h"
#include "model/text/trimmed.h"

#include <cmath>

namespace collscope {

namespace {

enum class DmonColumn : std::uint8_t
{
    Other,
    Date,
    Time,
    Gpu,
    Value,
    Power, ///< % of the time in which a power limit held clocks down
    Thermal ///< 1: heat held clocks down
};

struct DmonColumnRow
{
    std::string_view name;
    DmonColumn column = DmonColumn::Other;
    HardwareQuantity quantity = HardwareQuantity::SmClock;
};

constexpr DmonColumnRow dmonColumnRows[] = {
    {"Date", DmonColumn::Date},
    {"Time", DmonColumn::Time},
    {"gpu", DmonColumn::Gpu},
    {"pwr", DmonColumn::Value, HardwareQuantity::Power},
    {"gtemp", DmonColumn::Value, HardwareQuantity::Temperature},
    {"temp", DmonColumn::Value, HardwareQuantity::Temperature},
    {"sm", DmonColumn::Value, HardwareQuantity::Utilisation},
    {"mclk", DmonColumn::Value, HardwareQuantity::MemoryClock},
    {"pclk", DmonColumn::Value, HardwareQuantity::SmClock},
    {"pviol", DmonColumn::Power},
    {"tviol", DmonColumn::Thermal},
    {"sbecc", DmonColumn::Value, HardwareQuantity::EccCorrected},
    {"dbecc", DmonColumn::Value, HardwareQuantity::EccUncorrected},
    {"pci", DmonColumn::Value, HardwareQuantity::PcieReplays},
};

/// The columns of a line "# gpu   pwr gtemp ..."; empty if it is another line.
std::vector<DmonColumnRow> dmonColumnsOf(std::string_view line)
{
    line = trimmed(line);
    if (!line.starts_with('#'))
        return {};
    std::vector<std::string_view> words;
    splitWords(line.substr(1), words);
    std::vector<DmonColumnRow> columns;
    std::size_t values = 0;
    bool hasGpu = false;
    for (const std::string_view word : words) {
        if (word == "pid" || word == "command") // of nvidia-smi pmon
            return {};
        columns.push_back(rowNamed(dmonColumnRows, word));
        hasGpu |= columns.back().column == DmonColumn::Gpu;
        values += columns.back().column == DmonColumn::Value ? 1u : 0u;
    }
    constexpr std::size_t fewest = 2;
    if (!hasGpu || values < fewest)
        columns.clear();
    return columns;
}

class DmonFile
{
public:
    explicit DmonFile(const SourceFile& file)
        : m_builder(file, SourceKind::HardwareSamples)
    { }

    void take(std::string_view line, std::uint64_t offset)
    {
        line = trimmed(line);
        if (line.empty())
            return;
        if (line.starts_with('#')) {
            if (std::vector<DmonColumnRow> columns = dmonColumnsOf(line); !columns.empty())
                m_columns = std::move(columns);
            return;
        }
        splitWords(line, m_words);
        if (m_words.size() != m_columns.size())
            m_builder.exclude("bad_row", "A row has not as many values as there are columns.", offset);
        else
            takeRow(offset);
    }
    HardwareBuilder& builder() { return m_builder; }

private:
    void takeRow(std::uint64_t offset)
    {
        SampledDevice device;
        std::string time;
        StatedReasons reasons;
        m_values.clear();
        bool hasDate = false, hasTime = false;
        for (std::size_t i = 0; i < m_words.size(); ++i) {
            const DmonColumnRow& column = m_columns[i];
            if (column.column == DmonColumn::Date || column.column == DmonColumn::Time) {
                (column.column == DmonColumn::Date ? hasDate : hasTime) = true;
                time += std::string(time.empty() ? "" : " ").append(m_words[i]);
                continue;
            }
            if (column.column == DmonColumn::Other)
                continue;
            if (!takeWord(column, m_words[i], device, reasons)) {
                m_builder.exclude("bad_row", "A row has a value that is not what its column says.", offset);
                return;
            }
        }
        const std::optional<Stamp> stamp = hasDate && hasTime ? stampOf(time) : std::nullopt;
        if (hasDate && hasTime && !stamp) {
            m_builder.exclude("bad_row", "A row has a time that cannot be read.", offset);
            return;
        }
        reasons.addTo(m_values);
        m_builder.add(device, stamp, m_values, offset);
    }
    /// False if the word is not what its column says.
    bool takeWord(const DmonColumnRow& column, std::string_view word, SampledDevice& device,
                  StatedReasons& reasons)
    {
        if (column.column == DmonColumn::Gpu) {
            device.index = gpuIndexOf(word);
            return device.index.has_value();
        }
        const auto number = sampleNumber(word);
        if (!number)
            return false;
        if (column.column == DmonColumn::Value)
            m_values.push_back({column.quantity, *number, {}});
        else if (!std::isnan(*number))
            reasons.add(column.column == DmonColumn::Power ? ThrottleReason::SomePower
                                                           : ThrottleReason::SomeThermal,
                        *number > 0);
        return true;
    }

    HardwareBuilder m_builder;
    std::vector<std::string_view> m_words;
    std::vector<DmonColumnRow> m_columns;
    std::vector<SampledValue> m_values;
};

Sniff sniffDmon(std::string_view, std::string_view head)
{
    return !dmonColumnsOf(firstLine(head)).empty() ? Sniff::Yes : Sniff::No;
}

} // namespace

extern const ReaderDescriptor nvidiaDmonReader;
const ReaderDescriptor nvidiaDmonReader{"nvidia_dmon", "GPU samples of nvidia-smi dmon",
                                        SourceKind::HardwareSamples, sniffDmon, readRows<DmonFile>};

} // namespace collscope
