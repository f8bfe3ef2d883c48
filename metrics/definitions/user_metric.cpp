// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/definitions/user_metric.h"

#include "metrics/analysis/analysis.h"

#include <algorithm>
#include <map>
#include <set>

namespace collscope {

namespace {

std::string_view reductionText(UserMetric::Reduce reduce)
{
    switch (reduce) {
    case UserMetric::Reduce::Mean:
        return "mean of ranks";
    case UserMetric::Reduce::Pooled:
        return "pooled";
    case UserMetric::Reduce::Max:
        return "max over ranks";
    case UserMetric::Reduce::Min:
        return "min over ranks";
    case UserMetric::Reduce::Sum:
        return "sum over ranks";
    case UserMetric::Reduce::Values:
        return "of the metrics' values";
    }
    return "";
}

std::string sumText(const std::vector<UserTerm>& terms)
{
    std::string text;
    for (const UserTerm& term : terms)
        text += (text.empty() ? "" : " + ") + term.text();
    return terms.size() > 1 ? "(" + text + ")" : text;
}

/// The values of a term, including its own factor.
struct Figures
{
    const UserTerm* term = nullptr;
    bool isPerRank = false; ///< false: `value` applies to every rank
    std::map<std::int32_t, double> byRank;
    std::map<std::int32_t, std::vector<double>> bySteps; ///< empty if a metric has no such values
    double value = 0; ///< of a number, or of a metric as a whole

    std::optional<double> of(std::int32_t rank) const
    {
        if (!isPerRank)
            return value;
        const auto found = byRank.find(rank);
        return found != byRank.end() ? std::optional(found->second) : std::nullopt;
    }
    std::optional<double> of(std::int32_t rank, std::size_t step) const
    {
        if (term->kind == UserTerm::Kind::Number)
            return value;
        const auto found = bySteps.find(rank);
        return found != bySteps.end() && step < found->second.size() ? std::optional(found->second[step])
                                                                     : std::nullopt;
    }
    double pooled(std::size_t ranks) const
    {
        if (!isPerRank)
            return value * static_cast<double>(ranks);
        double sum = 0;
        for (const auto& [rank, number] : byRank)
            sum += number;
        return sum;
    }
};

double figureOf(UserTerm::Kind kind, const EventSums& sums)
{
    switch (kind) {
    case UserTerm::Kind::EventUnion:
        return nsToSeconds(sums.unionNs);
    case UserTerm::Kind::EventSum:
        return nsToSeconds(sums.sumNs);
    case UserTerm::Kind::EventBytes:
        return static_cast<double>(sums.bytes);
    default:
        return static_cast<double>(sums.count);
    }
}

/// Joins to "a / b", without repeating words.
void joinWords(std::string& words, const std::string& more)
{
    if (more.empty() || (" / " + words + " / ").find(" / " + more + " / ") != std::string::npos)
        return;
    words += (words.empty() ? "" : " / ") + more;
}

class Evaluation
{
public:
    Evaluation(Analysis& analysis, const UserMetric& metric)
        : m_analysis(analysis)
        , m_metric(metric)
        , m_selection(selectionFor(analysis, metric))
    { }

    MetricResult run()
    {
        if (m_metric.needsTimeline()) {
            if (m_selection.failure)
                return *m_selection.failure;
            m_result = valueOf(m_analysis, m_selection, std::string(reductionText(m_metric.reduce)));
        } else {
            m_result.state = MetricState::Value;
            m_result.reduction
                = m_analysis.options().rank ? "one rank" : std::string(reductionText(m_metric.reduce));
        }
        for (const UserTerm& term : m_metric.numerator)
            m_numerator.push_back(measure(term, true));
        for (const UserTerm& term : m_metric.denominator)
            m_denominator.push_back(measure(term, false));
        if (!m_failure)
            reduce();
        if (m_failure)
            return *m_failure;
        if (m_analysis.options().wantEvidence && m_metric.needsTimeline())
            addEvidence(m_analysis, m_selection, m_result,
                        [](const SliceColumns&, std::size_t) { return false; }); // only the windows
        m_result.details.emplace_back("defined_in", m_metric.definedIn());
        return std::move(m_result);
    }

private:
    /// The ranks with GPU work, unless the counted events run on CPUs, or the run has no GPU and no term
    /// needs one.
    static const Selection& selectionFor(Analysis& analysis, const UserMetric& metric)
    {
        bool readsGpu = false, readsCpu = false;
        for (const std::vector<UserTerm>* terms : {&metric.numerator, &metric.denominator}) {
            for (const UserTerm& term : *terms) {
                for (const EventClass& own :
                     term.isOfEvents() ? term.events.classes : std::vector<EventClass>())
                    (own.categories != 0 ? readsCpu : readsGpu) = true;
            }
        }
        const bool onCpu = !readsGpu && (readsCpu || analysis.selection().failure);
        return onCpu ? analysis.allRanks() : analysis.selection();
    }

    Figures measure(const UserTerm& term, bool isNumerator)
    {
        Figures figures;
        figures.term = &term;
        if (m_failure)
            return figures;
        if (term.isOfEvents()) {
            measureEventTerm(term, isNumerator, figures);
        } else if (term.isOfWindow()) {
            measureWindow(term, figures);
        } else if (term.kind == UserTerm::Kind::Metric) {
            measureMetric(term, isNumerator, figures);
        } else {
            figures.value = term.number;
        }
        figures.value *= term.factor;
        for (auto& [rank, number] : figures.byRank)
            number *= term.factor;
        for (auto& [rank, numbers] : figures.bySteps) {
            for (double& number : numbers)
                number *= term.factor;
        }
        return figures;
    }

    void measureEventTerm(const UserTerm& term, bool isNumerator, Figures& figures)
    {
        figures.isPerRank = true;
        if (term.events.readsOperators() && m_analysis.model().isReduced()) {
            fail(MetricState::MissingInput,
                 "The run was reduced without its operators and Python functions: use --keep all when "
                 "planning it.");
            return;
        }
        EventSums all;
        std::vector<SliceRef>* evidence
            = isNumerator && m_analysis.options().wantEvidence ? &m_result.evidence : nullptr;
        for (const RankEvents& rank :
             measureEvents(m_analysis.model(), m_selection, term.events, m_analysis.options(), evidence)) {
            all += rank.total;
            figures.byRank[rank.rank] = figureOf(term.kind, rank.total);
            for (const EventSums& step : rank.steps)
                figures.bySteps[rank.rank].push_back(figureOf(term.kind, step));
        }
        const std::string events = std::to_string(all.overlapping) + " events (" + term.events.text() + ")";
        if (all.overlapping == 0)
            m_result.warnings.push_back("No event in the window matches " + term.events.text() + ".");
        if (term.kind == UserTerm::Kind::EventBytes && all.unsized > 0) {
            if (all.unsized == all.count)
                fail(MetricState::MissingInput,
                     "The trace contains no message or copy sizes for the " + std::to_string(all.count)
                         + " events (" + term.events.text() + ").");
            m_result.warnings.push_back(std::to_string(all.unsized) + " of " + std::to_string(all.count)
                                        + " events (" + term.events.text()
                                        + ") have no size: their bytes are not counted.");
        }
        m_result.inputs.push_back(term.text() + " = " + numberText(figures.pooled(0)) + unitOf(term)
                                  + ", sum over " + std::to_string(figures.byRank.size()) + " ranks; "
                                  + events + ".");
    }

    void measureWindow(const UserTerm& term, Figures& figures)
    {
        figures.isPerRank = true;
        const bool isTime = term.kind == UserTerm::Kind::WindowTime;
        for (const RankWindows& rank : m_selection.ranks) {
            figures.byRank[rank.rank]
                = isTime ? nsToSeconds(rank.windowNs()) : static_cast<double>(rank.stepCount());
            for (const RankWindows::Part& part : rank.parts) {
                for (const Step& step : part.steps)
                    figures.bySteps[rank.rank].push_back(isTime ? nsToSeconds(step.range.lengthNs()) : 1.0);
            }
        }
        m_result.inputs.push_back(term.text() + " = " + numberText(figures.pooled(0)) + unitOf(term)
                                  + ", sum over " + std::to_string(figures.byRank.size()) + " ranks.");
    }

    void measureMetric(const UserTerm& term, bool isNumerator, Figures& figures)
    {
        MetricResult result = term.metric.metric->compute(m_analysis);
        if (result.state != MetricState::Value || !result.value) {
            const bool isNumberless = result.state == MetricState::Value;
            fail(isNumberless ? MetricState::NotApplicable : result.state,
                 term.metric.name + ": "
                     + (isNumberless ? "its result is not a single number in this run." : result.reason));
            return;
        }
        figures.value = *result.value * term.metric.factor;
        for (const MetricRow& row : result.rows) {
            if (row.rank && !row.step && m_metric.reduce != UserMetric::Reduce::Values)
                figures.byRank.emplace(*row.rank, row.value * term.metric.factor);
        }
        figures.isPerRank = !figures.byRank.empty();
        joinWords(m_result.scope, result.scope);
        joinWords(m_result.window, result.window);
        joinWords(m_result.source, result.source);
        for (const std::string& warning : result.warnings) {
            if (std::find(m_result.warnings.begin(), m_result.warnings.end(), warning)
                == m_result.warnings.end())
                m_result.warnings.push_back(warning);
        }
        m_result.inputs.push_back(term.metric.name + " = " + numberText(figures.value) + " "
                                  + std::string(term.metric.unit) + " (" + result.scope + ", " + result.window
                                  + ", " + result.reduction + ").");
        if (isNumerator)
            m_result.evidence.insert(m_result.evidence.end(), result.evidence.begin(), result.evidence.end());
        if (!m_metric.needsTimeline())
            m_result.evidenceRanges.insert(m_result.evidenceRanges.end(), result.evidenceRanges.begin(),
                                           result.evidenceRanges.end());
    }

    static std::string unitOf(const UserTerm& term)
    {
        switch (term.kind) {
        case UserTerm::Kind::EventUnion:
        case UserTerm::Kind::EventSum:
        case UserTerm::Kind::WindowTime:
            return " s";
        case UserTerm::Kind::EventBytes:
            return " bytes";
        default:
            return "";
        }
    }

    /// numerator / denominator x factor, with `figure` supplying the value of each term; nullopt if a term
    /// has none or the denominator is 0.
    template<typename Figure>
    std::optional<double> formula(const Figure& figure) const
    {
        const auto sum = [&](const std::vector<Figures>& terms) -> std::optional<double> {
            double total = 0;
            for (const Figures& term : terms) {
                const std::optional<double> number = figure(term);
                if (!number)
                    return std::nullopt;
                total += *number;
            }
            return total;
        };
        const auto above = sum(m_numerator);
        const auto below = m_denominator.empty() ? std::optional(1.0) : sum(m_denominator);
        return above && below ? ratio(*above, *below, m_metric.factor) : std::nullopt;
    }

    void reduce()
    {
        std::set<std::int32_t> ranks;
        for (const auto* terms : {&m_numerator, &m_denominator}) {
            for (const Figures& term : *terms) {
                for (const auto& [rank, number] : term.byRank)
                    ranks.insert(rank);
            }
        }
        std::vector<double> perRank;
        for (const std::int32_t rank : ranks) {
            const auto number = formula([&](const Figures& term) { return term.of(rank); });
            if (!number)
                continue;
            perRank.push_back(*number);
            m_result.rows.push_back({rank, std::nullopt, *number});
        }
        addStepRowsOf(ranks);
        const bool isOfValues = ranks.empty() && !m_metric.needsTimeline();
        if (isOfValues) {
            m_result.value = formula([](const Figures& term) { return std::optional(term.value); });
            m_result.reduction = m_analysis.options().rank
                ? "one rank"
                : std::string(reductionText(UserMetric::Reduce::Values));
        } else if (m_metric.reduce == UserMetric::Reduce::Pooled) {
            m_result.value
                = formula([&](const Figures& term) { return std::optional(term.pooled(ranks.size())); });
        } else if (!perRank.empty()) {
            m_result.value = reduced(perRank);
        }
        if (!m_result.value)
            explainNoValue(isOfValues, ranks.size());
        else
            addDetails(isOfValues, ranks.size());
    }

    double reduced(const std::vector<double>& perRank) const
    {
        double sum = 0;
        for (const double number : perRank)
            sum += number;
        switch (m_metric.reduce) {
        case UserMetric::Reduce::Max:
            return *std::max_element(perRank.begin(), perRank.end());
        case UserMetric::Reduce::Min:
            return *std::min_element(perRank.begin(), perRank.end());
        case UserMetric::Reduce::Sum:
            return sum;
        default:
            return sum / static_cast<double>(perRank.size());
        }
    }

    void addStepRowsOf(const std::set<std::int32_t>& ranks)
    {
        if (!m_metric.needsTimeline())
            return;
        for (const RankWindows& windows : m_selection.ranks) {
            if (!ranks.contains(windows.rank))
                continue;
            std::size_t index = 0;
            for (const RankWindows::Part& part : windows.parts) {
                for (const Step& step : part.steps) {
                    const auto number
                        = formula([&](const Figures& term) { return term.of(windows.rank, index); });
                    if (number)
                        m_result.rows.push_back({windows.rank, step.number, *number});
                    ++index;
                }
            }
        }
    }

    void explainNoValue(bool isOfValues, std::size_t ranks)
    {
        double below = m_denominator.empty() ? 1.0 : 0.0;
        for (const Figures& term : m_denominator)
            below += isOfValues ? term.value : term.pooled(ranks);
        const std::string window = m_result.window.empty() ? "" : " in the window (" + m_result.window + ")";
        fail(MetricState::NotApplicable,
             below == 0 ? "The denominator, " + sumText(m_metric.denominator) + ", is 0" + window + "."
                        : "No rank" + window + " has a number for every term: the ranks named in "
                     + m_metric.definedIn() + " are not in the run, or not together.");
    }

    void addDetails(bool isOfValues, std::size_t ranks)
    {
        const auto total = [&](const std::vector<Figures>& terms) {
            double sum = 0;
            for (const Figures& term : terms)
                sum += isOfValues ? term.value : term.pooled(ranks);
            return sum;
        };
        m_result.details.emplace_back("numerator", total(m_numerator));
        if (!m_denominator.empty())
            m_result.details.emplace_back("denominator", total(m_denominator));
        Value::Object perRank;
        for (const MetricRow& row : m_result.rows) {
            if (row.rank && !row.step)
                perRank.emplace_back(std::to_string(*row.rank), row.value);
        }
        if (!perRank.empty())
            m_result.details.emplace_back("per_rank", std::move(perRank));
    }

    void fail(MetricState state, std::string reason)
    {
        m_failure.emplace();
        m_failure->state = state;
        m_failure->reason = std::move(reason);
        m_failure->scope = m_result.scope;
        m_failure->window = m_result.window;
        m_failure->source = m_result.source;
        m_failure->warnings = m_result.warnings;
    }

    Analysis& m_analysis;
    const UserMetric& m_metric;
    const Selection& m_selection;
    MetricResult m_result;
    std::optional<MetricResult> m_failure;
    std::vector<Figures> m_numerator, m_denominator;
};

} // namespace

std::string UserTerm::text() const
{
    const std::string times = factor != 1.0 ? numberText(factor) + " \u00d7 " : "";
    switch (kind) {
    case Kind::EventUnion:
        return times + "time (union) of " + events.text();
    case Kind::EventSum:
        return times + "time (sum) of " + events.text();
    case Kind::EventBytes:
        return times + "bytes of " + events.text();
    case Kind::EventCount:
        return times + "count of " + events.text();
    case Kind::WindowTime:
        return times + "time of the window";
    case Kind::WindowSteps:
        return times + "steps";
    case Kind::Metric:
        return times + metric.name;
    case Kind::Number:
        return numberText(factor * number);
    }
    return {};
}

bool UserMetric::needsTimeline() const
{
    const auto isOfTimeline = [](const UserTerm& term) { return term.isOfEvents() || term.isOfWindow(); };
    return std::any_of(numerator.begin(), numerator.end(), isOfTimeline)
        || std::any_of(denominator.begin(), denominator.end(), isOfTimeline);
}

std::string UserMetric::formula() const
{
    std::string text = factor != 1.0 ? numberText(factor) + " \u00d7 " : "";
    text += sumText(numerator);
    if (!denominator.empty())
        text += " / " + sumText(denominator);
    return text + ", " + std::string(reductionText(reduce));
}

std::string UserMetric::definedIn() const
{
    return file + ", line " + std::to_string(line);
}

MetricResult computeUserMetric(Analysis& analysis, const UserMetric& metric)
{
    return Evaluation(analysis, metric).run();
}

} // namespace collscope
