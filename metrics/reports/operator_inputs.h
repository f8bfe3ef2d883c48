// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the inputs of an operator's call say of its work: shapes, types, and from them floating-point
// operations and bytes, where the operator is one whose work follows from its shapes.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace collscope {

/// The inputs of a call, as the profiler writes them: JSON lists with an entry for each input. Empty where it
/// was told to record no shapes.
struct OperatorInputs
{
    std::string dims; ///< [[512], [141, 512], []]
    std::string types; ///< ["c10::BFloat16", "float", "Scalar"]
    std::string strides; ///< as dims
    std::string concrete; ///< ["", "", "1"]: the values of what is no tensor

    friend auto operator<=>(const OperatorInputs&, const OperatorInputs&) = default;
};

/// A JSON list on one line, however the file lays it out: "[[512], [141, 512]]".
std::string onOneLine(std::string_view json);
/// The entries of a list of lists of whole numbers; nullopt if the text is anything else (a list of tensors).
std::optional<std::vector<std::vector<std::int64_t>>> shapesOf(std::string_view json);
/// The texts of a flat list; nullopt if the text is anything else.
std::optional<std::vector<std::string>> textsOf(std::string_view json);
/// Bytes of an element of a type as PyTorch writes it ("c10::BFloat16", "long int"); nullopt = unknown.
std::optional<std::int64_t> elementBytes(std::string_view type);

/// What a call computes and moves at least: each input read once and the output written once.
struct OperatorWork
{
    enum class Kind
    {
        Gemm, ///< M, N, K, batch
        Attention, ///< batch, heads, queries, keys, head size
        Binary ///< elementwise, of two tensors
    } kind
        = Kind::Gemm;
    double flops = 0, bytes = 0;
    /// Name and value of what it was worked out from, in a fixed order for each kind.
    std::vector<std::pair<std::string_view, std::int64_t>> parameters;
};

/// nullopt for an operator whose work does not follow from its inputs, or is not known here.
std::optional<OperatorWork> operatorWork(std::string_view name, const OperatorInputs& inputs);

} // namespace collscope
