// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/operators/operator_work_families.h"

namespace collscope {

namespace {

struct ElementwiseCall
{
    std::string_view name;
    enum class Form
    {
        OneTensor, ///< of the first tensor; the second, if present, receives the result
        TensorAndNumber, ///< a second tensor makes it a different operation
        Copy, ///< the second into the first
        TwoTensors,
        Quotient, ///< of two tensors; for whole numbers, the result type does not follow from the inputs
        TwoTensorsInPlace ///< the result is the first
    } form;
};
struct ElementwiseCalls
{
    using enum ElementwiseCall::Form;
    static constexpr ElementwiseCall all[] = {{"aten::copy", Copy},
                                              {"aten::copy_", Copy},
                                              {"aten::clamp_min", TensorAndNumber},
                                              {"aten::clamp_min_", TensorAndNumber},
                                              {"aten::clamp_max", TensorAndNumber},
                                              {"aten::clamp_max_", TensorAndNumber},
                                              {"aten::pow", TensorAndNumber},
                                              {"aten::sigmoid", OneTensor},
                                              {"aten::rsqrt", OneTensor},
                                              {"aten::silu", OneTensor},
                                              {"aten::neg", OneTensor},
                                              {"aten::add", TwoTensors},
                                              {"aten::add_", TwoTensorsInPlace},
                                              {"aten::sub", TwoTensors},
                                              {"aten::sub_", TwoTensorsInPlace},
                                              {"aten::mul", TwoTensors},
                                              {"aten::mul_", TwoTensorsInPlace},
                                              {"aten::div", Quotient},
                                              {"aten::div_", TwoTensorsInPlace},
                                              {"aten::sigmoid_backward", TwoTensors},
                                              {"aten::threshold_backward", TwoTensors}};
};

/// Result shape of an elementwise operator on two tensors; nullopt if the shapes do not match.
std::optional<TensorShape> broadcast(const TensorShape& a, const TensorShape& b)
{
    TensorShape out(std::max(a.size(), b.size()));
    for (std::size_t i = 0; i < out.size(); ++i) { // starting with the last dimension
        const std::int64_t ofA = i < a.size() ? a[a.size() - 1 - i] : 1;
        const std::int64_t ofB = i < b.size() ? b[b.size() - 1 - i] : 1;
        if (ofA != ofB && ofA != 1 && ofB != 1)
            return std::nullopt;
        out[out.size() - 1 - i] = ofA == 1 ? ofB : ofA;
    }
    return out;
}

/// Bytes per element of the result of two tensors (PyTorch, "Tensor Attributes", type promotion): the higher
/// class wins; within a class a tensor with dimensions wins over one without, then the longer type. nullopt
/// if the program's default types decide, or a third type.
std::optional<std::int64_t> resultBytes(const ElementType& a, bool aHasShape, const ElementType& b,
                                        bool bHasShape)
{
    if (aHasShape != bHasShape) {
        const ElementType &tensor = aHasShape ? a : b, &single = aHasShape ? b : a;
        return single.numbers > tensor.numbers ? std::nullopt : std::optional(tensor.bytes);
    }
    if (a.numbers != b.numbers)
        return a.numbers > b.numbers ? a.bytes : b.bytes;
    if (a.name != b.name && a.bytes == b.bytes)
        return std::nullopt; // Half and BFloat16 yield float
    return std::max(a.bytes, b.bytes);
}

std::optional<OperatorWork> binaryWork(const ElementwiseCall& call, const CallInputs& inputs)
{
    using enum ElementwiseCall::Form;
    const auto first = inputs.element(0), second = inputs.element(1);
    const auto out = broadcast(inputs.shape(0), inputs.shape(1));
    if (!first || !second || !out)
        return std::nullopt;
    const bool isWhole = first->numbers != NumberClass::Floating && second->numbers != NumberClass::Floating;
    if (call.form == Quotient && isWhole)
        return std::nullopt;
    const auto bytes = call.form == TwoTensorsInPlace
        ? std::optional(first->bytes)
        : resultBytes(*first, inputs.hasShape(0), *second, inputs.hasShape(1));
    const double elements = elementsOf(*out);
    if (!bytes || elements == 0 || elements > mostElements)
        return std::nullopt;
    OperatorWork work;
    work.kind = OperatorWork::Kind::Binary;
    work.flops = elements;
    work.bytes = elementsOf(inputs.shape(0)) * static_cast<double>(first->bytes)
        + elementsOf(inputs.shape(1)) * static_cast<double>(second->bytes)
        + elements * static_cast<double>(*bytes);
    work.parameters = {{"elements", static_cast<std::int64_t>(elements)}};
    return work;
}

std::optional<OperatorWork> unaryWork(const ElementwiseCall& call, const CallInputs& inputs)
{
    using enum ElementwiseCall::Form;
    const auto first = inputs.element(0), second = inputs.element(1);
    if (!first || (call.form == Copy && !second) || (call.form == TensorAndNumber && second))
        return std::nullopt;
    const double elements = elementsOf(inputs.shape(0));
    if (elements == 0)
        return std::nullopt;
    const double others = call.form == Copy ? elementsOf(inputs.shape(1)) : elements;
    OperatorWork work;
    work.kind = OperatorWork::Kind::Unary;
    work.flops = elements;
    work.bytes = elements * static_cast<double>(first->bytes)
        + others * static_cast<double>(second ? second->bytes : first->bytes);
    work.parameters = {{"op_shape", shapeText(inputs.shape(0))}};
    return work;
}

} // namespace

/// One operation for each element of the result, including copies, which compute nothing: TraceLens counts
/// this way (perf_model.py, UnaryElementwise, BinaryElementwise). Each input is read in its original size,
/// before it is broadcast to the shape of the result, and the result is written.
std::optional<OperatorWork> elementwiseWork(std::string_view name, const CallInputs& inputs)
{
    const ElementwiseCall* const call = entryOf(ElementwiseCalls::all, name);
    if (!call)
        return std::nullopt;
    using enum ElementwiseCall::Form;
    const bool isUnary = call->form == OneTensor || call->form == TensorAndNumber || call->form == Copy;
    return isUnary ? unaryWork(*call, inputs) : binaryWork(*call, inputs);
}

} // namespace collscope
