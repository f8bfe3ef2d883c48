// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/analysis/analysis.h"
#include "metrics/core/statistics.h"
#include "metrics/definitions/reference.h"
#include "metrics/definitions/user_metric.h"
#include "model/text/lower_case.h"
#include "model/text/needs_events.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <iterator>
#include <numeric>
#include <tuple>
#include <utility>

namespace collscope {

namespace {

/// Metric names of CCL-Bench may end with the number of the tool they belong to: "_16", "_group_6".
std::string_view withoutToolEnding(std::string_view name)
{
    const std::size_t digits = name.find_last_not_of("0123456789");
    if (digits == std::string_view::npos || digits + 1 == name.size() || name[digits] != '_')
        return name;
    std::string_view base = name.substr(0, digits);
    constexpr std::string_view group = "_group";
    if (base.ends_with(group))
        return base.substr(0, base.size() - group.size());
    return name.substr(digits + 1) == "16" ? base : name;
}

std::optional<MetricRequest> findExactly(std::string_view name)
{
    for (const MetricDescriptor& metric : allMetrics()) {
        if (metric.id == name)
            return MetricRequest{std::string(name), &metric, metric.unit, 1.0};
        for (const MetricAlias& alias : metric.aliases) {
            if (alias.id == name)
                return MetricRequest{
                    std::string(name), &metric, alias.unit.empty() ? metric.unit : alias.unit,
                    alias.factor,      nullptr, alias.details};
        }
    }
    return std::nullopt;
}

std::size_t editDistance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, changed});
        }
    }
    return row.back();
}

std::vector<std::string_view> wordsOfName(std::string_view name)
{
    std::vector<std::string_view> words;
    for (std::size_t begin = 0; begin < name.size();) {
        const std::size_t end = std::min(name.find_first_of("_-. ", begin), name.size());
        if (end > begin)
            words.push_back(name.substr(begin, end - begin));
        begin = end + 1;
    }
    return words;
}

/// Distance of a name from a misspelled one, by words. Each written word costs its distance from the nearest
/// word, at most 1; words that were omitted cost little. So "bubble_size" is near "bubble_size_pipeline",
/// although most letters of the longer name are missing.
double wordDistance(std::string_view misspelt, std::string_view name)
{
    constexpr double mostAlike = 0.5; ///< with a larger distance it is a different word
    constexpr double leftOut = 0.1;
    const std::vector<std::string_view> written = wordsOfName(misspelt);
    const std::vector<std::string_view> words = wordsOfName(name);
    double distance = leftOut * static_cast<double>(std::max(words.size(), written.size()) - written.size());
    for (const std::string_view word : written) {
        double least = 1;
        for (const std::string_view other : words) {
            const double apart = static_cast<double>(editDistance(word, other))
                / static_cast<double>(std::max(word.size(), other.size()));
            if (apart <= mostAlike)
                least = std::min(least, apart);
        }
        distance += least;
    }
    return distance;
}

} // namespace

std::string_view metricStateName(MetricState state)
{
    switch (state) {
    case MetricState::Value:
        return "value";
    case MetricState::NotApplicable:
        return "not_applicable";
    case MetricState::MissingInput:
        return "missing_input";
    case MetricState::Error:
        return "error";
    }
    return "";
}

MetricResult::MetricResult() = default;
MetricResult::MetricResult(const MetricResult& other) = default;
MetricResult::MetricResult(MetricResult&& other) noexcept = default;
MetricResult& MetricResult::operator=(const MetricResult& other) = default;
MetricResult& MetricResult::operator=(MetricResult&& other) noexcept = default;
MetricResult::~MetricResult() = default;

MetricResult MetricResult::notApplicable(std::string reason)
{
    MetricResult result;
    result.state = MetricState::NotApplicable;
    result.reason = std::move(reason);
    return result;
}

MetricResult MetricResult::missingInput(std::string reason)
{
    MetricResult result;
    result.state = MetricState::MissingInput;
    result.reason = std::move(reason);
    return result;
}

std::optional<MetricRequest> findMetric(std::string_view name)
{
    auto found = findExactly(name);
    if (!found) {
        found = findExactly(withoutToolEnding(name));
        if (found)
            found->name = name;
    }
    return found;
}

std::vector<std::string> nearestMetrics(std::string_view name, const std::vector<std::string>& more)
{
    const std::string misspelt = lowered(name);
    std::vector<std::tuple<double, std::size_t, std::string>> distances;
    const auto add = [&](std::string_view other) {
        distances.emplace_back(wordDistance(misspelt, other), editDistance(misspelt, other), other);
    };
    for (const std::string& other : more)
        add(other);
    for (const MetricDescriptor& metric : allMetrics()) {
        add(metric.id);
        for (const MetricAlias& alias : metric.aliases)
            add(alias.id);
    }
    std::sort(distances.begin(), distances.end());
    std::vector<std::string> nearest;
    for (std::size_t i = 0; i < distances.size() && i < 3; ++i)
        nearest.push_back(std::get<std::string>(distances[i]));
    return nearest;
}

namespace {

/// Converts our value and the references to the unit of an alias.
void scale(MetricResult& result, const MetricRequest& request)
{
    const bool isTime = request.metric->unit == "s" && request.unit == "ms";
    const auto scaled = [&](double value) { return isTime ? secondsToMs(value) : value * request.factor; };
    if (result.value)
        result.value = scaled(*result.value);
    for (MetricRow& row : result.rows)
        row.value = scaled(row.value);
    for (ReferenceValue& reference : result.references) {
        if (reference.value && !reference.isSentinel)
            reference.value = scaled(*reference.value);
    }
}

/// Replaces the mean of the ranks with another reduction. A metric that is not a mean of ranks keeps its
/// value and gets a warning.
void reduceRanks(RankReduction reduction, MetricResult& result)
{
    if (reduction == RankReduction::Mean || !result.value)
        return;
    std::vector<double> ranks;
    for (const MetricRow& row : result.rows) {
        if (row.rank && !row.step)
            ranks.push_back(row.value);
    }
    constexpr double exactly = 1e-9;
    const bool isMean = result.reduction == "mean of ranks" && !ranks.empty()
        && std::abs(meanOf(ranks) - *result.value) <= exactly * std::abs(*result.value);
    if (!isMean) {
        result.warnings.push_back("--reduce has no effect: this value is not a mean of the ranks"
                                  + (result.reduction.empty() ? "." : " (" + result.reduction + ")."));
        return;
    }
    const bool isShare = result.unit == "%" || result.unit == "ratio";
    if (reduction == RankReduction::Sum && isShare) {
        result.warnings.emplace_back("--reduce sum has no effect: a sum of shares is meaningless.");
        return;
    }
    constexpr std::array<const char*, 5> words{"mean", "median", "max", "min", "sum"};
    result.reduction = std::string(words[static_cast<std::size_t>(reduction)]) + " of ranks";
    switch (reduction) {
    case RankReduction::Mean:
        break;
    case RankReduction::Median:
        result.value = medianOf(std::move(ranks));
        break;
    case RankReduction::Max:
        result.value = *std::max_element(ranks.begin(), ranks.end());
        break;
    case RankReduction::Min:
        result.value = *std::min_element(ranks.begin(), ranks.end());
        break;
    case RankReduction::Sum:
        result.value = std::accumulate(ranks.begin(), ranks.end(), 0.0);
        break;
    }
}

/// Replaces our value with the number that the existing tool prints.
void takeReference(const MetricRequest& request, MetricResult& result)
{
    const ReferenceValue* chosen = nullptr;
    for (const ReferenceValue& reference : result.references) {
        if (reference.forName == request.name || reference.forName == withoutToolEnding(request.name)
            || (!chosen && reference.forName.empty()))
            chosen = &reference;
    }
    if (!chosen) {
        const std::string unit = result.unit;
        if (!result.references.empty()) {
            result = MetricResult::notApplicable("No other tool prints a value under the name " + request.name
                                                 + "; " + result.references.front().tool
                                                 + " prints one under the name "
                                                 + result.references.front().forName + ".");
            result.unit = unit;
            return;
        }
        result = MetricResult::notApplicable("No other tool's value of " + request.name
                                             + " is available for this run: existing tools agree with the "
                                               "standard definition, or do not state their formula.");
        result.unit = unit;
        return;
    }
    const ReferenceValue reference = *chosen;
    result.state = MetricState::Value;
    result.value = reference.value;
    result.reason.clear();
    result.definition = "reference: " + reference.tool;
    result.warnings = {"Value as " + reference.tool
                       + " prints it, not by Collscope's definition: " + reference.whyDifferent};
    // Our windows, rows and slices are not those that the tool counted.
    result.window = result.reduction = "as the tool does";
    result.rows.clear();
    result.tables.clear();
    result.inputs.clear();
    result.evidence.clear();
    result.evidenceRanges.clear();
    result.details = reference.details;
    result.details.emplace_back("reference_tool", reference.tool);
    result.details.emplace_back("why_different", reference.whyDifferent);
}

} // namespace

namespace {

MetricResult computeMetric(Analysis& analysis, const MetricDescriptor& metric)
{
    if (metric.ranks) {
        const Selection& measured = (analysis.*metric.ranks)();
        if (measured.failure)
            return *measured.failure;
    }
    return metric.compute(analysis);
}

/// Why a summarized run has no value of a metric; empty if it has one.
std::string whyNotSummarized(const Analysis& analysis, const MetricRequest& request)
{
    const MetricOptions& options = analysis.options();
    std::string what;
    if (request.user || !request.metric->fromSummaries)
        what = "what this metric reads";
    else if (options.range)
        what = "sums of a range";
    else if (options.attribution == MetricOptions::Attribution::Launch)
        what = "which step launched a kernel";
    return what.empty() ? what : summariesLack(what);
}

/// The result in the unit and with the details of the requested name.
MetricResult resultUnderName(Analysis& analysis, const MetricRequest& request, bool wantReferences)
{
    MetricResult result = request.user ? computeUserMetric(analysis, *request.user)
                                       : computeMetric(analysis, *request.metric);
    result.unit = request.unit; // reduceRanks() needs it: a sum of shares is meaningless
    reduceRanks(analysis.options().reduce, result);
    // Tools count events that a reduced run does not contain.
    if (wantReferences && !analysis.model().isReduced())
        addReferences(analysis, request.metric->id, result);
    if (request.factor != 1.0)
        scale(result, request);
    if (request.details) {
        Value::Object details = request.details(analysis, result);
        std::move(result.details.begin(), result.details.end(), std::back_inserter(details));
        result.details = std::move(details);
    }
    return result;
}

} // namespace

MetricResult evaluate(Analysis& analysis, const MetricRequest& request)
{
    const bool asReference = analysis.options().definition == MetricOptions::Definition::Reference;
    MetricResult result;
    try {
        const std::string why
            = analysis.model().isSummarized() ? whyNotSummarized(analysis, request) : std::string();
        result = why.empty()
            ? resultUnderName(analysis, request, asReference || analysis.options().wantReferences)
            : MetricResult::missingInput(why);
    } catch (const std::exception& error) {
        // A failing metric must not affect the others.
        result = {};
        result.reason = std::string("The computation failed: ") + error.what() + ".";
    }
    result.unit = request.unit;
    if (result.definition.empty())
        result.definition = request.metric->definition;
    if (asReference && analysis.model().isReduced())
        result = MetricResult::missingInput(
            "What existing tools count is not in the parts of a reduced run: read the traces themselves.");
    else if (asReference)
        takeReference(request, result);
    if (result.value && !std::isfinite(*result.value)) {
        result = {};
        result.unit = request.unit;
        result.reason = "The computation did not give a finite number.";
    }
    std::sort(result.evidence.begin(), result.evidence.end());
    result.evidence.erase(std::unique(result.evidence.begin(), result.evidence.end()), result.evidence.end());
    return result;
}

MetricResult evaluate(const TraceModel& model, const MetricRequest& request, const MetricOptions& options)
{
    Analysis analysis(model, options);
    return evaluate(analysis, request);
}

} // namespace collscope
