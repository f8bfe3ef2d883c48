// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The classes of GPU work. Metrics, colours and exports share them, so that they always agree.

#include <cstdint>

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

} // namespace collscope
