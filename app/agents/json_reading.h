// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// JSON from outside as a tree of values.

#include "metrics/core/value.h"

#include <optional>
#include <string_view>

namespace collscope {

/// nullopt if the text is not JSON (RFC 8259), or is nested deeper than any message is.
std::optional<Value> valueOfJson(std::string_view json);

/// The member of an object; nullptr if the value is not an object, or has no such member.
const Value* memberOf(const Value& value, std::string_view key);

} // namespace collscope
