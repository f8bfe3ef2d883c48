// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The floating-point operations and bytes of an operator's call, if they follow from its inputs.

#include "metrics/core/value.h"
#include "metrics/operators/operator_inputs.h"

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace collscope {

/// Minimum operations and bytes of a call: each input is read once and the output written once, unless the
/// formula of its kind states otherwise. Counts the requested work, not the work of the kernel that computes
/// it.
struct OperatorWork
{
    enum class Kind
    {
        Gemm,
        Attention,
        AttentionBackward,
        Convolution,
        ConvolutionBackward,
        Binary, ///< elementwise, of two tensors
        Unary, ///< elementwise, of one tensor; copies too
        Normalization, ///< forward and backward
        Reduction
    } kind
        = Kind::Gemm;
    double flops = 0; ///< operations
    double bytes = 0; ///< more than 0
    /// Names and values (whole numbers or text) of the parameters that determine the work, with the same
    /// names in the same order for each call of a kind.
    std::vector<std::pair<std::string_view, Value>> parameters;
};

} // namespace collscope
