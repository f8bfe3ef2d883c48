// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Reads what "dcgmi dmon -e FIELDS" prints: a line "#Entity  SMCLK  POWER ...", a line "ID", repeated from
// time to time, and a line "GPU 0  1980  412.310" per GPU and sample, "N/A" where a value is not known. Names
// of the columns: dcgmlib/src/dcgm_fields.cpp of NVIDIA/DCGM. It prints no time; a time before "GPU" (as "ts"
// of moreutils adds) is read.

#include "model/readers/hardware/hardware_builder.h"
#include "model/text/trimmed.h"

#include <algorithm>

namespace collscope {

namespace {

constexpr std::pair<std::string_view, HardwareQuantity> dcgmiColumnRows[] = {
    {"SMCLK", HardwareQuantity::SmClock},        {"MMCLK", HardwareQuantity::MemoryClock},
    {"POWER", HardwareQuantity::Power},          {"POWINST", HardwareQuantity::Power},
    {"PMLMT", HardwareQuantity::PowerLimit},     {"TMPTR", HardwareQuantity::Temperature},
    {"GPUTL", HardwareQuantity::Utilisation},    {"DVCCTR", HardwareQuantity::ThrottleReasons},
    {"XIDER", HardwareQuantity::LastXid},        {"ESVTL", HardwareQuantity::EccCorrected},
    {"EDVTL", HardwareQuantity::EccUncorrected}, {"RPCTR", HardwareQuantity::PcieReplays},
    {"NRELT", HardwareQuantity::NvlinkReplays},  {"NRCLT", HardwareQuantity::NvlinkRecoveries},
    {"NDELT", HardwareQuantity::NvlinkCrc},
};

/// One entry per column; none: not read.
using DcgmiColumns = std::vector<std::optional<HardwareQuantity>>;

bool isDcgmiHead(std::string_view line)
{
    return line.starts_with("#Entity") || line.starts_with("# Entity");
}

/// The columns of a line "#Entity  SMCLK  POWER".
DcgmiColumns dcgmiColumnsOf(std::string_view line)
{
    std::vector<std::string_view> words;
    splitWords(line.substr(line.find("Entity")), words);
    DcgmiColumns columns;
    for (std::size_t i = 1; i < words.size(); ++i) {
        const auto known = std::find_if(std::begin(dcgmiColumnRows), std::end(dcgmiColumnRows),
                                        [&](const auto& row) { return row.first == words[i]; });
        std::optional<HardwareQuantity> quantity;
        if (known != std::end(dcgmiColumnRows)
            && std::find(columns.begin(), columns.end(), known->second) == columns.end())
            quantity = known->second;
        columns.push_back(quantity);
    }
    return columns;
}

class DcgmiFile
{
public:
    explicit DcgmiFile(const SourceFile& file)
        : m_builder(file, SourceKind::HardwareSamples)
    { }

    void take(std::string_view line, std::uint64_t offset)
    {
        line = trimmed(line);
        // A time before a line is before its head as well.
        const std::size_t head = line.find('#');
        if (head != std::string_view::npos && isDcgmiHead(line.substr(head))) {
            m_columns = dcgmiColumnsOf(line.substr(head));
            return;
        }
        splitWords(line, m_words);
        const auto isWord = [&](const char* word) { return !m_words.empty() && m_words.back() == word; };
        if (m_words.empty() || isWord("ID") || isWord("Id"))
            return;
        takeRow(offset);
    }
    HardwareBuilder& builder() { return m_builder; }

private:
    void takeRow(std::uint64_t offset)
    {
        const std::size_t values = m_columns.size();
        if (m_words.size() < values + 2 || values == 0) {
            m_builder.exclude("bad_row", "A row has not as many values as there are columns.", offset);
            return;
        }
        const std::size_t entity = m_words.size() - values - 2;
        if (m_words[entity] != "GPU") {
            m_builder.exclude("other_entity", "A row is not of a whole GPU.", offset);
            return;
        }
        SampledDevice device;
        device.index = gpuIndexOf(m_words[entity + 1]);
        if (!device.index) {
            m_builder.exclude("bad_row", "A row does not say of which GPU it is.", offset);
            return;
        }
        const std::optional<Stamp> stamp = stampBefore(entity);
        m_values.clear();
        for (std::size_t i = 0; i < values; ++i) {
            const auto number = sampleNumber(m_words[entity + 2 + i]);
            if (!number || (entity > 0 && !stamp)) {
                m_builder.exclude("bad_row", "A row has a value that is not what its column says.", offset);
                return;
            }
            if (m_columns[i])
                m_values.push_back({*m_columns[i], *number, {}});
        }
        m_builder.add(device, stamp, m_values, offset);
    }
    /// The time in the words before the entity.
    std::optional<Stamp> stampBefore(std::size_t entity) const
    {
        std::string text;
        for (std::size_t i = 0; i < entity; ++i)
            text += std::string(i > 0 ? " " : "").append(m_words[i]);
        return stampOf(text);
    }

    HardwareBuilder m_builder;
    std::vector<std::string_view> m_words;
    DcgmiColumns m_columns;
    std::vector<SampledValue> m_values;
};

Sniff sniffDcgmi(std::string_view, std::string_view head)
{
    const std::string_view line = firstLine(head);
    const std::size_t begin = line.find('#');
    if (begin == std::string_view::npos || !isDcgmiHead(line.substr(begin))
        || (begin > 0 && !stampOf(line.substr(0, begin))))
        return Sniff::No;
    const DcgmiColumns columns = dcgmiColumnsOf(line.substr(begin));
    return std::any_of(columns.begin(), columns.end(), [](const auto& column) { return column.has_value(); })
        ? Sniff::Yes
        : Sniff::No;
}

} // namespace

extern const ReaderDescriptor dcgmiReader;
const ReaderDescriptor dcgmiReader{"dcgmi_dmon", "GPU samples of dcgmi dmon", SourceKind::HardwareSamples,
                                   sniffDcgmi, readRows<DcgmiFile>};

} // namespace collscope
