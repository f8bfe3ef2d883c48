// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/kernel_class.h"

#include "model/lower_case.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <initializer_list>
#include <iterator>
#include <string>

namespace collscope {

namespace {

/// The name without '_' and '-', so that all_reduce, all-reduce and allreduce are one word.
std::string joined(const std::string& lower)
{
    std::string word;
    std::copy_if(lower.begin(), lower.end(), std::back_inserter(word),
                 [](char c) { return c != '_' && c != '-'; });
    return word;
}

bool hasAny(const std::string& text, std::initializer_list<std::string_view> needles)
{
    return std::any_of(needles.begin(), needles.end(),
                       [&](std::string_view needle) { return text.find(needle) != std::string::npos; });
}

/// metrics.md 1.3: these mark a communication kernel. Bare "reduce", "broadcast", "send", "recv" do not:
/// compute kernels such as reduce_kernel<...> carry them.
bool communicates(const std::string& lower, const std::string& word)
{
    if (hasAny(lower,
               {"nccl", "rccl", "mscclpp", "msccl", "nvshmem", "cross_device_reduce", "sendrecv", "deepep",
                "deep_ep"}))
        return true;
    if (hasAny(lower, {"quickreduce", "quick_reduce"}))
        return true;
    // Only one '_' or '-' may stand inside the word, but `joined` is exact enough: no compute kernel spells
    // these out.
    if (hasAny(word, {"allreduce", "crossreduce", "allgather", "reducescatter", "alltoall"}))
        return true;
    const std::size_t pplx = lower.find("pplx");
    return pplx != std::string::npos
        && (lower.find("dispatch", pplx) != std::string::npos
            || lower.find("combine", pplx) != std::string::npos);
}

KernelClass communicationClass(const std::string& word)
{
    if (hasAny(word, {"allreduce", "crossdevicereduce", "crossreduce", "quickreduce"}))
        return KernelClass::AllReduce;
    if (hasAny(word, {"allgather"}))
        return KernelClass::AllGather;
    if (hasAny(word, {"reducescatter"}))
        return KernelClass::ReduceScatter;
    if (hasAny(word, {"alltoall", "deepep", "pplx"}))
        return KernelClass::AllToAll;
    if (hasAny(word, {"sendrecv", "send", "recv"}))
        return KernelClass::SendRecv;
    if (hasAny(word, {"broadcast"}))
        return KernelClass::Broadcast;
    if (hasAny(word, {"reduce"}))
        return KernelClass::Reduce;
    return KernelClass::OtherCommunication;
}

} // namespace

KernelClass classifyKernel(std::string_view kernelName)
{
    std::string lower = lowered(kernelName);
    // A library that is named after GEMMs, and whose kernels for embeddings are none.
    constexpr std::string_view library = "fbgemm";
    for (auto at = lower.find(library); at != std::string::npos; at = lower.find(library, at))
        lower.erase(at, library.size());
    const std::string word = joined(lower);
    if (communicates(lower, word))
        return communicationClass(word);
    if (hasAny(lower, {"memcpy"}))
        return KernelClass::Copy;
    if (hasAny(lower, {"memset"}))
        return KernelClass::Memset;
    if (hasAny(lower, {"flash", "fmha", "attention", "attn", "scaled_dot"}))
        return KernelClass::Attention;
    if (hasAny(lower, {"adam", "multi_tensor_apply", "fusedoptimizer", "optimizer", "sgd"}))
        return KernelClass::Optimizer;
    if (hasAny(lower,
               {"gemm", "cutlass", "cublas", "xmma", "wgmma", "gemv", "matmul", "splitkreduce", "nvjet",
                "cijk_", "winograd", "conv2d", "implicit_convolve", "dgrad", "wgrad", "hmma"}))
        return KernelClass::Gemm;
    if (hasAny(lower, {"norm", "softmax", "welford"}))
        return KernelClass::Norm;
    if (hasAny(lower,
               {"elementwise", "pointwise", "vectorized", "copy_kernel", "catarray", "fillfunctor",
                "triton_poi", "activation", "silu", "gelu", "relu", "dropout", "rotary"}))
        return KernelClass::Elementwise;
    return KernelClass::OtherCompute;
}

KernelClass classifyCollective(std::string_view collectiveName)
{
    const std::string word = joined(lowered(collectiveName));
    if (word.empty() || hasAny(word, {"wait", "init", "startcoalescing", "endcoalescing"}))
        return KernelClass::None;
    if (word == "barrier")
        return KernelClass::OtherCommunication;
    return communicationClass(word);
}

KernelClass classifyHlo(std::string_view category, std::string_view name)
{
    const std::string lower = lowered(category);
    const bool isGeneral = lower.starts_with("async") || lower.starts_with("custom") || lower.empty();
    if (lower == "while" || lower == "conditional" || lower == "call")
        return KernelClass::None;
    if (hasAny(lower, {"copy", "infeed", "outfeed", "host"}))
        return KernelClass::Copy;
    for (const std::string& word : {joined(lower), isGeneral ? joined(lowered(name)) : std::string()}) {
        if (hasAny(word, {"allreducescatter"})) // a fusion of both, of the size of the latter
            return KernelClass::ReduceScatter;
        if (hasAny(word, {"allreduce", "allgather", "reducescatter", "alltoall", "collectivebroadcast"}))
            return communicationClass(word);
        if (hasAny(word, {"collectivepermute"}) || word.starts_with("send") || word.starts_with("recv"))
            return KernelClass::SendRecv;
    }
    if (isGeneral)
        return lower.starts_with("async") && hasAny(lowered(name), {"copy"}) ? KernelClass::Copy
                                                                             : classifyKernel(name);
    if (hasAny(lower, {"convolution", "dot", "matmul", "output fusion"}))
        return KernelClass::Gemm;
    if (hasAny(lower, {"loop fusion", "elementwise", "broadcast"}))
        return KernelClass::Elementwise;
    return KernelClass::OtherCompute;
}

std::string_view kernelClassName(KernelClass c)
{
    static constexpr std::array<std::string_view, kernelClassCount> names{
        "CPU",           "GEMM",      "attention",           "elementwise",   "norm, softmax", "optimizer",
        "other compute", "AllReduce", "AllGather",           "ReduceScatter", "AllToAll",      "Send/Recv",
        "Broadcast",     "Reduce",    "other communication", "copy",          "memset"};
    return names[static_cast<std::size_t>(c)];
}

} // namespace collscope
