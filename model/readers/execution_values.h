// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Values of execution traces: numbers, texts and shapes as PyTorch writes them.

#include <simdjson.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace collscope {

std::optional<std::int64_t> integerOf(simdjson::ondemand::value value);
/// The text of a value, in the file's memory.
std::string_view rawOf(simdjson::ondemand::value value);
/// Not negative, and no more than sums over any run can hold.
std::optional<std::int64_t> countOf(simdjson::ondemand::value value);
/// "" where the value is not a text.
std::string textOf(simdjson::ondemand::value value);
/// Elements of all tensors in a shape: [[4, 5], [6]] = 26; nullopt if it is not a list of counts.
std::optional<std::int64_t> elementsOf(simdjson::ondemand::value shape, int depth = 0);
/// "GenericList[Tensor(c10::BFloat16)]" -> "BFloat16".
std::string elementTypeIn(std::string_view type);
/// What old files give in place of a name: the group's address in memory, another one in each rank.
bool isAddress(std::string_view group);

} // namespace collscope
