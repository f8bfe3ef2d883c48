// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Who made collectives slower, as far as the communicators tell.

#include "metrics/history/communication_changes.h"

#include <string>
#include <vector>

namespace collscope {

struct Culprit
{
    enum class Kind
    {
        Nobody, ///< cannot be told; `text` says why
        LateProcess, ///< others wait for it
        LateHost, ///< others wait for several of its processes
        Transfer, ///< a communicator transfers more slowly; its members are alike
        TransferOfHost ///< ... and this host is what the slower communicators share
    };
    Kind kind = Kind::Nobody;
    std::vector<std::uint32_t> communicators; ///< those that changed
    std::vector<std::uint32_t> members; ///< late ones, as indices into JobHistory::members
    std::vector<std::string> hosts; ///< named culprits
    std::string text; ///< one or two sentences
};

/// `changes`: those that happened together, all of them slower or all of them faster.
Culprit culpritOf(const JobHistory& history, const CommunicationHistory& all,
                  const std::vector<const CommunicationChange*>& changes);

/// "DP Group 0 (0x9e7a, 32 ranks)".
std::string communicatorText(const HistoryCommunicator& communicator);
/// "rank 3 of DP Group 0 on node-12 (pid 4711)".
std::string memberText(const JobHistory& history, std::uint32_t member);

} // namespace collscope
