// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/reports/kernel_tables.h"

#include "model/lower_case.h"
#include "model/units.h"

#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <tuple>

namespace collscope {

namespace {

/// The entries of a table, largest time first; entries with equal times keep the order of their keys.
template<typename Map, typename TimeOf>
std::vector<const typename Map::value_type*> longestFirst(const Map& table, const TimeOf& timeOf)
{
    std::vector<const typename Map::value_type*> rows;
    rows.reserve(table.size());
    for (const auto& entry : table)
        rows.push_back(&entry);
    std::stable_sort(rows.begin(), rows.end(),
                     [&](const auto* a, const auto* b) { return timeOf(a->second) > timeOf(b->second); });
    return rows;
}

/// Calls f for each launcher that launched work itself.
template<typename F>
void forEachLauncher(std::span<const OperatorLaunchers> files, const F& f)
{
    for (const OperatorLaunchers& file : files) {
        for (const OperatorLauncher& launcher : file.all()) {
            if (launcher.firstWork)
                f(launcher);
        }
    }
}

/// A list as TraceLens prints it: ['elementwise', 'other'].
std::string listText(const std::set<std::string_view>& words)
{
    std::string text = "[";
    for (const std::string_view word : words)
        text.append(text.size() > 1 ? ", '" : "'").append(word).append("'");
    return text + "]";
}

bool namesGraphLaunch(std::string_view name)
{
    const std::string lower = lowered(name);
    return lower.find("cudagraph") != std::string::npos || lower.find("graphlaunch") != std::string::npos;
}

} // namespace

KernelParent KernelParents::of(SliceRef kernel)
{
    const OperatorLauncher* const launcher = m_launchers.of(kernel);
    if (!launcher)
        return {};
    if (launcher->isOperator)
        return {launcher->category, launcher->name};
    const auto [known, isNew] = m_graphNames.try_emplace(launcher->name, false);
    if (isNew)
        known->second = namesGraphLaunch(m_model.text(launcher->name));
    return {known->second ? "graph" : "runtime", launcher->name};
}

void forEachKernel(const TraceModel& model, const Timeline& timeline, const std::function<bool()>& cancelled,
                   const std::function<void(SliceRef kernel, std::int64_t ns, std::int32_t stream)>& f)
{
    for (const TrackId id : timeline.tracks) {
        const Track& track = model.track(id);
        if (track.kind != TrackKind::GpuStream)
            continue;
        for (std::uint32_t row = 0; row < track.slices.size(); ++row) {
            if ((row & 0xFFFFu) == 0 && cancelled())
                return;
            if (track.slices.category[row] == SliceCategory::Kernel)
                f({id, row}, track.slices.durationNs[row], track.stream);
        }
    }
}

Value percentCell(std::int64_t part, std::int64_t whole)
{
    return whole != 0 ? Value(100.0 * static_cast<double>(part) / static_cast<double>(whole)) : Value();
}

Sheet operatorCategorySheet(std::span<const OperatorLaunchers> files)
{
    struct Sum
    {
        std::int64_t count = 0;
        std::int64_t directNs = 0;
    };
    std::map<std::string_view, Sum> categories;
    std::int64_t allNs = 0;
    forEachLauncher(files, [&](const OperatorLauncher& launcher) {
        Sum& sum = categories[launcher.category];
        ++sum.count;
        sum.directNs += launcher.directNs;
        allNs += launcher.directNs;
    });
    Sheet sheet{"ops_summary_by_category",
                {"op category", "Count", "total_direct_kernel_time_ms", "Percentage (%)",
                 "Cumulative Percentage (%)"},
                {}};
    std::int64_t soFarNs = 0;
    for (const auto* row : longestFirst(categories, [](const Sum& sum) { return sum.directNs; })) {
        const auto& [category, sum] = *row;
        soFarNs += sum.directNs;
        sheet.rows.push_back({category, sum.count, nsToMs(sum.directNs), percentCell(sum.directNs, allNs),
                              percentCell(soFarNs, allNs)});
    }
    return sheet;
}

Sheet operatorSheet(const TraceModel& model, std::span<const OperatorLaunchers> files, std::size_t most)
{
    struct Sum
    {
        std::int64_t count = 0;
        std::int64_t directNs = 0, subtreeNs = 0;
        std::set<std::string_view> categories;
    };
    std::map<std::string_view, Sum> operators;
    std::int64_t allNs = 0;
    forEachLauncher(files, [&](const OperatorLauncher& launcher) {
        Sum& sum = operators[model.text(launcher.name)];
        ++sum.count;
        sum.directNs += launcher.directNs;
        sum.subtreeNs += launcher.subtreeNs;
        sum.categories.insert(launcher.category);
        allNs += launcher.directNs;
    });
    Sheet sheet{"ops_summary",
                {"name", "total_direct_kernel_time_sum", "total_subtree_kernel_time_sum",
                 "total_direct_kernel_time_ms", "total_subtree_kernel_time_ms", "Count", "Categories",
                 "Percentage (%)", "Cumulative Percentage (%)"},
                {}};
    std::int64_t soFarNs = 0;
    for (const auto* row : longestFirst(operators, [](const Sum& sum) { return sum.directNs; })) {
        if (most != 0 && sheet.rows.size() == most)
            break;
        const auto& [name, sum] = *row;
        soFarNs += sum.directNs;
        sheet.rows.push_back({name, nsToUs(sum.directNs), nsToUs(sum.subtreeNs), nsToMs(sum.directNs),
                              nsToMs(sum.subtreeNs), sum.count, listText(sum.categories),
                              percentCell(sum.directNs, allNs), percentCell(soFarNs, allNs)});
    }
    return sheet;
}

Sheet kernelSheet(const TraceModel& model, std::span<const OperatorLaunchers> files, std::int64_t totalNs,
                  const std::function<bool()>& cancelled)
{
    struct Sum
    {
        std::int64_t count = 0, ns = 0;
        std::int64_t minNs = std::numeric_limits<std::int64_t>::max(), maxNs = 0;
    };
    using Key = std::tuple<std::string_view, std::string_view, std::string_view, std::int32_t>;
    const bool hasOperators = std::any_of(files.begin(), files.end(),
                                          [](const OperatorLaunchers& file) { return file.hasOperators(); });
    std::map<Key, Sum> kernels;
    std::int64_t allNs = 0;
    const auto text = [&](StringId id) { return id ? model.text(id) : std::string_view(); };
    for (const OperatorLaunchers& file : files) {
        KernelParents parents(model, file);
        forEachKernel(
            model, file.timeline(), cancelled, [&](SliceRef kernel, std::int64_t ns, std::int32_t stream) {
                const KernelParent parent = parents.of(kernel);
                Sum& sum = kernels[{parent.category, hasOperators ? text(parent.name) : std::string_view(),
                                    model.nameOf(kernel), stream}];
                ++sum.count;
                sum.ns += ns;
                sum.minNs = std::min(sum.minNs, ns);
                sum.maxNs = std::max(sum.maxNs, ns);
                allNs += ns;
            });
    }
    Sheet sheet{"kernel_summary",
                {"Parent op category", "Parent cpu_op", "Kernel name", "Kernel stream",
                 "Kernel duration (µs)_sum", "Kernel duration (µs)_count", "Kernel duration (µs)_mean",
                 "Kernel duration (µs)_min", "Kernel duration (µs)_max", "Percent of kernels time (%)",
                 "Percent of total time (%)"},
                {}};
    const auto known = [](std::string_view word) { return word.empty() ? Value() : Value(word); };
    for (const auto* row : longestFirst(kernels, [](const Sum& sum) { return sum.ns; })) {
        const auto& [category, parent, name, stream] = row->first;
        const Sum& sum = row->second;
        sheet.rows.push_back({known(category), known(parent), name, stream >= 0 ? Value(stream) : Value(),
                              nsToUs(sum.ns), sum.count, nsToUs(sum.ns) / static_cast<double>(sum.count),
                              nsToUs(sum.minNs), nsToUs(sum.maxNs), percentCell(sum.ns, allNs),
                              percentCell(sum.ns, totalNs)});
    }
    if (!hasOperators) {
        const std::size_t parent = *sheet.column("Parent cpu_op");
        const auto without
            = [&](auto& cells) { cells.erase(cells.begin() + static_cast<std::ptrdiff_t>(parent)); };
        without(sheet.columns);
        for (Value::Array& cells : sheet.rows)
            without(cells);
    }
    return sheet;
}

} // namespace collscope
