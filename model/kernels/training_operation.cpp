// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/kernels/training_operation.h"

#include <algorithm>
#include <array>

namespace collscope {

namespace {

/// In the order of OperationRole. The last column is isCompute.
constexpr std::array<OperationTraits, operationRoleCount> operations{{
    {"params-all-gather", KernelClass::AllGather, OperationPartners::DataParallel, "params-all-gather"},
    {"forward-recv", KernelClass::SendRecv, OperationPartners::FromPreviousStage, "forward-pp-comm"},
    {"forward-compute", KernelClass::OtherCompute, OperationPartners::None, "forward-compute", true},
    {"forward-send", KernelClass::SendRecv, OperationPartners::ToNextStage, "forward-pp-comm"},
    {"backward-recv", KernelClass::SendRecv, OperationPartners::FromNextStage, "backward-pp-comm"},
    {"backward-compute", KernelClass::OtherCompute, OperationPartners::None, "backward-compute", true},
    {"backward-send", KernelClass::SendRecv, OperationPartners::ToPreviousStage, "backward-pp-comm"},
    {"gc", std::nullopt, OperationPartners::None, "gc", true},
    {"layernorm-grads-all-reduce", KernelClass::AllReduce, OperationPartners::TensorParallel,
     "layernorm-grads-all-reduce"},
    {"embedding-grads-all-reduce", KernelClass::AllReduce, OperationPartners::FirstAndLastStage,
     "embedding-grads-all-reduce"},
    {"grads-reduce-scatter", KernelClass::ReduceScatter, OperationPartners::DataParallel,
     "grads-reduce-scatter"},
    // It clips by the norm of all gradients.
    {"optimizer-clip-main-grad", KernelClass::Optimizer, OperationPartners::AllWorkers,
     "optimizer-clip-main-grad"},
    {"optimizer", KernelClass::Optimizer, OperationPartners::None, "optimizer", true},
}};

} // namespace

const OperationTraits& operationTraits(OperationRole role)
{
    return operations[static_cast<std::size_t>(role)];
}

std::optional<OperationRole> operationRole(std::string_view name)
{
    const auto found = std::find_if(operations.begin(), operations.end(),
                                    [&](const OperationTraits& own) { return own.name == name; });
    return found == operations.end() ? std::nullopt
                                     : std::optional(static_cast<OperationRole>(found - operations.begin()));
}

} // namespace collscope
