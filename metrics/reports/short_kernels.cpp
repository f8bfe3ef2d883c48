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
    struct Bin
    {
        double beginUs, endUs;
        std::int64_t count;
    };
    std::vector<Bin> bins;
    const auto sheet = [&bins] {
        return sheetOf<Bin>("short_kernel_histogram",
                            {{"bin_start", [](const Bin& bin) { return Value(bin.beginUs); }},
                             {"bin_end", [](const Bin& bin) { return Value(bin.endUs); }},
                             {"count", [](const Bin& bin) { return Value(bin.count); }}},
                            bins);
    };
    if (m_durationsNs.empty())
        return sheet();
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
        bins.push_back({edgeUs(bin), edgeUs(bin + 1), counts[static_cast<std::size_t>(bin)]});
    return sheet();
}

Sheet ShortKernels::summarySheet(std::int64_t totalNs) const
{
    using Row = decltype(m_sums)::value_type;
    std::vector<SheetColumn<Row>> columns{
        {"Kernel name", [](const Row& row) { return Value(row.first.second); }},
        {"Short Kernel duration (µs) sum", [](const Row& row) { return Value(nsToUs(row.second.ns)); }},
        {"Short Kernel count", [](const Row& row) { return Value(row.second.count); }},
        {"Short Kernel duration (µs) mean",
         [](const Row& row) { return Value(nsToUs(row.second.ns) / static_cast<double>(row.second.count)); }},
        {"Short Kernel duration (µs) percent of total time",
         [&](const Row& row) { return percentCell(row.second.ns, totalNs); }}};
    if (m_hasOperators)
        columns.insert(columns.begin(),
                       {"Parent cpu_op", [](const Row& row) { return textCell(row.first.first); }});
    std::vector<const Row*> rows;
    for (const Row& row : m_sums)
        rows.push_back(&row);
    std::stable_sort(rows.begin(), rows.end(),
                     [](const Row* a, const Row* b) { return a->second.ns > b->second.ns; });
    Sheet sheet = sheetOf("short_kernels_summary", columns, std::vector<Row>());
    for (const Row* row : rows)
        addRow(columns, *row, sheet);
    return sheet;
}

} // namespace collscope
