// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// XID errors as parts of sentences.

#include "metrics/hardware/hardware_troubles.h"

#include <map>

namespace collscope {

class XidTroubles
{
public:
    /// As hardwareTroublesIn().
    XidTroubles(const HardwareView& view, const HardwareRecord& record, const TroubleScope& scope);

    /// Adds "reported Xid 79 (GPU has fallen off the bus) 12 s before the end of the traces".
    void addOf(const HardwareUnit& unit, TroubleParts& parts);
    /// Errors of GPUs that no record samples, and a warning about those of another time.
    void addRest(HardwareTroubles& troubles) const;

private:
    struct One
    {
        const XidEvent* xid = nullptr;
        RecordTime time;
    };
    /// Errors of one code. Several files may tell of the same one.
    struct Same
    {
        std::vector<One> all;
        One first;
        std::int64_t count = 0;

        void countOnce();
    };
    using ByCode = std::map<std::int32_t, Same>;
    std::string partOf(std::int32_t code, const Same& same) const;
    std::string whenText(const XidEvent& xid, const RecordTime& time) const;
    static void countAll(ByCode& codes);
    bool isWanted(const XidEvent& xid, const RecordTime& time) const;

    TroubleScope m_scope;
    std::map<const HardwareUnit*, ByCode> m_byUnit;
    std::map<std::pair<std::string, std::string>, ByCode> m_others; ///< by host and address
    std::int64_t m_elsewhere = 0;
};

} // namespace collscope
