// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/operators/operator_work_families.h"

#include <set>

namespace collscope {

namespace {

struct ReductionCall
{
    std::string_view name, type; ///< type: the value of the column
    enum class Over
    {
        List, ///< the dimensions in a list; all dimensions without a list
        Extreme, ///< one dimension, also writes indices; all dimensions with a single input
        Running ///< along one dimension, with a result for each element
    } over;
    bool widens; ///< whole numbers become "long int"
    std::size_t dimensions; ///< the position of the dimension or dimensions
    std::size_t resultType = noInput; ///< the position of the result type, if it can be given
    std::size_t wholeResultType = noInput; ///< the position of the result type in the form without dimensions
};
/// aten::norm and aten::linalg_norm call aten::linalg_vector_norm, which launches the kernels and has the
/// row.
struct ReductionCalls
{
    using enum ReductionCall::Over;
    static constexpr ReductionCall all[] = {{"aten::sum", "sum", List, true, 1, 3, 1},
                                            {"aten::mean", "mean", List, false, 1, 3, 1},
                                            {"aten::max", "max", Extreme, false, 1},
                                            {"aten::min", "min", Extreme, false, 1},
                                            {"aten::amax", "max", List, false, 1},
                                            {"aten::amin", "min", List, false, 1},
                                            {"aten::norm", "norm", List, false, 2, 4, 2},
                                            {"aten::linalg_norm", "norm", List, false, 2, 4},
                                            {"aten::linalg_vector_norm", "norm", List, false, 2, 4},
                                            {"aten::std", "std", List, false, 1},
                                            {"aten::var", "var", List, false, 1},
                                            {"aten::logsumexp", "logsumexp", List, false, 1},
                                            {"aten::cumsum", "cumsum", Running, true, 1, 2},
                                            {"aten::cumprod", "cumprod", Running, true, 1, 2}};
};

/// The dimensions that are reduced; all of them if the call names none. nullopt if the call does not state
/// them, names one that does not exist, or names one twice.
std::optional<std::set<std::int64_t>> reducedDimensions(const CallInputs& inputs, std::size_t place)
{
    const auto rank = static_cast<std::int64_t>(inputs.shape(0).size());
    std::set<std::int64_t> all, reduced;
    for (std::int64_t i = 0; i < rank; ++i)
        all.insert(i);
    std::vector<std::int64_t> named;
    if (const auto list = inputs.numbers(place))
        named = *list;
    else if (const auto number = inputs.number(place))
        named = {*number};
    else
        return std::nullopt;
    for (const std::int64_t one : named) {
        const std::int64_t dimension = one < 0 ? one + rank : one;
        if (rank > 0 && (!all.contains(dimension) || !reduced.insert(dimension).second))
            return std::nullopt;
    }
    return reduced.empty() ? all : reduced;
}

/// Whether the call has the form without dimensions; nullopt if its values do not show it.
std::optional<bool> isOverAll(const ReductionCall& call, const CallInputs& inputs)
{
    if (inputs.count() <= 1)
        return true;
    if (!inputs.hasValues())
        return std::nullopt;
    // max(a, b) of two tensors is not a reduction and has no number at that position.
    if (call.over != ReductionCall::Over::List)
        return inputs.number(call.dimensions) ? std::optional(false) : std::nullopt;
    const std::string_view value = inputs.value(call.dimensions);
    if (inputs.type(call.dimensions) == "ScalarList")
        return value.empty() ? std::nullopt : std::optional(false);
    return !value.starts_with('['); // another form, which has a different value at that position
}

/// Bytes per element of the result: of the type that the call requests (the numbers are those of PyTorch,
/// c10/core/ScalarType.h), else of the input type.
std::optional<std::int64_t> reductionBytes(const ReductionCall& call, bool overAll,
                                           const ElementType& element, const CallInputs& inputs)
{
    static constexpr std::pair<std::int64_t, std::int64_t> types[]
        = {{0, 1}, {1, 1}, {2, 2}, {3, 4}, {4, 8}, {5, 2}, {6, 4}, {7, 8}, {11, 1}, {15, 2}};
    const bool isWhole = overAll && !inputs.value(call.wholeResultType).empty();
    const std::size_t place = isWhole ? call.wholeResultType : call.resultType;
    if (!inputs.value(place).empty()) {
        const auto asked = inputs.number(place);
        for (const auto& [type, bytes] : types) {
            if (asked == type)
                return bytes;
        }
        return std::nullopt;
    }
    return call.widens && element.numbers != NumberClass::Floating ? 8 : element.bytes;
}

} // namespace

/// One operation for each element that is read. The input is read and the result is written; a maximum or
/// minimum along a dimension also writes its indices, 8 bytes each (TraceLens, perf_model.py, Reduce; there
/// the result always counts as one element, because TraceLens does not read the dimensions from a trace).
std::optional<OperatorWork> reductionWork(std::string_view name, const CallInputs& inputs)
{
    const ReductionCall* const call = entryOf(ReductionCalls::all, name);
    if (!call)
        return std::nullopt;
    const auto element = inputs.element(0);
    const auto overAll = isOverAll(*call, inputs);
    if (!element || !overAll)
        return std::nullopt;
    const auto bytes = reductionBytes(*call, *overAll, *element, inputs);
    const double elements = elementsOf(inputs.shape(0));
    double results = 1;
    if (!*overAll) {
        const auto reduced = reducedDimensions(inputs, call->dimensions);
        if (!reduced)
            return std::nullopt;
        for (std::size_t i = 0; i < inputs.shape(0).size(); ++i) {
            if (call->over == ReductionCall::Over::Running
                || !reduced->contains(static_cast<std::int64_t>(i)))
                results *= static_cast<double>(inputs.shape(0)[i]);
        }
    }
    if (!bytes || elements > mostElements || results > mostElements)
        return std::nullopt;
    const double places = call->over == ReductionCall::Over::Extreme && !*overAll ? results : 0;
    OperatorWork work;
    work.kind = OperatorWork::Kind::Reduction;
    work.flops = elements;
    work.bytes
        = elements * static_cast<double>(element->bytes) + results * static_cast<double>(*bytes) + 8 * places;
    work.parameters = {{"num_input_elems", static_cast<std::int64_t>(elements)},
                       {"num_output_elems", static_cast<std::int64_t>(results)},
                       {"reduce_type", call->type}};
    return work;
}

} // namespace collscope
