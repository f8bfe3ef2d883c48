// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How deep and wide a text nests, before it is given to a library that follows it by recursion and would run
// out of stack, or makes an object of each pair of brackets and would run out of memory.

#include <string_view>

namespace collscope {

/// True if lists and objects of a JSON text (which need not be valid) nest deeper, or are more, than any that
/// are meant.
bool isOutsizeJson(std::string_view json);
/// The same for dotted keys of TOML: each dot of a.b.c is a table in a table.
bool hasTooManyDots(std::string_view toml);

} // namespace collscope
