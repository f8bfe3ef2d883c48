// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Forms of files that have to be unpacked or converted before a trace can be in them.

#include <string_view>

namespace collscope {

/// How a file is packed that is not read so, in words: "a zip archive". "" for others. `head`: its first
/// bytes, of a .gz those of what it holds.
std::string_view packingOf(std::string_view head);
/// With a byte order mark, or without one where JSON begins.
bool isUtf16(std::string_view head);

} // namespace collscope
