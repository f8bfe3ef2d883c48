// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Addresses of runs on other machines: ssh://[USER@]HOST[:PORT]/FOLDER[?keep=all][&program=PATH].

#include "model/result.h"

#include <optional>
#include <string>
#include <string_view>

namespace collscope {

struct RemoteAddress
{
    std::string host; ///< with the user, as ssh takes it: "ann@login1"
    std::optional<int> port;
    std::string path; ///< absolute, or relative to the home folder
    std::string keep; ///< metrics, all or summary; empty: as much as fits into the memory here
    std::string program; ///< path of the program there; empty: it is looked for

    /// The host as it stands before a colon: an IPv6 address is in brackets.
    std::string bracketedHost() const;
    /// What stands before an absolute path of that machine: "ssh://ann@login1:2222".
    std::string prefix() const;
};

/// Whether the text is meant as such an address.
bool isRemote(std::string_view path);
/// The address in what a user types: also HOST:FOLDER, as scp takes it.
std::string remoteAddressText(std::string_view typed);
/// Folders that begin at the home folder are written ssh://HOST/~/FOLDER. "%20" is a blank, "%3F" a question
/// mark. Error Usage.
Result<RemoteAddress> parseRemoteAddress(std::string_view text);

} // namespace collscope
