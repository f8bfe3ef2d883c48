// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The functions of NCCL and RCCL that communicate (NVIDIA/nccl, src/nccl.h.in; ROCm/rccl, src/nccl.h.in).

#include "model/kernels/kernel_class.h"

#include <optional>
#include <string_view>

namespace collscope {

/// The type of communication that a function starts: "ncclAllReduce". nullopt for all other functions.
inline std::optional<KernelClass> ncclFunctionClass(std::string_view function)
{
    struct Function
    {
        std::string_view name;
        KernelClass kind;
    };
    static constexpr Function functions[] = {
        {"ncclAllReduce", KernelClass::AllReduce},
        {"ncclAllGather", KernelClass::AllGather},
        {"ncclReduceScatter", KernelClass::ReduceScatter},
        {"ncclAlltoAll", KernelClass::AllToAll}, // NCCL
        {"ncclAllToAll", KernelClass::AllToAll}, // RCCL
        {"ncclAllToAllv", KernelClass::AllToAll},
        {"ncclBroadcast", KernelClass::Broadcast},
        {"ncclBcast", KernelClass::Broadcast},
        {"ncclReduce", KernelClass::Reduce},
        {"ncclGather", KernelClass::OtherCommunication},
        {"ncclScatter", KernelClass::OtherCommunication},
        {"ncclSend", KernelClass::SendRecv},
        {"ncclRecv", KernelClass::SendRecv},
    };
    for (const Function& known : functions) {
        if (known.name == function)
            return known.kind;
    }
    return std::nullopt;
}

} // namespace collscope
