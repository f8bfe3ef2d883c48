// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Work of operators by family: one file per family, with a table of its operators. The table states where in
// their inputs (PyTorch's native_functions.yaml) the formula finds its values. Used only by
// known_operators.cpp.

#include "metrics/operators/operator_work.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace collscope {

/// The position of an input that an operator does not have.
inline constexpr std::size_t noInput = static_cast<std::size_t>(-1);

/// A double counts exactly up to here (2^53), and no tensor has more elements: a larger product is damage.
inline constexpr double mostElements = 9007199254740992.0;

/// The entry of that name in a family's table; nullptr if the operator belongs to another family or to none.
template<typename Table>
auto* entryOf(const Table& table, std::string_view name)
{
    const auto found = std::find_if(std::begin(table), std::end(table),
                                    [&](const auto& entry) { return entry.name == name; });
    return found == std::end(table) ? nullptr : &*found;
}
/// "(4, 3, 224, 224)", as TraceLens writes a shape.
std::string shapeText(const TensorShape& shape);

// Each function returns nullopt for an operator that is not in the family's table, and if the inputs lack a
// value that its formula needs. Bytes may be 0 for tensors without elements.
std::optional<OperatorWork> gemmWork(std::string_view name, const CallInputs& inputs);
std::optional<OperatorWork> attentionWork(std::string_view name, const CallInputs& inputs);
std::optional<OperatorWork> convolutionWork(std::string_view name, const CallInputs& inputs);
std::optional<OperatorWork> elementwiseWork(std::string_view name, const CallInputs& inputs);
std::optional<OperatorWork> normalizationWork(std::string_view name, const CallInputs& inputs);
std::optional<OperatorWork> reductionWork(std::string_view name, const CallInputs& inputs);

} // namespace collscope
