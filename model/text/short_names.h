// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Names of kernels and operators for people.

#include <string>
#include <string_view>

namespace collscope {

/// The distinctive part of a kernel name, without return type, namespaces, template and call arguments and
/// NCCL prefixes; what a wrapper such as cutlass::device_kernel<...> runs, and the graph that torch.compile
/// calls. Any bytes.
std::string shortNameOf(std::string_view name);

} // namespace collscope
