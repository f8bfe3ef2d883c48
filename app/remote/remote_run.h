// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Gets the parts of a run from another machine: the same program reads the traces there
// (`collscope --batch send`), started by the system's ssh.

#include "app/remote/remote_address.h"
#include "model/readers/run/load_plan.h"

#include <cstddef>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace collscope {

struct RemoteRequest
{
    /// Which iteration and ranks; these are chosen there. Error Usage for a card or a configuration: files of
    /// this machine.
    LoadOptions load;
    std::uint64_t memory = 0; ///< bytes that this process may use, 0 = no limit: decides what is kept
    std::string cacheFolder; ///< of the user
    std::stop_token stop;
    /// Called as parts arrive, with their number; 0 of 0 before the plan.
    std::function<void(std::size_t arrived, std::size_t all)> progress = [](std::size_t, std::size_t) {};
    /// Called once, with the folder, when its first part is there and others are missing.
    std::function<void(const std::string& folder)> firstPart = [](const std::string&) {};
};

/// The folder of the parts. Parts that arrived at an earlier time are not sent again, unless a trace changed
/// there. Error NotFound where the program or the folder is missing, with what to do; Unsupported for several
/// runs; Io for a connection that fails or ends early; Format for other versions; Usage; Cancelled.
Result<std::string> fetchRemoteRun(const RemoteAddress& address, const RemoteRequest& request);

/// Fetches the paths that are remote; LoadOptions::copies says where each of them is then.
Status fetchRemoteRuns(const std::vector<std::string>& paths, const RemoteRequest& request,
                       LoadOptions& load);

} // namespace collscope
