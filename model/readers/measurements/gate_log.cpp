// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Gate logs of mixture-of-experts models: {"expert_loads": [[tokens per expert] per step]}.

#include "model/readers/text/measurement_text.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace collscope {

namespace {

using nlohmann::json;

Sniff sniffGateLog(std::string_view, std::string_view head)
{
    head = withoutLeadingBlanks(head);
    return head.starts_with('{') && holdsMember(head, "expert_loads", "[") ? Sniff::Yes : Sniff::No;
}

/// A number of tokens: an integer, not negative, and small enough that sums over any run stay exact.
std::optional<std::int64_t> tokens(const json& value)
{
    constexpr double largest = 1e12;
    const double number = value.is_number() ? value.get<double>() : -1;
    if (!(number >= 0) || number > largest || number != std::floor(number))
        return std::nullopt;
    return static_cast<std::int64_t>(number);
}

/// One step's loads; nullopt if the entry is not a list of token counts.
std::optional<std::vector<std::int64_t>> loadsOf(const json& entry)
{
    if (!entry.is_array() || entry.empty())
        return std::nullopt;
    std::vector<std::int64_t> loads;
    loads.reserve(entry.size());
    for (const json& value : entry) {
        const auto count = tokens(value);
        if (!count)
            return std::nullopt;
        loads.push_back(*count);
    }
    return loads;
}

Result<TraceFragment> readGateLog(const SourceFile& file, const ReadContext& context)
{
    TraceFragment fragment = fragmentOf(file, SourceKind::GateLog);
    const auto text = readText(file, context, fragment.problems);
    if (!text)
        return text.error();
    const auto strict = strictJson(withoutLeadingBlanks(*text), file.path, 0, fragment.problems);
    const json root = strict ? json::parse(*strict, nullptr, false) : json();
    const auto steps = root.is_object() ? root.find("expert_loads") : root.end();
    if (!root.is_object() || steps == root.end() || !steps->is_array())
        return Error{
            Error::Kind::Format,
            "The gate log is damaged or cut off: it does not contain a complete list \"expert_loads\".",
            file.path, 0};
    GateLog log;
    for (const json& entry : *steps) {
        auto loads = loadsOf(entry);
        if (loads && log.tokens.empty())
            log.experts = loads->size();
        if (!loads || loads->size() != log.experts) {
            fragment.problems.add(Severity::DataLoss, "bad_step", file.path, 0,
                                  "A step's expert_loads are not a list of token counts, or the list's "
                                  "length differs from the first one; the step is skipped.");
            continue;
        }
        log.tokens.push_back(std::move(*loads));
    }
    if (log.tokens.empty())
        return Error{Error::Kind::Format, "The gate log contains no step with token counts.", file.path, 0};
    fragment.measurements.gateLogs.push_back(std::move(log));
    return fragment;
}

} // namespace

extern const ReaderDescriptor gateLogReader;
const ReaderDescriptor gateLogReader{"gate_log", "Gate log of experts (JSON)", SourceKind::GateLog,
                                     sniffGateLog, readGateLog};

} // namespace collscope
