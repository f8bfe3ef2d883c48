// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/kernel_class.h"

#include "model/lower_case.h"

#include <algorithm>
#include <array>
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

/// metrics.md 1.3: these mark a communication kernel. Bare "reduce", "broadcast", "send", "recv" do not:
/// compute kernels such as reduce_kernel<...> carry them.
bool communicates(const std::string& lower, const std::string& word)
{
    if (holdsAnyOf(lower,
                   {"nccl", "rccl", "mscclpp", "msccl", "nvshmem", "cross_device_reduce", "sendrecv",
                    "deepep", "deep_ep"}))
        return true;
    if (holdsAnyOf(lower, {"quickreduce", "quick_reduce"}))
        return true;
    // Only one '_' or '-' may stand inside the word, but `joined` is exact enough: no compute kernel spells
    // these out.
    if (holdsAnyOf(word, {"allreduce", "crossreduce", "allgather", "reducescatter", "alltoall"}))
        return true;
    const std::size_t pplx = lower.find("pplx");
    return pplx != std::string::npos
        && (lower.find("dispatch", pplx) != std::string::npos
            || lower.find("combine", pplx) != std::string::npos);
}

KernelClass communicationClass(const std::string& word)
{
    if (holdsAnyOf(word, {"allreduce", "crossdevicereduce", "crossreduce", "quickreduce"}))
        return KernelClass::AllReduce;
    if (holdsAnyOf(word, {"allgather"}))
        return KernelClass::AllGather;
    if (holdsAnyOf(word, {"reducescatter"}))
        return KernelClass::ReduceScatter;
    if (holdsAnyOf(word, {"alltoall", "deepep", "pplx"}))
        return KernelClass::AllToAll;
    if (holdsAnyOf(word, {"sendrecv", "send", "recv"}))
        return KernelClass::SendRecv;
    if (holdsAnyOf(word, {"broadcast"}))
        return KernelClass::Broadcast;
    if (holdsAnyOf(word, {"reduce"}))
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
    return communicationClass(word);
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
        if (holdsAnyOf(word, {"allreducescatter"})) // a fusion of both, of the size of the latter
            return KernelClass::ReduceScatter;
        if (holdsAnyOf(word, {"allreduce", "allgather", "reducescatter", "alltoall", "collectivebroadcast"}))
            return communicationClass(word);
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
    static constexpr std::array<std::string_view, kernelClassCount> names{
        "CPU",           "GEMM",      "attention",           "elementwise",   "norm, softmax", "optimizer",
        "other compute", "AllReduce", "AllGather",           "ReduceScatter", "AllToAll",      "Send/Recv",
        "Broadcast",     "Reduce",    "other communication", "copy",          "memset"};
    return names[static_cast<std::size_t>(c)];
}

} // namespace collscope
