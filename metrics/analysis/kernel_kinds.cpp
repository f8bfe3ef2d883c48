// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/analysis/kernel_kinds.h"

#include "model/text/lower_case.h"

#include <algorithm>
#include <initializer_list>

namespace collscope {

namespace {

bool hasInOrder(const std::string& text, std::string_view first, std::string_view second)
{
    const std::size_t at = text.find(first);
    return at != std::string::npos && text.find(second, at + first.size()) != std::string::npos;
}

/// Whether the text contains "reduce" other than as the start of "reducescatter".
bool reduces(const std::string& text)
{
    constexpr std::string_view word = "reduce";
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        if (text.compare(at + word.size(), 7, "scatter") != 0)
            return true;
    }
    return false;
}

KernelKind kindOfLower(const std::string& name)
{
    if (holdsAnyOf(name, {"memcpy", "memset", "copy_kernel", "catarray"}))
        return KernelKind::Copy;
    if (holdsAnyOf(name, {"fused_moe", "moe_", "expert", "grouped_gemm"})
        || hasInOrder(name, "permute", "token"))
        return KernelKind::MixtureOfExperts;
    if (holdsAnyOf(name, {"flash", "fmha", "attention", "sdpa", "paged"}))
        return KernelKind::Attention;
    if (holdsAnyOf(
            name,
            {"gemm", "cutlass", "cublas", "matmul", "nvjet", "xmma", "wgmma", "s16816", "cijk", "triton_mm"}))
        return KernelKind::Gemm;
    if (holdsAnyOf(name,
                   {"layernorm", "layer_norm", "rmsnorm", "rms_norm", "batchnorm", "batch_norm", "bn_"}))
        return KernelKind::Norm;
    if (holdsAnyOf(name, {"softmax"}))
        return KernelKind::Softmax;
    if (holdsAnyOf(name, {"adam", "multi_tensor_apply", "foreach"}))
        return KernelKind::Optimizer;
    if (holdsAnyOf(name, {"embedding", "index", "gather", "scatter"}))
        return KernelKind::Embedding;
    if (reduces(name))
        return KernelKind::Reduction;
    if (holdsAnyOf(name, {"elementwise", "pointwise", "vectorized", "triton_poi"}))
        return KernelKind::Elementwise;
    return holdsAnyOf(name, {"triton"}) ? KernelKind::Triton : KernelKind::Other;
}

} // namespace

std::string_view kernelKindName(KernelKind kind)
{
    static constexpr std::array<std::string_view, kernelKindCount> names{
        "communication", "copy",      "moe",       "attention",   "gemm",   "norm", "softmax",
        "optimizer",     "embedding", "reduction", "elementwise", "triton", "other"};
    return names[static_cast<std::size_t>(kind)];
}

KernelKind computeKindOf(std::string_view kernelName)
{
    return kindOfLower(lowered(kernelName));
}

bool routesTokens(std::string_view kernelName)
{
    const std::string name = lowered(kernelName);
    return holdsAnyOf(name,
                      {"align", "topk", "top_k", "gating", "gate_", "rout", "permute", "dispatch", "combine",
                       "sort", "moe_sum", "count", "cumsum"});
}

KernelKind KernelNames::kindOf(StringId name)
{
    const auto [at, isNew] = m_kinds.try_emplace(name.value, KernelKind::Other);
    if (isNew)
        at->second = computeKindOf(m_model.text(name));
    return at->second;
}

NamedKernels KernelNames::named(const NameBreakdown& work)
{
    const KernelKind compute = kindOf(work.name);
    return {m_model.text(work.name), work.communicationNs > work.ns / 2 ? KernelKind::Communication : compute,
            compute, work};
}

std::vector<NamedKernels> KernelNames::pool(std::span<const RankKernels> ranks)
{
    std::vector<NamedKernels> names;
    std::unordered_map<std::uint32_t, std::size_t> place;
    for (const RankKernels& rank : ranks) {
        for (const NameBreakdown& work : rank.names) {
            const auto [at, isNew] = place.try_emplace(work.name.value, names.size());
            if (isNew)
                names.push_back({m_model.text(work.name), KernelKind::Other, kindOf(work.name), {work.name}});
            NameBreakdown& sum = names[at->second].work;
            sum.ns += work.ns;
            sum.communicationNs += work.communicationNs;
            sum.calls += work.calls;
        }
    }
    for (NamedKernels& kernels : names)
        kernels.kind = kernels.work.communicationNs > kernels.work.ns / 2 ? KernelKind::Communication
                                                                          : kernels.computeKind;
    std::sort(names.begin(), names.end(), [](const NamedKernels& a, const NamedKernels& b) {
        return a.work.ns != b.work.ns ? a.work.ns > b.work.ns : a.name < b.name;
    });
    return names;
}

namespace {

void add(const NamedKernels& kernels, WorkOfKinds& table)
{
    table[static_cast<std::size_t>(KernelKind::Communication)].ns += kernels.work.communicationNs;
    table[static_cast<std::size_t>(kernels.computeKind)].ns += kernels.work.ns - kernels.work.communicationNs;
    table[static_cast<std::size_t>(kernels.kind)].calls += kernels.work.calls;
}

} // namespace

WorkOfKinds KernelNames::kindsOf(const RankKernels& rank)
{
    WorkOfKinds table{};
    for (const NameBreakdown& work : rank.names)
        add(named(work), table);
    return table;
}

PooledKernels& pooledKernels(Analysis& analysis)
{
    return analysis.table<PooledKernels>([&] {
        PooledKernels pooled{KernelNames(analysis.model()), {}, {}};
        pooled.names = pooled.known.pool(analysis.kernels());
        pooled.kinds = sumByKind(pooled.names);
        return pooled;
    });
}

std::int64_t untoldNs(const WorkOfKinds& table)
{
    return table[static_cast<std::size_t>(KernelKind::Other)].ns
        + table[static_cast<std::size_t>(KernelKind::Triton)].ns;
}

bool namesTellKinds(const WorkOfKinds& table)
{
    std::int64_t computeNs = 0;
    for (const KindWork& kind : table)
        computeNs += kind.ns;
    computeNs -= table[static_cast<std::size_t>(KernelKind::Communication)].ns;
    return 2 * untoldNs(table) <= computeNs;
}

WorkOfKinds sumByKind(const std::vector<NamedKernels>& names)
{
    WorkOfKinds table{};
    for (const NamedKernels& kernels : names)
        add(kernels, table);
    return table;
}

} // namespace collscope
