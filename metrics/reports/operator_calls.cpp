// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/reports/operator_calls.h"

#include "metrics/reports/kernel_tables.h"
#include "metrics/reports/operator_work.h"
#include "metrics/statistics.h"
#include "model/units.h"

#include <algorithm>
#include <array>
#include <map>
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

    /// Returns "", or the reason why the inputs of this file cannot be read.
    std::string add(const OperatorLaunchers& file, const OperatorInputReader& read,
                    const std::function<bool()>& cancelled)
    {
        std::map<SliceRef, OperatorInputs> inputs;
        std::vector<SliceRef> calls;
        for (const OperatorLauncher& launcher : file.all()) {
            if (launcher.isOperator && launcher.firstWork)
                calls.push_back(launcher.slice);
        }
        std::string failure = calls.empty()
            ? std::string()
            : read(file.timeline(), calls, [&](SliceRef call, OperatorInputs&& own) {
                  inputs.emplace(call,
                                 OperatorInputs{onOneLine(own.dims), onOneLine(own.types),
                                                onOneLine(own.strides), onOneLine(own.concrete)});
              });
        if (!failure.empty())
            return failure;
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

void append(Value::Array& row, const std::array<Value, 5>& cells)
{
    row.insert(row.end(), cells.begin(), cells.end());
}

/// "<column>_mean", ... for the five values of spreadOf().
void appendSpread(std::vector<std::string>& columns, const std::string& column)
{
    for (const char* figure : {"_mean", "_median", "_std", "_min", "_max"})
        columns.push_back(column + figure);
}

Value::Array keyCells(const UniqueCall& call)
{
    return {call.name,        call.category,     call.process,        call.thread,
            call.inputs.dims, call.inputs.types, call.inputs.strides, call.inputs.concrete};
}

std::vector<std::string> keyColumns()
{
    return {"name",       "op category", "process",       "thread",
            "Input Dims", "Input type",  "Input Strides", "Concrete Inputs"};
}

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

/// GFLOPS, Data Moved (MB), FLOPS/Byte, then TB/s and TFLOPS/s; empty if the work is unknown.
void appendWork(Value::Array& row, const UniqueCall& call, const std::optional<OperatorWork>& work)
{
    constexpr double mib = 1024.0 * 1024.0;
    if (!work) {
        row.resize(row.size() + 13);
        return;
    }
    row.insert(row.end(), {work->flops / 1e9, work->bytes / mib, work->flops / work->bytes});
    append(row, spreadOf(ratesOf(work->bytes, call.directUs)));
    append(row, spreadOf(ratesOf(work->flops, call.directUs)));
}

void appendWorkColumns(std::vector<std::string>& columns)
{
    columns.insert(columns.end(), {"GFLOPS", "Data Moved (MB)", "FLOPS/Byte"});
    appendSpread(columns, "TB/s");
    appendSpread(columns, "TFLOPS/s");
}

constexpr const char* kernelTime = "Kernel Time (\u00b5s)";

Sheet uniqueArgsSheet(const std::vector<const UniqueCall*>& calls, std::int64_t allNs)
{
    Sheet sheet{"ops_unique_args", keyColumns(), {}};
    sheet.columns.emplace_back("operation_count");
    for (const char* figure : {"_mean", "_median", "_std", "_min", "_max", "_sum"})
        for (const char* column : {"total_direct_kernel_time", "total_subtree_kernel_time"})
            sheet.columns.push_back(std::string(column) + figure);
    sheet.columns.insert(
        sheet.columns.end(),
        {"kernel_details_summary", "trunc_kernel_details", "Percentage (%)", "Cumulative Percentage (%)"});
    std::int64_t soFarNs = 0;
    for (const UniqueCall* call : calls) {
        Value::Array row = keyCells(*call);
        row.emplace_back(static_cast<std::int64_t>(call->directUs.size()));
        const auto direct = spreadOf(call->directUs), subtree = spreadOf(call->subtreeUs);
        for (std::size_t i = 0; i < direct.size(); ++i)
            row.insert(row.end(), {direct[i], subtree[i]});
        double subtreeUs = 0;
        for (const double us : call->subtreeUs)
            subtreeUs += us;
        soFarNs += call->directNs;
        row.insert(row.end(),
                   {nsToUs(call->directNs), subtreeUs, kernelsText(call->kernels, false),
                    kernelsText(call->kernels, true), percentCell(call->directNs, allNs),
                    percentCell(soFarNs, allNs)});
        sheet.rows.push_back(std::move(row));
    }
    return sheet;
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

Sheet unifiedSheet(const std::vector<WorkedCall>& calls, std::int64_t allNs)
{
    Sheet sheet{"unified_perf_summary", keyColumns(), {}};
    sheet.columns.emplace_back("operation_count");
    appendWorkColumns(sheet.columns);
    appendSpread(sheet.columns, kernelTime);
    sheet.columns.insert(sheet.columns.end(),
                         {std::string(kernelTime) + "_sum", "perf_params", "has_perf_model", "Percentage (%)",
                          "Cumulative Percentage (%)"});
    std::int64_t soFarNs = 0;
    for (const auto& [call, work] : calls) {
        Value::Array row = keyCells(*call);
        row.emplace_back(static_cast<std::int64_t>(call->directUs.size()));
        appendWork(row, *call, work);
        append(row, spreadOf(call->directUs));
        soFarNs += call->directNs;
        row.insert(row.end(),
                   {nsToUs(call->directNs), work ? Value(parametersText(*work)) : Value(), work.has_value(),
                    percentCell(call->directNs, allNs), percentCell(soFarNs, allNs)});
        sheet.rows.push_back(std::move(row));
    }
    return sheet;
}

/// The operators of one kind, grouped by the parameters of their work.
Sheet kindSheet(const char* name, OperatorWork::Kind kind, const std::vector<WorkedCall>& calls)
{
    Sheet sheet{name, {"name"}, {}};
    for (const auto& [call, work] : calls) {
        if (!work || work->kind != kind)
            continue;
        Value::Array row{call->name};
        for (const auto& [parameter, value] : work->parameters) {
            if (sheet.rows.empty())
                sheet.columns.push_back("param: " + std::string(parameter));
            row.push_back(value);
        }
        row.insert(row.end(), {call->inputs.dims, call->inputs.types});
        appendWork(row, *call, work);
        append(row, spreadOf(call->directUs));
        row.insert(row.end(),
                   {nsToUs(call->directNs), static_cast<std::int64_t>(call->directUs.size()),
                    kernelsText(call->kernels, true)});
        sheet.rows.push_back(std::move(row));
    }
    sheet.columns.insert(sheet.columns.end(), {"Input Dims", "Input type"});
    appendWorkColumns(sheet.columns);
    appendSpread(sheet.columns, kernelTime);
    sheet.columns.insert(sheet.columns.end(),
                         {std::string(kernelTime) + "_sum", "name_count", "trunc_kernel_details"});
    return sheet;
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
        if (const std::string failure = all.add(file, read, cancelled); !failure.empty())
            book.notes.push_back("Tables of operators by their inputs are not available: " + failure);
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
    add(uniqueArgsSheet(calls, allNs));
    add(unifiedSheet(worked, allNs));
    for (const auto& [name, kind] : kindSheets)
        add(kindSheet(name, kind, worked));
    if (!calls.empty())
        book.notes.emplace_back(
            "Work of operators: 2 B M N K operations for a matrix product, and one more for each added "
            "element; one operation per element for an elementwise operator (including copies) or a "
            "reduction; each input is read once and the output written once. Data Moved (MB) is in MiB, TB/s "
            "and TFLOPS/s are decimal.");
    return book;
}

} // namespace collscope
