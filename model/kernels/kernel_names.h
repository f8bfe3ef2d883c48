// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Maps kernel names to classes, and classes to their names.

#include "model/kernels/kernel_class.h"

#include <string_view>

namespace collscope {

/// Class of a GPU kernel by its name alone. Case-insensitive. Recognises all generations of NCCL, RCCL, and
/// custom all-reduces.
KernelClass classifyKernel(std::string_view kernelName);
/// Class from the `Collective name` argument ("allreduce", "_allgather_base", ...). `None` for wait, init,
/// bookkeeping other than barriers (startcoalescing, endcoalescing) and for an empty name.
KernelClass classifyCollective(std::string_view collectiveName);
/// Class of an XLA operation by its `hlo_category` ("all-reduce", "convolution fusion"), or by its name if
/// the category is too general. `None` for operations that only contain others (while, conditional, call).
KernelClass classifyHlo(std::string_view category, std::string_view name);
/// English name for legends and tables: "GEMM", "AllReduce", ...
std::string_view kernelClassName(KernelClass c);

} // namespace collscope
