// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Values of execution traces: numbers, strings and shapes as PyTorch writes them.

#include <simdjson.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace collscope {

std::optional<std::int64_t> integerOf(simdjson::ondemand::value value);
/// The text of a value, in the file's memory.
std::string_view rawOf(simdjson::ondemand::value value);
/// A count: not negative, and small enough that sums over any run do not overflow.
std::optional<std::int64_t> countOf(simdjson::ondemand::value value);
/// The text of a string value; "" if the value is not a string.
std::string textOf(simdjson::ondemand::value value);
/// The number of elements of all tensors in a shape: [[4, 5], [6]] = 26; nullopt if it is not a list of
/// counts.
std::optional<std::int64_t> elementsOf(simdjson::ondemand::value shape, int depth = 0);
/// Extracts the element type: "GenericList[Tensor(c10::BFloat16)]" -> "BFloat16".
std::string elementTypeIn(std::string_view type);
/// Whether the text is the group's address in memory, which old files contain instead of a name and which
/// differs between ranks.
bool isAddress(std::string_view group);

} // namespace collscope
