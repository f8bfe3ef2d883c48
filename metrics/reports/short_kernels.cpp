// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/reports/short_kernels.h"

#include "model/units.h"

#include <algorithm>
#include <array>
#include <limits>

namespace collscope {

namespace {

constexpr std::int64_t binCount = 100;
/// Longer than any kernel; keeps the arithmetic of the bins within 64 bits.
constexpr std::int64_t longestNs = std::numeric_limits<std::int64_t>::max() / (2 * binCount);

} // namespace

ShortKernels::ShortKernels(const TraceModel& model, std::span<const OperatorLaunchers> files,
                           std::int64_t thresholdNs, const std::function<bool()>& cancelled)
{
    for (const OperatorLaunchers& file : files)
        m_hasOperators = m_hasOperators || file.hasOperators();
    for (const OperatorLaunchers& file : files) {
        KernelParents parents(model, file);
        forEachKernel(
            model, file.timeline(), cancelled,
            [&](SliceRef kernel, std::int64_t ns, std::int32_t /*stream*/) {
                if (ns >= std::min(thresholdNs, longestNs))
                    return;
                const StringId parent = m_hasOperators ? parents.of(kernel).name : StringId();
                Sum& sum = m_sums[{parent ? model.text(parent) : std::string_view(), model.nameOf(kernel)}];
                ++sum.count;
                sum.ns += ns;
                m_durationsNs.push_back(ns);
            });
    }
}

Sheet ShortKernels::histogramSheet() const
{
    Sheet sheet{"short_kernel_histogram", {"bin_start", "bin_end", "count"}, {}};
    if (m_durationsNs.empty())
        return sheet;
    const auto [least, most] = std::minmax_element(m_durationsNs.begin(), m_durationsNs.end());
    // If all kernels last equally long, the bins extend from half a microsecond below to half a microsecond
    // above.
    const bool areEqual = *least == *most;
    const std::int64_t beginNs = areEqual ? *least - 500 : *least;
    const std::int64_t widthNs = areEqual ? 1000 : *most - *least; // of all bins together
    std::array<std::int64_t, binCount> counts{};
    for (const std::int64_t ns : m_durationsNs) {
        // The bin between the edges begin + k * width / 100, without rounding an edge.
        const std::int64_t bin = (ns - beginNs) * binCount / widthNs;
        ++counts[static_cast<std::size_t>(std::min(bin, binCount - 1))];
    }
    const auto edgeUs = [&](std::int64_t bin) {
        return (static_cast<double>(beginNs) + static_cast<double>(widthNs * bin) / binCount) / 1e3;
    };
    for (std::int64_t bin = 0; bin < binCount; ++bin)
        sheet.rows.push_back({edgeUs(bin), edgeUs(bin + 1), counts[static_cast<std::size_t>(bin)]});
    return sheet;
}

Sheet ShortKernels::summarySheet(std::int64_t totalNs) const
{
    Sheet sheet{"short_kernels_summary",
                {"Kernel name", "Short Kernel duration (µs) sum", "Short Kernel count",
                 "Short Kernel duration (µs) mean", "Short Kernel duration (µs) percent of total time"},
                {}};
    if (m_hasOperators)
        sheet.columns.insert(sheet.columns.begin(), "Parent cpu_op");
    std::vector<decltype(m_sums)::const_pointer> rows;
    for (const auto& entry : m_sums)
        rows.push_back(&entry);
    std::stable_sort(rows.begin(), rows.end(),
                     [](const auto* a, const auto* b) { return a->second.ns > b->second.ns; });
    for (const auto* row : rows) {
        const auto& [parent, name] = row->first;
        const Sum& sum = row->second;
        Value::Array cells;
        if (m_hasOperators)
            cells.push_back(parent.empty() ? Value() : Value(parent));
        const double sumUs = nsToUs(sum.ns);
        cells.insert(
            cells.end(),
            {name, sumUs, sum.count, sumUs / static_cast<double>(sum.count), percentCell(sum.ns, totalNs)});
        sheet.rows.push_back(std::move(cells));
    }
    return sheet;
}

} // namespace collscope
