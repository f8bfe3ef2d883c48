// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Kind of work of a PyTorch operator: GEMM, elementwise, SDPA_fwd and so on, as TraceLens names it.

#include <string_view>

namespace collscope {

/// Category from the operator's name if it is listed or starts with "triton" or "record_param_comms", else
/// from the first kernel that it launched if that is one of PyTorch's own; "other" if neither applies. The
/// returned text is static.
std::string_view operatorCategory(std::string_view name, std::string_view firstKernel);

} // namespace collscope
