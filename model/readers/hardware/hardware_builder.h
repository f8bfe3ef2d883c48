// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Turns the rows of a file into devices with their samples.

#include "model/readers/hardware/sample_text.h"
#include "model/readers/reader.h"

#include <functional>
#include <span>
#include <string>
#include <unordered_map>

namespace collscope {

/// What a row says of its device. What it does not say is empty.
struct SampledDevice
{
    HardwareDevice::Kind kind = HardwareDevice::Kind::Gpu;
    std::optional<std::int32_t> index;
    std::string_view uuid, pci, name, host;
};

struct SampledValue
{
    HardwareQuantity quantity = HardwareQuantity::SmClock;
    double value = 0; ///< NaN: the tool did not know
    std::string_view name; ///< of LinkErrors
};

/// Why clocks are low, for tools that say of each reason whether it applies.
class StatedReasons
{
public:
    void add(ThrottleReason reason, bool applies)
    {
        m_bits = m_bits.value_or(0) | (applies ? static_cast<std::uint32_t>(reason) : 0u);
    }
    /// Nothing if no reason was stated.
    void addTo(std::vector<SampledValue>& values) const
    {
        if (m_bits)
            values.push_back({HardwareQuantity::ThrottleReasons, static_cast<double>(*m_bits), {}});
    }

private:
    std::optional<std::uint32_t> m_bits;
};

class HardwareBuilder
{
public:
    HardwareBuilder(const SourceFile& file, SourceKind kind);

    /// One sample of one device is one event of the file. Values that no hardware can have are left out, with
    /// a note. `offset`: in the inflated file.
    void add(const SampledDevice& device, const std::optional<Stamp>& stamp,
             std::span<const SampledValue> values, std::uint64_t offset);
    /// Counts a row that is not a sample.
    void exclude(std::string_view code, std::string_view why, std::uint64_t offset);
    void note(std::string_view code, std::string_view what, std::uint64_t offset);
    TraceFragment& fragment() { return m_fragment; }
    /// Error if the file has no sample.
    Result<TraceFragment> finish();

private:
    HardwareDevice* deviceOf(const SampledDevice& device);

    const SourceFile& m_file;
    TraceFragment m_fragment;
    std::vector<HardwareDevice> m_devices;
    std::unordered_map<std::string, std::size_t> m_byKey;
    std::string m_key, m_lastKey;
    std::size_t m_last = 0;
};

/// Calls `take(line, offset)` with each line of a file, without its end; offset in the inflated file.
/// Error: the file cannot be opened, or reading was cancelled.
Status forEachLine(const SourceFile& file, const ReadContext& context, Diagnostics& problems,
                   const std::function<void(std::string_view line, std::uint64_t offset)>& take);

/// Reads a file with a class that takes lines: `take(line, offset)` and `builder()`.
template<typename Reading>
Result<TraceFragment> readRows(const SourceFile& file, const ReadContext& context)
{
    Reading reading(file);
    const Status status
        = forEachLine(file, context, reading.builder().fragment().problems,
                      [&](std::string_view line, std::uint64_t offset) { reading.take(line, offset); });
    return status ? reading.builder().finish() : Result<TraceFragment>(status.error());
}

} // namespace collscope
