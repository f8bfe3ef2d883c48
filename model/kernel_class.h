// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Maps kernel names to classes. Metrics, colours and exports share one table, so that they always agree.

#include <cstdint>
#include <string_view>

namespace collscope {

enum class KernelClass : std::uint8_t
{
    None, ///< not GPU work: CPU ops, annotations
    Gemm,
    Attention,
    Elementwise,
    Norm, ///< norm and softmax
    Optimizer,
    OtherCompute,
    AllReduce,
    AllGather,
    ReduceScatter,
    AllToAll,
    SendRecv,
    Broadcast,
    Reduce,
    OtherCommunication,
    Copy,
    Memset,
};
constexpr int kernelClassCount = static_cast<int>(KernelClass::Memset) + 1;

constexpr bool isCommunication(KernelClass c)
{
    return c >= KernelClass::AllReduce && c <= KernelClass::OtherCommunication;
}
constexpr bool isCompute(KernelClass c)
{
    return c >= KernelClass::Gemm && c <= KernelClass::OtherCompute;
}
/// A GPU kernel, computing or communicating (not a copy or memset).
constexpr bool isKernel(KernelClass c)
{
    return isCompute(c) || isCommunication(c);
}

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
