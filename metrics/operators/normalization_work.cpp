// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/operators/operator_work_families.h"

namespace collscope {

namespace {

/// Positions of the inputs of a normalization.
struct NormalizationCall
{
    std::string_view name;
    bool isRms; ///< by the root mean square; else by mean and deviation
    bool isBackward;
    std::size_t input, weight, bias;
    std::size_t normalized; ///< the sizes that the weights span; noInput: the second size of the input
    std::size_t training = noInput; ///< flag: statistics come from these elements; noInput: they do
    std::size_t mask = noInput; ///< backward: which gradients are wanted; noInput: all
};
constexpr NormalizationCall normalizationCalls[]
    = {{"aten::layer_norm", false, false, 0, 2, 3, 1},
       {"aten::native_layer_norm", false, false, 0, 2, 3, 1},
       {"aten::batch_norm", false, false, 0, 1, 2, noInput, 5},
       {"aten::native_batch_norm", false, false, 0, 1, 2, noInput, 5},
       {"aten::cudnn_batch_norm", false, false, 0, 1, 2, noInput, 5},
       {"aten::miopen_batch_norm", false, false, 0, 1, 2, noInput, 5},
       {"aten::instance_norm", false, false, 0, 1, 2, noInput, 5},
       {"aten::group_norm", false, false, 0, 2, 3, noInput},
       {"aten::native_group_norm", false, false, 0, 1, 2, noInput},
       {"aten::_fused_rms_norm", true, false, 0, 2, noInput, 1},
       {"aten::native_layer_norm_backward", false, true, 1, 5, 6, 2, noInput, 7},
       {"aten::native_batch_norm_backward", false, true, 1, 2, noInput, noInput, 7, 9},
       // These two are called only in training (according to native_functions.yaml).
       {"aten::cudnn_batch_norm_backward", false, true, 0, 2, noInput, noInput},
       {"aten::miopen_batch_norm_backward", false, true, 0, 2, noInput, noInput},
       {"aten::native_group_norm_backward", false, true, 1, 4, noInput, noInput, noInput, 9},
       {"aten::_fused_rms_norm_backward", true, true, 1, 4, noInput, 2, noInput, 5}};

/// Inputs of the formulas below.
struct NormalizationSizes
{
    double elements = 0; ///< n
    double channels = 0; ///< c: the length of the weights
    bool hasWeight = false, hasBias = false; ///< inputs
    bool isTraining = false; ///< the statistics are computed from these elements
    bool wantsInput = false, wantsWeight = false, wantsBias = false; ///< gradients

    /// Number of groups of elements that are normalized together.
    double norms() const { return elements / channels; }
};

struct NormalizationCost
{
    double flops = 0;
    double moved = 0; ///< elements
};

/// Scale and shift take 2 operations per element, computing the statistics 3 more (sum, difference, square),
/// and the factor and offset to apply 6 per channel (TraceLens, perf_model.py, Normalization). Input, mean,
/// variance and weights are read and the output is written; in training, mean and variance are written too.
/// As in TraceLens, mean and variance count with the length of the weights.
NormalizationCost momentsForward(const NormalizationSizes& of)
{
    const double vectors
        = 2 + (of.hasWeight ? 1 : 0) + (of.hasWeight && of.hasBias ? 1 : 0) + (of.isTraining ? 2 : 0);
    return {(of.isTraining ? 5 : 2) * of.elements + 6 * of.channels, 2 * of.elements + vectors * of.channels};
}

/// The sums of the gradient and of its product with the normalized input take 4 operations per element. The
/// gradient of the input takes 5 more, or 2 if the statistics are fixed and do not depend on it; in that
/// case, the inverse of the deviation takes 3 per weight (TraceLens, perf_model.py, Normalization,
/// flops_func_bwd; TraceLens treats every batch norm as one in training that wants all gradients, for which
/// the numbers are the same). The gradient of the output, the input, the inverse deviation and the weights
/// are read, the wanted gradients are written.
NormalizationCost momentsBackward(const NormalizationSizes& of)
{
    const double forInput = of.wantsInput ? (of.isTraining ? 5 : 2) : 0;
    const double vectors = 1 + (of.hasWeight ? 1 : 0) + (of.wantsWeight ? 1 : 0) + (of.wantsBias ? 1 : 0);
    return {(4 + forInput) * of.elements + (of.isTraining ? 0 : 3 * of.channels),
            (of.wantsInput ? 3 : 2) * of.elements + vectors * of.channels};
}

/// Square and sum of each element, 2 operations per norm to take the root, then a product of each element
/// with the root, and one with its weight (TraceLens, perf_model.py, RMSNorm). Input and weights are read,
/// the output is written.
NormalizationCost rmsForward(const NormalizationSizes& of)
{
    const double forEach = of.hasWeight ? 4 : 3;
    return {forEach * of.elements + 2 * of.norms(), 2 * of.elements + (of.hasWeight ? of.channels : 0)};
}

/// Normalizing the input again takes 1 operation per element, the gradient times the weight 1, the gradient
/// of the input from their product 6, and the gradient of the weights 1, plus 1 to sum over the norms if
/// there are several (TraceLens, perf_model.py, RMSNormBwd). Gradient of the output, input and weights are
/// read, the wanted gradients are written.
NormalizationCost rmsBackward(const NormalizationSizes& of)
{
    const bool weights = of.wantsWeight && of.hasWeight;
    const double forEach
        = 1 + (of.hasWeight ? 1 : 0) + (of.wantsInput ? 6 : 0) + (weights ? (of.norms() > 1 ? 2 : 1) : 0);
    const double vectors = (of.hasWeight ? 1 : 0) + (weights ? 1 : 0);
    return {forEach * of.elements, (of.wantsInput ? 3 : 2) * of.elements + vectors * of.channels};
}

std::optional<NormalizationSizes> normalizationSizes(const NormalizationCall& call, const CallInputs& inputs)
{
    NormalizationSizes sizes;
    const TensorShape& input = inputs.shape(call.input);
    sizes.elements = elementsOf(input);
    if (call.normalized != noInput) {
        // The sizes of the last dimensions of the input.
        const auto normalized = inputs.numbers(call.normalized);
        if (!normalized || normalized->empty() || normalized->size() > input.size()
            || !std::equal(normalized->rbegin(), normalized->rend(), input.rbegin()))
            return std::nullopt;
        sizes.channels = elementsOf(*normalized);
    } else if (input.size() >= 2) {
        sizes.channels = static_cast<double>(input[1]);
    }
    if (sizes.elements <= 0 || sizes.channels <= 0 || sizes.elements > mostElements)
        return std::nullopt;
    const auto training = call.training == noInput ? std::optional(true) : inputs.flag(call.training);
    const auto mask
        = call.mask == noInput ? std::optional(std::vector<bool>(3, true)) : inputs.flags(call.mask);
    if (!training || !mask || mask->size() < 2)
        return std::nullopt;
    sizes.hasWeight = inputs.hasShape(call.weight);
    sizes.hasBias = inputs.hasShape(call.bias);
    sizes.isTraining = *training;
    sizes.wantsInput = (*mask)[0];
    sizes.wantsWeight = (*mask)[1];
    sizes.wantsBias = mask->size() > 2 && (*mask)[2];
    return sizes;
}

} // namespace

/// All tensors are counted with the element size of the input.
std::optional<OperatorWork> normalizationWork(std::string_view name, const CallInputs& inputs)
{
    const NormalizationCall* const call = entryOf(normalizationCalls, name);
    if (!call)
        return std::nullopt;
    const auto element = inputs.element(call->input);
    const auto sizes = normalizationSizes(*call, inputs);
    if (!element || !sizes)
        return std::nullopt;
    using Formula = NormalizationCost (*)(const NormalizationSizes&);
    static constexpr Formula formulas[2][2] = {{momentsForward, momentsBackward}, {rmsForward, rmsBackward}};
    const NormalizationCost cost = formulas[call->isRms ? 1 : 0][call->isBackward ? 1 : 0](*sizes);
    OperatorWork work;
    work.kind = OperatorWork::Kind::Normalization;
    work.flops = cost.flops;
    work.bytes = cost.moved * static_cast<double>(element->bytes);
    work.parameters = {{"op_shape", shapeText(inputs.shape(call->input))},
                       {"num_channels", static_cast<std::int64_t>(sizes->channels)},
                       {"has_bias", (call->isBackward ? sizes->wantsBias : sizes->hasBias) ? 1 : 0},
                       {"is_affine", sizes->hasWeight ? 1 : 0},
                       {"is_training", sizes->isTraining ? 1 : 0}};
    return work;
}

} // namespace collscope
