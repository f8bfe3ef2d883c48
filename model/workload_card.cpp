// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/workload_card.h"

#include <array>
#include <utility>

namespace collscope {

std::optional<std::int64_t> Parallelism::worldSize() const
{
    // Without dp_shard, the size is unknown: TorchTitan's -1 means "all remaining GPUs".
    if (!dpShard)
        return std::nullopt;
    std::int64_t product = 1;
    for (const std::optional<std::int64_t>& degree : {dpReplicate, dpShard, tp, pp, cp}) {
        if (degree && (*degree <= 0 || __builtin_mul_overflow(product, *degree, &product)))
            return std::nullopt;
    }
    return product;
}

void Parallelism::take(const Parallelism& other)
{
    for (const auto degree :
         {&Parallelism::dpReplicate, &Parallelism::dpShard, &Parallelism::tp, &Parallelism::pp,
          &Parallelism::cp, &Parallelism::ep, &Parallelism::microBatches}) {
        if (other.*degree)
            this->*degree = other.*degree;
    }
}

std::string Parallelism::label() const
{
    const std::int64_t dp
        = Parallelism{dpReplicate, dpShard.value_or(1), {}, {}, {}, {}, {}}.worldSize().value_or(1);
    const std::array<std::pair<std::string_view, std::int64_t>, 5> parts{{{"TP", tp.value_or(1)},
                                                                          {"PP", pp.value_or(1)},
                                                                          {"CP", cp.value_or(1)},
                                                                          {"EP", ep.value_or(1)},
                                                                          {"DP", dp}}};
    std::string label;
    for (const auto& [name, degree] : parts) {
        if (degree <= 1)
            continue;
        if (!label.empty())
            label += ' ';
        label.append(name).append(std::to_string(degree));
    }
    return label;
}

} // namespace collscope
