// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// SHA-256 of files, so that a page can say which files its numbers come from. sha256sum prints the same.

#include "model/result.h"

#include <cstdint>
#include <functional>
#include <string>

namespace collscope {

/// Of the bytes of a file as they are stored, in hexadecimal. Error Io if they are not `size` bytes. Asks
/// `cancelled` about every megabyte; error Cancelled.
Result<std::string> sha256Of(const std::string& path, std::uint64_t size,
                             const std::function<bool()>& cancelled);

} // namespace collscope
