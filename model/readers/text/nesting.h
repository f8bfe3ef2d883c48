// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Checks how deeply and widely a text nests before it is passed to a library that recurses, and would run out
// of stack, or that makes an object for each pair of brackets, and would run out of memory.

#include <string_view>

namespace collscope {

/// Whether lists and objects of a JSON text (which need not be valid) are nested deeper, or are more
/// numerous, than in any genuine file.
bool isOutsizeJson(std::string_view json);
/// Whether dotted keys of TOML are nested too deeply: each dot of a.b.c is a table in a table.
bool hasTooManyDots(std::string_view toml);

} // namespace collscope
