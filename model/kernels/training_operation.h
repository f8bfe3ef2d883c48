// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The operations that a file of whole operations names (readers/kineto/pipeline_workers.h): Megatron-LM's
// words for what a worker of a training job does. A new one is a row of the table in training_operation.cpp.

#include "model/kernels/kernel_class.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace collscope {

/// In the order of a step.
enum class OperationRole : std::uint8_t
{
    GatherParameters,
    ForwardReceive,
    Forward,
    ForwardSend,
    BackwardReceive,
    Backward,
    BackwardSend,
    CollectGarbage,
    ReduceLayerNorms,
    ReduceEmbeddings,
    ScatterGradients,
    ClipGradients,
    Optimize
};
constexpr std::size_t operationRoleCount = static_cast<std::size_t>(OperationRole::Optimize) + 1;

/// With whom a worker does it: none of them can before all have come.
enum class OperationPartners : std::uint8_t
{
    None,
    TensorParallel, ///< not in the file
    DataParallel, ///< workers of the same stage
    FirstAndLastStage,
    ToNextStage,
    FromPreviousStage,
    ToPreviousStage,
    FromNextStage,
    AllWorkers
};

struct OperationTraits
{
    std::string_view name; ///< in the file
    std::optional<KernelClass> kernelClass; ///< nullopt: work of the host
    OperationPartners partners = OperationPartners::None;
    /// What is counted together: "forward-pp-comm" for what a stage receives and sends in the forward pass.
    std::string_view type;
    /// Work of the worker itself: its usual duration is a mean. That of a transfer, which now and then takes
    /// much longer, is a median.
    bool isCompute = false;
};

const OperationTraits& operationTraits(OperationRole role);
/// The operation of a name in a file; nullopt if it is another one.
std::optional<OperationRole> operationRole(std::string_view name);

} // namespace collscope
