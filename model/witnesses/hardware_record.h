// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The state of GPUs, links and network cards over time, and errors that the system reported.

#include "model/diagnostics.h"
#include "model/ids.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace collscope {

/// What was sampled. The first ones are values of a moment, the others counters that only grow.
enum class HardwareQuantity : std::uint8_t
{
    SmClock, ///< MHz
    MemoryClock, ///< MHz
    Power, ///< W
    PowerLimit, ///< W
    Temperature, ///< °C
    Utilisation, ///< % of the sample period in which a kernel ran
    ThrottleReasons, ///< set of ThrottleReason
    LastXid, ///< the code of the last XID error; 0: none
    EccCorrected,
    EccUncorrected,
    PcieReplays,
    NvlinkReplays,
    NvlinkRecoveries,
    NvlinkCrc, ///< of flits and data
    LinkErrors, ///< of a network card; HardwareSeries::name is the counter
};
constexpr bool isCounter(HardwareQuantity quantity)
{
    return quantity >= HardwareQuantity::EccCorrected;
}

/// Why clocks are lower than they could be. The first nine are the bits of NVML (nvmlClocksEventReasons in
/// nvml.h); the others are those of tools that say less.
enum class ThrottleReason : std::uint32_t
{
    Idle = 0x1,
    ApplicationClocks = 0x2,
    PowerCap = 0x4,
    HardwareSlowdown = 0x8,
    SyncBoost = 0x10,
    SoftwareThermal = 0x20,
    HardwareThermal = 0x40,
    PowerBrake = 0x80,
    DisplayClocks = 0x100,
    SomePower = 0x1'0000, ///< a power limit, not said which
    SomeThermal = 0x2'0000, ///< heat, not said who noticed
    Unnamed = 0x4'0000 ///< throttled, not said why
};

/// One quantity of a device. Values that stay the same are stored once: value[i] holds for the samples
/// [row[i], row[i + 1]). NaN: the tool did not know.
struct HardwareSeries
{
    HardwareQuantity quantity = HardwareQuantity::SmClock;
    std::string name; ///< of LinkErrors: "symbol_error"; else empty
    std::vector<std::uint32_t> row; ///< ascending
    std::vector<double> value;

    /// Of a sample. O(log changes).
    double at(std::uint32_t sample) const;
    /// Appends the value of a sample. Precondition: samples in order.
    void add(std::uint32_t sample, double newValue);
};

/// What the time stamps of a file mean.
enum class StampKind : std::uint8_t
{
    None, ///< the file has no times
    Utc, ///< it states the zone, or counts since the epoch
    Local, ///< no zone: the clock on the wall of that node, as if it were UTC
    LocalWithoutYear, ///< likewise, as if it were 1972, a leap year
    SinceBoot ///< ns since the node started
};

/// One device as one file recorded it.
struct HardwareDevice
{
    enum class Kind : std::uint8_t
    {
        Gpu,
        NetworkCard
    };
    Kind kind = Kind::Gpu;
    SourceId source;
    std::string file; ///< its name
    std::string folder; ///< the name of the folder that it is in
    std::string host; ///< empty: not stated
    std::optional<std::int32_t> index; ///< of a GPU, as the tool counts
    std::string uuid; ///< "GPU-..."; empty: not stated
    std::string pci; ///< "0000:3b:00.0", lower case; empty: not stated
    std::string name; ///< product, or "mlx5_0 port 1"; empty: not stated
    StampKind stamps = StampKind::None;
    std::vector<std::int64_t> timeNs; ///< by sample, sorted; empty with StampKind::None
    std::uint32_t samples = 0;
    std::int64_t periodNs
        = 0; ///< median distance of different times of samples; 0 if there are fewer than two
    std::vector<HardwareSeries> series;

    /// nullptr if it was not sampled.
    const HardwareSeries* find(HardwareQuantity quantity) const;
    /// Sets `periodNs`, once all samples are there. O(samples).
    void measurePeriod();
};

/// An error that the driver reported in the log of the system: "NVRM: Xid (PCI:0000:3b:00): 79, ...".
struct XidEvent
{
    SourceId source;
    std::string file, folder; ///< as in HardwareDevice
    std::uint64_t line = 0; ///< from 1; 0: a sample, not a line
    StampKind stamps = StampKind::None;
    std::int64_t timeNs = 0;
    std::int64_t resolutionNs = 0; ///< of the stamp; of a sample its period
    std::string host; ///< empty: not stated
    std::string pci; ///< as in HardwareDevice
    std::string uuid; ///< of a sample
    std::optional<std::int32_t> index; ///< of a sample
    std::int32_t code = 0;
    std::string text; ///< what follows the code
};

/// Which GPU a number means, as a sampler wrote it down for the counter files beside it
/// (`nvlink_sampler.txt`).
struct NumberedGpu
{
    SourceId source;
    std::string host; ///< empty: not stated
    std::int32_t index = 0; ///< as the driver counts, in the names of the files
    std::string uuid; ///< empty: not stated
};

struct HardwareRecord
{
    std::vector<HardwareDevice> devices; ///< by host, kind, index, PCI address and file
    std::vector<XidEvent> xids; ///< by host, time and line
    std::vector<NumberedGpu> numbered; ///< in the order of the files

    /// Adds what a file says; `source` is the file.
    void take(HardwareRecord&& other, SourceId source);
    /// Puts everything into order, once all files are taken, and reports what contradicts itself.
    void settle(Diagnostics& problems);
};

/// "0000:3b:00.0" of "00000000:3B:00.0", "0000:3b:00" and "3b:00.0"; empty if it is not an address.
std::string pciAddress(std::string_view text);

} // namespace collscope
