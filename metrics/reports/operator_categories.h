// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What kind of work an operator of PyTorch is: GEMM, elementwise, SDPA_fwd and so on, as TraceLens names it.

#include <string_view>

namespace collscope {

/// By the operator's name where that is listed or begins with "triton" or "record_param_comms", else by the
/// first kernel that it launched where that is one of PyTorch's own; "other" if neither says. The text lives
/// for ever.
std::string_view operatorCategory(std::string_view name, std::string_view firstKernel);

} // namespace collscope
