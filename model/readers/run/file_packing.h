// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Detects files that have to be unpacked or converted before a trace can be read from them.

#include <string_view>

namespace collscope {

/// Names the packing of a file that has to be unpacked first, in words: "a zip archive"; "" for other files.
/// `head`: the first bytes of the file, or of the content of a .gz file.
std::string_view packingOf(std::string_view head);
/// Whether the text is UTF-16: it has a byte order mark, or starts like JSON in UTF-16.
bool isUtf16(std::string_view head);

} // namespace collscope
