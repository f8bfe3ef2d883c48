// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/operators/operator_work_families.h"

namespace collscope {

namespace {

/// Positions of the inputs of a convolution. The weights follow the input.
struct ConvolutionCall
{
    std::string_view name;
    std::size_t input, bias, stride, padding, dilation, groups;
    bool isTransposed = false; ///< if no flag states it
    std::size_t transposed = noInput; ///< the flag
    std::size_t outputPadding = noInput;
    std::size_t mask = noInput; ///< backward: which gradients are wanted (input, weights, bias)
};
/// aten::convolution calls one of the operators listed after it, which launches the kernels and therefore has
/// the row.
constexpr ConvolutionCall convolutionCalls[]
    = {{"aten::convolution", 0, 2, 3, 4, 5, 8, false, 6, 7},
       {"aten::_convolution", 0, 2, 3, 4, 5, 8, false, 6, 7},
       {"aten::cudnn_convolution", 0, noInput, 3, 2, 4, 5},
       {"aten::cudnn_convolution_transpose", 0, noInput, 4, 2, 5, 6, true, noInput, 3},
       {"aten::miopen_convolution", 0, 2, 4, 3, 5, 6},
       {"aten::miopen_convolution_transpose", 0, 2, 5, 3, 6, 7, true, noInput, 4},
       {"aten::_conv_depthwise2d", 0, 3, 4, 5, 6, noInput},
       {"aten::conv_depthwise3d", 0, 3, 4, 5, 6, noInput},
       {"aten::convolution_backward", 1, noInput, 4, 5, 6, 9, false, 7, 8, 10}};

/// How the filter moves, for each spatial dimension.
struct FilterSteps
{
    TensorShape stride, padding, dilation, outputPadding;
};

/// Whether the sizes are small enough to multiply two of them without overflow; real image and filter
/// dimensions are.
bool areShort(const TensorShape& sizes)
{
    return std::all_of(sizes.begin(), sizes.end(), [](std::int64_t size) { return size <= 1 << 30; });
}

/// One number applies to all dimensions; a position that the operator does not have is `without`.
std::optional<TensorShape> forEachDimension(const CallInputs& inputs, std::size_t place,
                                            std::size_t dimensions, std::int64_t without)
{
    if (place == noInput)
        return TensorShape(dimensions, without);
    auto numbers = inputs.numbers(place);
    if (numbers && numbers->size() == 1)
        numbers->resize(dimensions, numbers->front());
    return numbers && numbers->size() == dimensions && areShort(*numbers) ? numbers : std::nullopt;
}

std::optional<FilterSteps> filterSteps(const ConvolutionCall& call, const CallInputs& inputs,
                                       std::size_t dimensions)
{
    auto stride = forEachDimension(inputs, call.stride, dimensions, 1);
    auto padding = forEachDimension(inputs, call.padding, dimensions, 0);
    auto dilation = forEachDimension(inputs, call.dilation, dimensions, 1);
    auto output = forEachDimension(inputs, call.outputPadding, dimensions, 0);
    const auto isLess
        = [](std::int64_t least) { return [least](std::int64_t step) { return step < least; }; };
    if (!stride || !padding || !dilation || !output || std::any_of(stride->begin(), stride->end(), isLess(1))
        || std::any_of(padding->begin(), padding->end(), isLess(0))
        || std::any_of(dilation->begin(), dilation->end(), isLess(1))
        || std::any_of(output->begin(), output->end(), isLess(0)))
        return std::nullopt;
    return FilterSteps{*stride, *padding, *dilation, *output};
}

/// The shape of the result (PyTorch's documentation of Conv2d and ConvTranspose2d); nullopt if it does not
/// exist.
std::optional<TensorShape> resultShape(const TensorShape& x, const TensorShape& w, const FilterSteps& steps,
                                       bool isTransposed, std::int64_t groups)
{
    TensorShape out{x[0], isTransposed ? w[1] * groups : w[0]};
    for (std::size_t i = 0; i + 2 < x.size(); ++i) {
        const std::int64_t filter = steps.dilation[i] * (w[i + 2] - 1) + 1; // the span of the filter
        const std::int64_t size = isTransposed
            ? (x[i + 2] - 1) * steps.stride[i] - 2 * steps.padding[i] + filter + steps.outputPadding[i]
            : x[i + 2] + 2 * steps.padding[i] - filter;
        if (size < (isTransposed ? 1 : 0))
            return std::nullopt;
        out.push_back(isTransposed ? size : size / steps.stride[i] + 1);
    }
    return out;
}

struct ConvolutionShapes
{
    TensorShape input, weights, result;
    std::int64_t groups = 1;
    bool isTransposed = false;
    FilterSteps steps;
};

std::optional<ConvolutionShapes> convolutionShapes(const ConvolutionCall& call, const CallInputs& inputs)
{
    ConvolutionShapes shapes;
    const TensorShape& x = shapes.input = inputs.shape(call.input);
    const TensorShape& w = shapes.weights = inputs.shape(call.input + 1);
    if (x.size() < 3 || x.size() > 5 || w.size() != x.size() || elementsOf(x) == 0 || elementsOf(w) == 0
        || !areShort(x) || !areShort(w))
        return std::nullopt;
    const auto isTransposed
        = call.transposed == noInput ? std::optional(call.isTransposed) : inputs.flag(call.transposed);
    const auto groups = call.groups == noInput ? std::optional(x[1] / w[1]) : inputs.number(call.groups);
    const auto steps = filterSteps(call, inputs, x.size() - 2);
    // The first two sizes of the weights are the results and inputs of a group; the other way round if
    // transposed.
    if (!isTransposed || !groups || *groups < 1 || !areShort({*groups}) || !steps
        || x[1] != (*isTransposed ? w[0] : w[1] * *groups))
        return std::nullopt;
    auto result = resultShape(x, w, *steps, *isTransposed, *groups);
    // A backward call has the gradient of the result as an input.
    if (!result || (call.mask != noInput && inputs.shape(0) != *result))
        return std::nullopt;
    shapes.result = std::move(*result);
    shapes.groups = *groups;
    shapes.isTransposed = *isTransposed;
    shapes.steps = *steps;
    return shapes;
}

} // namespace

/// Each element of the result (transposed: of the input) meets a filter: 2 operations for each filter
/// element, and one for the bias. Input, weights and bias are read, the result is written (PyTorch,
/// torch/utils/flop_counter.py, conv_flop_count; TraceLens, perf_model.py, CONV). Backward, each wanted
/// gradient of input or weights is a convolution with the same amount of work that reads two of the three
/// tensors and writes the third; the gradient of the bias sums the gradient of the result.
std::optional<OperatorWork> convolutionWork(std::string_view name, const CallInputs& inputs)
{
    const ConvolutionCall* const call = entryOf(convolutionCalls, name);
    if (!call)
        return std::nullopt;
    const auto shapes = convolutionShapes(*call, inputs);
    const auto element = inputs.element(call->input);
    if (!shapes || !element || inputs.type(call->input) != inputs.type(call->input + 1))
        return std::nullopt;
    const bool isBackward = call->mask != noInput;
    const auto mask = isBackward ? inputs.flags(call->mask) : std::nullopt;
    if (isBackward && (!mask || mask->size() != 3))
        return std::nullopt;
    const bool hasBias = isBackward ? (*mask)[2] : inputs.hasShape(call->bias);
    const double x = elementsOf(shapes->input), w = elementsOf(shapes->weights),
                 result = elementsOf(shapes->result);
    const double convolutions = isBackward ? ((*mask)[0] ? 1 : 0) + ((*mask)[1] ? 1 : 0) : 1;
    const double filter = w / static_cast<double>(shapes->weights[0]);
    const auto channels = static_cast<double>(shapes->result[1]);
    OperatorWork work;
    work.kind = isBackward ? OperatorWork::Kind::ConvolutionBackward : OperatorWork::Kind::Convolution;
    work.flops = convolutions * 2 * (shapes->isTransposed ? x : result) * filter + (hasBias ? result : 0);
    work.bytes = static_cast<double>(element->bytes)
        * (convolutions * (x + w + result) + (hasBias ? channels + (isBackward ? result : 0) : 0));
    work.parameters = {{"convNd", "conv" + std::to_string(shapes->input.size() - 2) + "d"},
                       {"input_shape", shapeText(shapes->input)},
                       {"filter_shape", shapeText(shapes->weights)},
                       {"bias", hasBias ? 1 : 0},
                       {"stride", shapeText(shapes->steps.stride)},
                       {"padding", shapeText(shapes->steps.padding)},
                       {"dilation", shapeText(shapes->steps.dilation)},
                       {"transposed_conv", shapes->isTransposed ? 1 : 0},
                       {"output_padding", shapeText(shapes->steps.outputPadding)},
                       {"groups", shapes->groups}};
    return work;
}

} // namespace collscope
