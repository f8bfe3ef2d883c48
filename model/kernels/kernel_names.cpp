// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/kernels/kernel_names.h"

#include "model/kernels/collective_traits.h"
#include "model/kernels/communication_rules.h"
#include "model/text/lower_case.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <iterator>
#include <string>

namespace collscope {

namespace {

/// Returns the name without '_' and '-', so that all_reduce, all-reduce and allreduce are the same word.
std::string joined(const std::string& lower)
{
    std::string word;
    std::copy_if(lower.begin(), lower.end(), std::back_inserter(word),
                 [](char c) { return c != '_' && c != '-'; });
    return word;
}

} // namespace

KernelClass classifyKernel(std::string_view kernelName)
{
    if (const auto communicates = communicationClassOf(kernelName))
        return *communicates;
    constexpr std::size_t longest = 16'384; // a hostile file may contain longer kernel names
    std::string lower = lowered(kernelName.substr(0, longest));
    // A library that is named after GEMMs, although its embedding kernels are not GEMMs.
    constexpr std::string_view library = "fbgemm";
    for (auto at = lower.find(library); at != std::string::npos; at = lower.find(library, at))
        lower.erase(at, library.size());
    if (holdsAnyOf(lower, {"memcpy"}))
        return KernelClass::Copy;
    if (holdsAnyOf(lower, {"memset"}))
        return KernelClass::Memset;
    if (holdsAnyOf(lower, {"flash", "fmha", "attention", "attn", "scaled_dot"}))
        return KernelClass::Attention;
    if (holdsAnyOf(lower, {"adam", "multi_tensor_apply", "fusedoptimizer", "optimizer", "sgd"}))
        return KernelClass::Optimizer;
    if (holdsAnyOf(lower,
                   {"gemm", "cutlass", "cublas", "xmma", "wgmma", "gemv", "matmul", "splitkreduce", "nvjet",
                    "cijk_", "winograd", "conv2d", "implicit_convolve", "dgrad", "wgrad", "hmma"}))
        return KernelClass::Gemm;
    if (holdsAnyOf(lower, {"norm", "softmax", "welford"}))
        return KernelClass::Norm;
    if (holdsAnyOf(lower,
                   {"elementwise", "pointwise", "vectorized", "copy_kernel", "catarray", "fillfunctor",
                    "triton_poi", "activation", "silu", "gelu", "relu", "dropout", "rotary"}))
        return KernelClass::Elementwise;
    return KernelClass::OtherCompute;
}

KernelClass classifyCollective(std::string_view collectiveName)
{
    const std::string word = joined(lowered(collectiveName));
    if (word.empty() || holdsAnyOf(word, {"wait", "init", "startcoalescing", "endcoalescing"}))
        return KernelClass::None;
    if (word == "barrier")
        return KernelClass::OtherCommunication;
    return communicationClassOfWords(word);
}

KernelClass classifyHlo(std::string_view category, std::string_view name)
{
    const std::string lower = lowered(category);
    const bool isGeneral = lower.starts_with("async") || lower.starts_with("custom") || lower.empty();
    if (lower == "while" || lower == "conditional" || lower == "call")
        return KernelClass::None;
    if (holdsAnyOf(lower, {"copy", "infeed", "outfeed", "host"}))
        return KernelClass::Copy;
    for (const std::string& word : {joined(lower), isGeneral ? joined(lowered(name)) : std::string()}) {
        if (holdsAnyOf(word, {"allreducescatter"})) // a fusion of both, with the size of the reduce-scatter
            return KernelClass::ReduceScatter;
        if (holdsAnyOf(word, {"allreduce", "allgather", "reducescatter", "alltoall", "collectivebroadcast"}))
            return communicationClassOfWords(word);
        if (holdsAnyOf(word, {"collectivepermute"}) || word.starts_with("send") || word.starts_with("recv"))
            return KernelClass::SendRecv;
    }
    if (isGeneral)
        return lower.starts_with("async") && holdsAnyOf(lowered(name), {"copy"}) ? KernelClass::Copy
                                                                                 : classifyKernel(name);
    if (holdsAnyOf(lower, {"convolution", "dot", "matmul", "output fusion"}))
        return KernelClass::Gemm;
    if (holdsAnyOf(lower, {"loop fusion", "elementwise", "broadcast"}))
        return KernelClass::Elementwise;
    return KernelClass::OtherCompute;
}

std::string_view kernelClassName(KernelClass c)
{
    if (const CollectiveTraits* const traits = collectiveTraits(c))
        return traits->name;
    switch (c) {
    case KernelClass::Gemm:
        return "GEMM";
    case KernelClass::Attention:
        return "attention";
    case KernelClass::Elementwise:
        return "elementwise";
    case KernelClass::Norm:
        return "norm, softmax";
    case KernelClass::Optimizer:
        return "optimizer";
    case KernelClass::OtherCompute:
        return "other compute";
    case KernelClass::Copy:
        return "copy";
    case KernelClass::Memset:
        return "memset";
    default:
        return "CPU";
    }
}

} // namespace collscope
