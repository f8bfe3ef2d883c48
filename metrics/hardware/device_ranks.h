// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which rank ran on which GPU of a hardware record, where the files tell.

#include "model/trace_model.h"
#include "model/witnesses/hardware_record.h"

#include <map>
#include <optional>

namespace collscope {

/// The hosts of a run and of its record, each under one name: lower case, without the domain.
class DeviceRanks
{
public:
    DeviceRanks(const TraceModel& model, const HardwareRecord& record);

    /// Of a device or an error: as the file states it; else by the name of the file or its folder; else the
    /// only host of the run, if all its ranks are loaded. "?": not known. Empty: the only host, which nobody
    /// names.
    std::string hostOf(const HardwareDevice& device) const;
    std::string hostOf(const XidEvent& xid) const;
    /// The rank on a GPU. A trace has the number of its GPU as CUDA counts them in its process, the record as
    /// the driver counts: both count alike only where the ranks of a host use all its GPUs that were sampled.
    std::optional<std::int32_t> rankOf(const HardwareDevice& device) const;
    /// Ascending. Empty: the host is not known, or has no rank.
    std::vector<std::int32_t> ranksOn(const std::string& host) const;
    bool hasOneHost() const { return m_hosts.size() <= 1; }

private:
    struct Host
    {
        std::map<std::int32_t, std::int32_t> rankByGpu;
        std::vector<std::int32_t> ranks;
        bool isAmbiguous = false; ///< several ranks state the same GPU
        bool isNumberedAlike = false;
    };
    std::string placeOf(const std::string& stated, const std::string& file, const std::string& folder) const;
    bool areSampledGpus(const HardwareRecord& record, const std::string& name, const Host& host) const;

    std::map<std::string, Host> m_hosts; ///< of the traces; one without a name: none of them states it
    std::optional<std::int32_t> m_worldSize;
    bool m_areAllLoaded = true; ///< no rank of the job is missing, as far as the files tell
    bool m_isOneRecorded = true; ///< the record does not state several hosts
};

} // namespace collscope
