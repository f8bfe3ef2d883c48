// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What an XSpace says once for all its events: planes (a host, a device), the kinds of their events, the
// names of their statistics. Defined by openxla/xla, third_party/tsl/tsl/profiler/protobuf/xplane.proto; the
// names of statistics by xla/tsl/profiler/utils/xplane_schema.cc there.

#include "model/columns.h"
#include "model/readers/protobuf/proto_fields.h"
#include "model/string_table.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace collscope {

/// The statistics that matter here.
enum class XlaStat : std::uint8_t
{
    Other,
    HloCategory,
    ModelFlops,
    BytesAccessed,
    StepName,
    KernelDetails, ///< "regs:32 static_shared:0 grid:16,1,1 block:512,1,1 occ_pct:50"
    CopyDetails, ///< "kind:D2D size:655360 dest:2 async:1"
    CoreCount, ///< multiprocessors of a GPU
    StartTime, ///< of the profile, ns since the epoch
    DeviceType ///< "TPU v4"
};

/// What statistics say of an event.
struct XlaFacts
{
    std::string_view hloCategory; ///< "" = not stated
    std::string_view stepName;
    KernelDetail detail;
    bool hasDetail = false; ///< anything in `detail` is known
};

/// What events share.
struct XlaEventKind
{
    StringId name; ///< in the strings of the trace
    StringId hloCategory, stepName; ///< in XlaPlane::texts
    KernelDetail detail;
    bool hasDetail = false;
};

struct XlaPlane
{
    std::string name; ///< "/host:CPU", "/device:GPU:0"
    StringTable texts;
    std::unordered_map<std::uint64_t, StringId> textOf; ///< names of statistics; values may refer to them
    std::unordered_map<std::uint64_t, XlaStat> meaningOf; ///< of statistics; without Other
    std::unordered_map<std::uint64_t, XlaEventKind> kinds;
    std::string deviceType; ///< "" = not stated
    std::int32_t coreCount = 0; ///< 0 = not stated

    /// A statistic (message XStat) with the text that it refers to, if it has one.
    struct Stat
    {
        XlaStat meaning = XlaStat::Other;
        ProtoValue value;
        std::string_view text; ///< "" for numbers
    };
    Stat statOf(std::string_view message) const;
    /// Adds what a statistic of an event says. Texts live as long as the message and this plane.
    void addFact(std::string_view statMessage, XlaFacts& facts) const;
};

/// What is said once for the file.
struct XlaSpace
{
    /// A plane is a device or a part of one; a file that claims more than this is not a profile.
    static constexpr std::size_t mostPlanes = 4096;
    std::vector<XlaPlane> planes; ///< in the order of the file
    std::vector<std::string> hosts;
    std::vector<std::string> complaints; ///< errors and warnings of the profiler
    std::int64_t startTimeNs = 0; ///< of the profile since the epoch; 0 = not stated
};

/// Fields of XSpace and XPlane.
struct XlaField
{
    static constexpr std::uint32_t spacePlane = 1, spaceError = 2, spaceWarning = 3, spaceHost = 4;
    static constexpr std::uint32_t planeName = 2, planeLine = 3, planeKind = 4, planeStatName = 5,
                                   planeStat = 6;
};

/// Reads all but the lines of the planes, which it skips. `mustStop` is asked now and then; if it says so,
/// the rest is not read. Names of events are added to `strings`.
Result<XlaSpace> readXlaSpace(const std::string& path, StringTable& strings,
                              const std::function<bool()>& mustStop);

} // namespace collscope
