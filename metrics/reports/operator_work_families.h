// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which operators have which work: a file for each family, with a table of its operators, which says where in
// their inputs (PyTorch's native_functions.yaml) lies what the formula needs. Only operator_work.cpp asks.

#include "metrics/reports/operator_work.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace collscope {

/// The place of an input that an operator does not have.
inline constexpr std::size_t noInput = static_cast<std::size_t>(-1);

/// A double counts exactly up to here (2^53), and no tensor has more elements: a larger product is damage.
inline constexpr double mostElements = 9007199254740992.0;

/// The entry of that name in a family's table; nullptr if it is another family's operator, or nobody's.
template<typename Table>
auto* entryOf(const Table& table, std::string_view name)
{
    const auto found = std::find_if(std::begin(table), std::end(table),
                                    [&](const auto& entry) { return entry.name == name; });
    return found == std::end(table) ? nullptr : &*found;
}
/// "(4, 3, 224, 224)", as TraceLens writes a shape.
std::string shapeText(const TensorShape& shape);

// Each: nullopt for an operator that is not in the family's table, and where the inputs lack what its formula
// needs. Bytes may be 0, of tensors without elements.
std::optional<OperatorWork> gemmWork(std::string_view name, const CallInputs& inputs);
std::optional<OperatorWork> attentionWork(std::string_view name, const CallInputs& inputs);
std::optional<OperatorWork> convolutionWork(std::string_view name, const CallInputs& inputs);
std::optional<OperatorWork> elementwiseWork(std::string_view name, const CallInputs& inputs);
std::optional<OperatorWork> normalizationWork(std::string_view name, const CallInputs& inputs);
std::optional<OperatorWork> reductionWork(std::string_view name, const CallInputs& inputs);

} // namespace collscope
