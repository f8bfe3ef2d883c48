// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/operators/known_operators.h"

#include "metrics/operators/operator_work_families.h"

#include <cmath>
#include <initializer_list>

namespace collscope {

std::string shapeText(const TensorShape& shape)
{
    std::string text = "(";
    for (const std::int64_t size : shape)
        text += (text.size() > 1 ? ", " : "") + std::to_string(size);
    return text + (shape.size() == 1 ? ",)" : ")"); // Python's notation for one entry
}

std::optional<OperatorWork> operatorWork(std::string_view name, const OperatorInputs& inputs)
{
    const auto read = CallInputs::read(inputs);
    if (!read)
        return std::nullopt;
    for (const auto family :
         {gemmWork, attentionWork, convolutionWork, elementwiseWork, normalizationWork, reductionWork}) {
        auto work = family(name, *read);
        // A call without elements has no rate, and implausibly large values have none either.
        if (work && work->bytes > 0 && std::isfinite(work->bytes) && std::isfinite(work->flops))
            return work;
    }
    return std::nullopt;
}

} // namespace collscope
