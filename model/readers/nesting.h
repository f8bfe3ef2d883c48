// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How deep a text nests, before it is given to a library that follows it by recursion and would run out of
// stack.

#include <string_view>

namespace collscope {

/// True if lists and objects of a JSON text (which need not be valid) nest deeper than any that is meant.
bool isNestedTooDeep(std::string_view json);
/// The same for dotted keys of TOML: each dot of a.b.c is a table in a table.
bool hasTooManyDots(std::string_view toml);

} // namespace collscope
