// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The ranks of the job on GPUs that NCCL's logs name.

#include "model/trace_model.h"

#include <map>
#include <optional>
#include <string>

namespace collscope {

/// Ranks of the communicator that has all ranks of the job: PyTorch and Megatron number its members as the
/// job does. Communicators that were put together by guessing, or that contradict themselves or the host of
/// any trace, are not used: the log may be of another job, or of an earlier attempt.
/// Empty if the size of the job is not known.
class LoggedRanks
{
public:
    LoggedRanks() = default;
    explicit LoggedRanks(const TraceModel& model);

    /// Short host name, and the number of the GPU as NVML counts or its PCI address (pciAddress()). nullopt:
    /// no line says so, or lines contradict each other.
    std::optional<std::int32_t> rankOf(const std::string& host, std::optional<std::int32_t> gpu,
                                       const std::string& pci) const;
    /// Short name; empty: not known.
    std::string hostOf(std::int32_t rank) const;
    /// Whether a trace states the host that each used communicator gives its rank. If not, nothing says that
    /// the log is of this run.
    bool isConfirmed() const { return m_isConfirmed; }

private:
    void add(std::int32_t rank, const std::string& host, const std::string& gpu);

    /// By host and "3" or "0000:3b:00.0"; -1: several ranks.
    std::map<std::pair<std::string, std::string>, std::int32_t> m_ranks;
    std::map<std::int32_t, std::string> m_hosts; ///< "": several
    bool m_isConfirmed = true;
};

} // namespace collscope
