// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Work of matrix products, and of attention, which consists of matrix products.

#include "metrics/operators/operator_work_families.h"

namespace collscope {

namespace {

struct GemmCall
{
    std::string_view name;
    std::size_t factors; ///< the position of the first of two factors
    std::size_t added; ///< the position of the tensor added to their product
};
constexpr GemmCall gemmCalls[] = {{"aten::mm", 0, noInput},
                                  {"aten::bmm", 0, noInput},
                                  {"aten::addmm", 1, 0},
                                  {"aten::addmm_", 1, 0},
                                  {"aten::baddbmm", 1, 0}};

/// PyTorch's fused attention. Heads first: (batch, heads, length, size), else (batch, length, heads, size).
struct AttentionCall
{
    std::string_view name;
    std::size_t causal; ///< the position of the input that states it: a flag, or the kind of mask
    bool isBackward, headsFirst;
    bool isMaskKind = false; ///< 0: none; 1, 2: causal from the first or last pair of both lengths
    std::size_t packedLengths = noInput; ///< given if sequences of several lengths are packed into one batch
};
constexpr AttentionCall attentionCalls[]
    = {{"aten::_scaled_dot_product_flash_attention", 4, false, true},
       {"aten::_flash_attention_forward", 8, false, false},
       {"aten::_scaled_dot_product_efficient_attention", 6, false, true},
       {"aten::_efficient_attention_forward", 9, false, false, true, 4},
       {"aten::_scaled_dot_product_cudnn_attention", 6, false, true},
       {"flash_attn::_flash_attn_forward", 5, false, false},
       {"aten::_scaled_dot_product_flash_attention_backward", 11, true, true},
       {"aten::_flash_attention_backward", 11, true, false},
       {"aten::_scaled_dot_product_efficient_attention_backward", 11, true, true},
       {"aten::_efficient_attention_backward", 14, true, false, true, 6},
       {"aten::_scaled_dot_product_cudnn_attention_backward", 14, true, true},
       {"flash_attn::_flash_attn_backward", 11, true, false}};

std::optional<bool> isCausal(const AttentionCall& call, const CallInputs& inputs)
{
    if (!call.isMaskKind)
        return inputs.flag(call.causal);
    const auto kind = inputs.number(call.causal);
    return kind && *kind >= 0 && *kind <= 2 ? std::optional(*kind != 0) : std::nullopt;
}

} // namespace

/// A product of M x K and K x N takes 2 B M N K operations, and one more for each added element. A, B and the
/// added tensor are read, the result is written (TraceLens, perf_model.py, GEMM).
std::optional<OperatorWork> gemmWork(std::string_view name, const CallInputs& inputs)
{
    const GemmCall* const call = entryOf(gemmCalls, name);
    if (!call)
        return std::nullopt;
    const TensorShape &a = inputs.shape(call->factors), &b = inputs.shape(call->factors + 1);
    const auto element = inputs.element(call->factors);
    if (!element || inputs.type(call->factors) != inputs.type(call->factors + 1))
        return std::nullopt;
    const bool isBatch = a.size() == 3;
    if (a.size() != b.size() || (a.size() != 2 && !isBatch) || (isBatch && a[0] != b[0]))
        return std::nullopt;
    const std::size_t first = isBatch ? 1 : 0;
    const std::int64_t batch = isBatch ? a[0] : 1;
    const std::int64_t m = a[first], k = a[first + 1], n = b[first + 1];
    if (b[first] != k || batch == 0 || m == 0 || n == 0 || k == 0)
        return std::nullopt;
    const bool adds = call->added != noInput;
    const double outputs = static_cast<double>(batch) * static_cast<double>(m) * static_cast<double>(n);
    OperatorWork work;
    work.flops = 2 * outputs * static_cast<double>(k) + (adds ? outputs : 0);
    work.bytes = static_cast<double>(element->bytes)
        * (elementsOf(a) + elementsOf(b) + outputs + (adds ? elementsOf(inputs.shape(call->added)) : 0));
    work.parameters = {{"M", m}, {"N", n}, {"K", k}, {"B", batch}, {"bias", adds ? 1 : 0}};
    return work;
}

/// Each pair of a query and a key costs 2 operations for each element of a head in each matrix product; only
/// half of the pairs count if causal. The softmax is not counted. Forward: Q K^T, and P V. Backward: Q K^T
/// again, the gradients of P and V over the values, those of Q and K over the keys, which is 2.5 times the
/// work if both sizes are equal (PyTorch, torch/utils/flop_counter.py, sdpa_backward_flop_count). Q, K, V are
/// read and the output is written; backward, Q, K, V and the gradient of the output are read and the
/// gradients of Q, K, V are written (TraceLens, perf_model.py, SDPA; without the output and the statistics of
/// the softmax).
std::optional<OperatorWork> attentionWork(std::string_view name, const CallInputs& inputs)
{
    const AttentionCall* const call = entryOf(attentionCalls, name);
    if (!call)
        return std::nullopt;
    const std::size_t first = call->isBackward ? 1 : 0; // after the gradient of the output
    const TensorShape &q = inputs.shape(first), &k = inputs.shape(first + 1), &v = inputs.shape(first + 2);
    for (const TensorShape* shape : {&q, &k, &v}) {
        if (shape->size() != 4 || elementsOf(*shape) == 0)
            return std::nullopt;
    }
    const auto element = inputs.element(first);
    const auto causal = isCausal(*call, inputs);
    if (!element || inputs.type(first) != inputs.type(first + 1) || !causal
        || inputs.hasShape(call->packedLengths))
        return std::nullopt;
    const std::size_t head = call->headsFirst ? 1 : 2, length = call->headsFirst ? 2 : 1;
    const std::int64_t queries = q[length], keys = k[length], size = q[3], valueSize = v[3];
    if (v[length] != keys || k[3] != size || (*causal && queries != keys))
        return std::nullopt;
    const double pairs
        = elementsOf(q) / static_cast<double>(size) * static_cast<double>(keys) / (*causal ? 2 : 1);
    const double output = elementsOf(q) / static_cast<double>(size) * static_cast<double>(valueSize);
    const double inputElements = elementsOf(q) + elementsOf(k) + elementsOf(v);
    OperatorWork work;
    work.kind = call->isBackward ? OperatorWork::Kind::AttentionBackward : OperatorWork::Kind::Attention;
    work.flops = 2 * pairs
        * (call->isBackward ? static_cast<double>(3 * size + 2 * valueSize)
                            : static_cast<double>(size + valueSize));
    work.bytes = static_cast<double>(element->bytes) * ((call->isBackward ? 2 : 1) * inputElements + output);
    work.parameters
        = {{"B", q[0]},       {"N_Q", queries}, {"H_Q", q[head]},     {"N_KV", keys},
           {"H_KV", k[head]}, {"d_h_qk", size}, {"d_h_v", valueSize}, {"causal", *causal ? 1 : 0}};
    return work;
}

} // namespace collscope
