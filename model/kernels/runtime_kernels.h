// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Kernels with which AMD's runtime copies and fills memory (ROCm/clr, rocclr/device/blitcl.cpp).

#include "model/kernels/kernel_class.h"

#include <optional>
#include <string_view>

namespace collscope {

/// Copy or Memset for such a kernel, nullopt for any other.
inline std::optional<KernelClass> runtimeKernelClass(std::string_view kernelName)
{
    if (kernelName.starts_with("__amd_rocclr_copyBuffer") || kernelName.starts_with("__amd_rocclr_copyImage"))
        return KernelClass::Copy;
    if (kernelName.starts_with("__amd_rocclr_fillBuffer") || kernelName.starts_with("__amd_rocclr_fillImage"))
        return KernelClass::Memset;
    return std::nullopt;
}

} // namespace collscope
