// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Where parts from other machines are kept: a folder for each address and plan in the cache of the user.

#include "app/remote/remote_address.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace collscope {

/// What `send` need not send, for its option --have: "9f86d081884c7d65:0,1,5" for each plan of which parts
/// are kept, the latest first.
std::vector<std::string> keptPartsOf(const std::string& cacheFolder, const RemoteAddress& address);

/// The folder of a plan, which is made if it is missing; `kept` gets the tasks whose parts are there. Of all
/// folders, the ones that were used last stay; the others are removed.
Result<std::string> folderForParts(const std::string& cacheFolder, const RemoteAddress& address,
                                   std::uint64_t planHash, std::set<std::uint32_t>& kept);

/// Splits a value of --have. Error Usage.
struct KeptParts
{
    std::uint64_t plan = 0;
    std::set<std::uint32_t> tasks;
};
Result<KeptParts> parseKeptParts(std::string_view text);

} // namespace collscope
