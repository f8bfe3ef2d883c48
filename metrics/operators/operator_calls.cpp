// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/operators/operator_calls.h"

#include "metrics/core/statistics.h"
#include "metrics/operators/kernel_tables.h"
#include "metrics/operators/known_operators.h"
#include "metrics/operators/operator_work.h"
#include "model/units.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

namespace collscope {

namespace {

using KernelDurations = std::map<std::pair<std::string_view, std::int32_t>, std::vector<double>>; ///< us

/// Calls of one operator with the same inputs on one thread.
struct UniqueCall
{
    std::string_view name, category, process, thread;
    OperatorInputs inputs;
    std::vector<double> directUs, subtreeUs;
    std::int64_t directNs = 0;
    KernelDurations kernels; ///< by name and stream
};
using CallKey = std::tuple<std::string_view, std::string_view, std::string_view, OperatorInputs>;

/// Mean, median, standard deviation, minimum and maximum.
std::array<Value, 5> spreadOf(const std::vector<double>& values)
{
    if (values.empty())
        return {};
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    return {meanOf(values), medianOf(values),
            values.size() > 1 ? Value(standardDeviationOf(values)) : Value(), *least, *most};
}

/// A list of objects as TraceLens prints it. `isShort`: the readable form.
std::string kernelsText(const KernelDurations& kernels, bool isShort)
{
    std::string text = "[";
    constexpr std::size_t longestShort = 64;
    for (const auto& [key, us] : kernels) {
        std::string name(key.first);
        if (isShort && name.size() > longestShort)
            name = name.substr(0, longestShort) + "...";
        double total = 0;
        for (const double duration : us)
            total += duration;
        text += (text.size() > 1 ? ", " : "") + ("{'name': '" + name)
            + "', 'stream': " + std::to_string(key.second);
        const auto add = [&](const char* figure, double value) {
            text.append(", '").append(figure).append("': ").append(numberText(value));
        };
        if (!isShort) {
            const auto [least, most] = std::minmax_element(us.begin(), us.end());
            add("count", static_cast<double>(us.size()));
            add("total_duration_us", total);
            add("mean_duration_us", meanOf(us));
            add("median_duration_us", medianOf(us));
            add("min_duration_us", *least);
            add("max_duration_us", *most);
        } else {
            add("mean_duration_us", meanOf(us));
        }
        text += "}";
    }
    return text + "]";
}

/// A call, and its work if known.
struct WorkedCall
{
    const UniqueCall* call;
    std::optional<OperatorWork> work;
};

/// The sheets of kinds of work, in the order of TraceLens.
constexpr std::pair<const char*, OperatorWork::Kind> kindSheets[]
    = {{"GEMM", OperatorWork::Kind::Gemm},
       {"SDPA_fwd", OperatorWork::Kind::Attention},
       {"SDPA_bwd", OperatorWork::Kind::AttentionBackward},
       {"CONV_fwd", OperatorWork::Kind::Convolution},
       {"CONV_bwd", OperatorWork::Kind::ConvolutionBackward},
       {"BinaryElementwise", OperatorWork::Kind::Binary},
       {"UnaryElementwise", OperatorWork::Kind::Unary},
       {"Normalization", OperatorWork::Kind::Normalization},
       {"Reduce_fwd", OperatorWork::Kind::Reduction}};

/// Collects the calls of a rank's files.
class UniqueCalls
{
public:
    explicit UniqueCalls(const TraceModel& model)
        : m_model(model)
    { }

    /// Fails if the inputs of this file cannot be read.
    Status add(const OperatorLaunchers& file, const OperatorInputReader& read,
               const std::function<bool()>& cancelled)
    {
        std::map<SliceRef, OperatorInputs> inputs;
        std::vector<SliceRef> calls;
        for (const OperatorLauncher& launcher : file.all()) {
            if (launcher.isOperator && launcher.firstWork)
                calls.push_back(launcher.slice);
        }
        const auto take = [&](SliceRef call, OperatorInputs&& own) {
            inputs.emplace(call,
                           OperatorInputs{onOneLine(own.dims), onOneLine(own.types), onOneLine(own.strides),
                                          onOneLine(own.concrete)});
        };
        if (!calls.empty()) {
            if (Status done = read(file.timeline(), calls, take); !done)
                return done;
        }
        std::map<SliceRef, UniqueCall*> byCall;
        for (const OperatorLauncher& launcher : file.all()) {
            const auto known = inputs.find(launcher.slice);
            if (known != inputs.end())
                byCall[launcher.slice] = &addCall(launcher, known->second);
        }
        addKernels(file, byCall, cancelled);
        return {};
    }

    /// The calls with the longest time first; calls with equal times in the order of their keys.
    std::vector<const UniqueCall*> longestFirst() const
    {
        std::vector<const UniqueCall*> order;
        for (const auto& [key, call] : m_calls)
            order.push_back(&call);
        std::stable_sort(order.begin(), order.end(),
                         [](const auto* a, const auto* b) { return a->directNs > b->directNs; });
        return order;
    }

private:
    UniqueCall& addCall(const OperatorLauncher& launcher, const OperatorInputs& inputs)
    {
        const Track& track = m_model.track(launcher.slice.track);
        const CallKey key{m_model.text(launcher.name), launcher.category, m_model.text(track.name), inputs};
        UniqueCall& call = m_calls[key];
        call.name = std::get<0>(key);
        call.category = launcher.category;
        call.process = m_model.text(track.pid);
        call.thread = m_model.text(track.name);
        call.inputs = inputs;
        call.directUs.push_back(nsToUs(launcher.directNs));
        call.subtreeUs.push_back(nsToUs(launcher.subtreeNs));
        call.directNs += launcher.directNs;
        return call;
    }
    void addKernels(const OperatorLaunchers& file, const std::map<SliceRef, UniqueCall*>& byCall,
                    const std::function<bool()>& cancelled)
    {
        forEachKernel(m_model, file.timeline(), cancelled,
                      [&](SliceRef kernel, std::int64_t ns, std::int32_t stream) {
                          const OperatorLauncher* const launcher = file.of(kernel);
                          const auto call = launcher ? byCall.find(launcher->slice) : byCall.end();
                          if (call != byCall.end())
                              call->second->kernels[{m_model.nameOf(kernel), stream}].push_back(nsToUs(ns));
                      });
    }

    const TraceModel& m_model;
    std::map<CallKey, UniqueCall> m_calls;
};

/// Rate of each call, in tera-units per second.
std::vector<double> ratesOf(double work, const std::vector<double>& us)
{
    std::vector<double> rates;
    for (const double duration : us) {
        if (duration > 0)
            rates.push_back(work / duration / 1e6);
    }
    return rates;
}

/// A row of any of the sheets: a call, its work if known, and the spread of its figures.
struct CallRow
{
    const UniqueCall& call;
    const OperatorWork* work;
    std::array<Value, 5> directUs, subtreeUs, bandwidths, rates;
    std::int64_t soFarNs; ///< with the rows before it
};
using CallSheetColumns = std::vector<SheetColumn<CallRow>>;

std::vector<CallRow> rowsOf(const std::vector<WorkedCall>& calls)
{
    std::vector<CallRow> rows;
    std::int64_t soFarNs = 0;
    for (const auto& [call, work] : calls) {
        soFarNs += call->directNs;
        const auto rates = [&, &us = call->directUs](double amount) { return spreadOf(ratesOf(amount, us)); };
        const std::array<Value, 5> unknown{};
        rows.push_back({*call, work ? &*work : nullptr, spreadOf(call->directUs), spreadOf(call->subtreeUs),
                        work ? rates(work->bytes) : unknown, work ? rates(work->flops) : unknown, soFarNs});
    }
    return rows;
}

void addKeys(CallSheetColumns& columns)
{
    const CallSheetColumns keys{
        {"name", [](const CallRow& row) { return Value(row.call.name); }},
        {"op category", [](const CallRow& row) { return Value(row.call.category); }},
        {"process", [](const CallRow& row) { return Value(row.call.process); }},
        {"thread", [](const CallRow& row) { return Value(row.call.thread); }},
        {"Input Dims", [](const CallRow& row) { return Value(row.call.inputs.dims); }},
        {"Input type", [](const CallRow& row) { return Value(row.call.inputs.types); }},
        {"Input Strides", [](const CallRow& row) { return Value(row.call.inputs.strides); }},
        {"Concrete Inputs", [](const CallRow& row) { return Value(row.call.inputs.concrete); }},
        {"operation_count",
         [](const CallRow& row) { return Value(static_cast<std::int64_t>(row.call.directUs.size())); }}};
    columns.insert(columns.end(), keys.begin(), keys.end());
}

using CallSpreads = std::initializer_list<std::pair<const char*, std::array<Value, 5> CallRow::*>>;

/// "<title>_mean", ... of each figure: all means, then all medians, ...
void addSpreads(CallSpreads figures, CallSheetColumns& columns)
{
    static constexpr std::array<const char*, 5> ends{"_mean", "_median", "_std", "_min", "_max"};
    for (std::size_t i = 0; i < ends.size(); ++i) {
        for (const auto& [title, figure] : figures)
            columns.push_back({title + std::string(ends[i]),
                               [i, figure = figure](const CallRow& row) { return (row.*figure)[i]; }});
    }
}

/// Work and rates; empty if the work is unknown.
void addWork(CallSheetColumns& columns)
{
    const auto add = [&](const char* title, double (*figure)(const OperatorWork& work)) {
        columns.push_back(
            {title, [figure](const CallRow& row) { return row.work ? Value(figure(*row.work)) : Value(); }});
    };
    constexpr double mib = 1024.0 * 1024.0;
    add("GFLOPS", [](const OperatorWork& work) { return work.flops / 1e9; });
    add("Data Moved (MB)", [](const OperatorWork& work) { return work.bytes / mib; });
    add("FLOPS/Byte", [](const OperatorWork& work) { return work.flops / work.bytes; });
    addSpreads({{"TB/s", &CallRow::bandwidths}}, columns);
    addSpreads({{"TFLOPS/s", &CallRow::rates}}, columns);
}

void addShares(std::int64_t allNs, CallSheetColumns& columns)
{
    columns.push_back(
        {"Percentage (%)", [allNs](const CallRow& row) { return percentCell(row.call.directNs, allNs); }});
    columns.push_back({"Cumulative Percentage (%)",
                       [allNs](const CallRow& row) { return percentCell(row.soFarNs, allNs); }});
}

constexpr const char* kernelTimeColumn = "Kernel Time (\u00b5s)";

void addKernelTime(CallSheetColumns& columns)
{
    addSpreads({{kernelTimeColumn, &CallRow::directUs}}, columns);
    columns.push_back({std::string(kernelTimeColumn) + "_sum",
                       [](const CallRow& row) { return Value(nsToUs(row.call.directNs)); }});
}

Sheet uniqueArgsSheet(const std::vector<CallRow>& rows, std::int64_t allNs)
{
    CallSheetColumns columns;
    addKeys(columns);
    addSpreads({{"total_direct_kernel_time", &CallRow::directUs},
                {"total_subtree_kernel_time", &CallRow::subtreeUs}},
               columns);
    const CallSheetColumns sums{
        {"total_direct_kernel_time_sum", [](const CallRow& row) { return Value(nsToUs(row.call.directNs)); }},
        {"total_subtree_kernel_time_sum",
         [](const CallRow& row) {
             return Value(std::accumulate(row.call.subtreeUs.begin(), row.call.subtreeUs.end(), 0.0));
         }},
        {"kernel_details_summary",
         [](const CallRow& row) { return Value(kernelsText(row.call.kernels, false)); }},
        {"trunc_kernel_details",
         [](const CallRow& row) { return Value(kernelsText(row.call.kernels, true)); }}};
    columns.insert(columns.end(), sums.begin(), sums.end());
    addShares(allNs, columns);
    return sheetOf("ops_unique_args", columns, rows);
}

/// Parameters as Python writes them: "{'M': 141, 'convNd': 'conv2d', 'stride': (1, 1)}".
std::string parametersText(const OperatorWork& work)
{
    std::string text = "{";
    for (const auto& [name, value] : work.parameters) {
        text.append(text.size() > 1 ? ", '" : "'").append(name).append("': ");
        if (const auto* const words = value.as<std::string>())
            text += words->starts_with('(') ? *words : "'" + *words + "'";
        else
            text += numberTextOf(value);
    }
    return text + "}";
}

Sheet unifiedSheet(const std::vector<CallRow>& rows, std::int64_t allNs)
{
    CallSheetColumns columns;
    addKeys(columns);
    addWork(columns);
    addKernelTime(columns);
    columns.push_back({"perf_params", [](const CallRow& row) {
                           return row.work ? Value(parametersText(*row.work)) : Value();
                       }});
    columns.push_back({"has_perf_model", [](const CallRow& row) { return Value(row.work != nullptr); }});
    addShares(allNs, columns);
    return sheetOf("unified_perf_summary", columns, rows);
}

/// The operators of one kind, grouped by the parameters of their work.
Sheet kindSheet(const char* name, OperatorWork::Kind kind, const std::vector<CallRow>& all)
{
    std::vector<CallRow> rows;
    std::copy_if(all.begin(), all.end(), std::back_inserter(rows),
                 [kind](const CallRow& row) { return row.work && row.work->kind == kind; });
    CallSheetColumns columns{{"name", [](const CallRow& row) { return Value(row.call.name); }}};
    for (std::size_t i = 0; !rows.empty() && i < rows.front().work->parameters.size(); ++i)
        columns.push_back({"param: " + std::string(rows.front().work->parameters[i].first),
                           [i](const CallRow& row) { return row.work->parameters[i].second; }});
    columns.push_back({"Input Dims", [](const CallRow& row) { return Value(row.call.inputs.dims); }});
    columns.push_back({"Input type", [](const CallRow& row) { return Value(row.call.inputs.types); }});
    addWork(columns);
    addKernelTime(columns);
    columns.push_back({"name_count", [](const CallRow& row) {
                           return Value(static_cast<std::int64_t>(row.call.directUs.size()));
                       }});
    columns.push_back({"trunc_kernel_details",
                       [](const CallRow& row) { return Value(kernelsText(row.call.kernels, true)); }});
    return sheetOf(name, columns, rows);
}

} // namespace

Workbook operatorCallSheets(const TraceModel& model, std::span<const OperatorLaunchers> files,
                            const OperatorInputReader& read, std::size_t most,
                            const std::function<bool()>& cancelled)
{
    Workbook book;
    UniqueCalls all(model);
    std::int64_t allNs = 0;
    for (const OperatorLaunchers& file : files) {
        for (const OperatorLauncher& launcher : file.all())
            allNs += launcher.directNs;
        if (const Status added = all.add(file, read, cancelled); !added)
            book.notes.push_back("Tables of operators by their inputs are not available: "
                                 + added.error().message);
    }
    if (cancelled() || !book.notes.empty())
        return book;
    std::vector<const UniqueCall*> calls = all.longestFirst();
    if (most != 0 && calls.size() > most) {
        book.notes.push_back(
            "ops_unique_args and the related tables list " + std::to_string(most) + " of "
            + std::to_string(calls.size())
            + " combinations of operator and inputs: those with the longest time on the GPU.");
        calls.resize(most);
    }
    std::vector<WorkedCall> worked;
    worked.reserve(calls.size());
    for (const UniqueCall* call : calls)
        worked.push_back({call, operatorWork(call->name, call->inputs)});
    const auto add = [&book](Sheet&& sheet) {
        if (!sheet.isEmpty())
            book.sheets.push_back(std::move(sheet));
    };
    const std::vector<CallRow> rows = rowsOf(worked);
    add(uniqueArgsSheet(rows, allNs));
    add(unifiedSheet(rows, allNs));
    for (const auto& [name, kind] : kindSheets)
        add(kindSheet(name, kind, rows));
    if (!calls.empty())
        book.notes.emplace_back(
            "Work of operators: 2 B M N K operations for a matrix product, and one more for each added "
            "element; one operation per element for an elementwise operator (including copies) or a "
            "reduction; each input is read once and the output written once. Data Moved (MB) is in MiB, TB/s "
            "and TFLOPS/s are decimal.");
    return book;
}

} // namespace collscope
