// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Texts and charts of the comparison view about the steps, or units of work, of both runs.

#include "metrics/comparison/comparison.h"
#include "metrics/comparison/steps_or_captures.h"
#include "views/common/format.h"
#include "views/comparison/comparison_view.h"
#include "views/comparison/rank_changes.h"
#include "views/comparison/waterfall_view.h"
#include "views/widgets/answer_page.h"

#include <QLocale>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace collscope {

namespace {

/// Returns the mean step of each rank, as bars.
std::vector<RankChanges::Bar> rankBars(const SharedSteps& shared, std::optional<StepPart> part)
{
    struct Sum
    {
        std::int64_t ns = 0, count = 0;
        /// Mean per unit of work.
        std::int64_t mean(double units) const
        {
            return count > 0 ? std::llround(static_cast<double>(ns) / static_cast<double>(count) / units) : 0;
        }
    };
    const auto sumsOf = [part](const std::vector<RankStepParts>& steps) {
        std::map<std::int32_t, Sum> sums;
        for (const RankStepParts& step : steps) {
            Sum& own = sums[step.rank];
            own.ns += part ? step.parts[static_cast<std::size_t>(*part)] : step.range.lengthNs();
            ++own.count;
        }
        return sums;
    };
    const auto own = sumsOf(shared.base);
    const auto other = sumsOf(shared.test);
    std::vector<RankChanges::Bar> bars;
    for (const auto& [rank, sum] : own) {
        if (const auto found = other.find(rank); found != other.end())
            bars.push_back(
                {rank, sum.mean(shared.work.baseUnits), found->second.mean(shared.work.testUnits)});
    }
    return bars;
}

} // namespace

void ComparisonView::fillWaterfall()
{
    const auto rank = m_rankChanges->chosenRank();
    const auto labelOf = [rank](const RunPane* pane) {
        const QString label = toText(pane->run()->sheets.label);
        return rank ? tr("%1, rank %2").arg(label).arg(*rank) : label;
    };
    m_waterfall->setWaterfall(stepWaterfall(m_shared, rank),
                              stepVerdicts(m_shared, {m_thresholdPercent}, rank), labelOf(m_base),
                              labelOf(m_test), times());
}

std::optional<double> ComparisonView::rankThreshold() const
{
    if (times() == ComparedTimes::Capture
        || (times() == ComparedTimes::Step && !m_shared.work.steps.isJudged()))
        return std::nullopt;
    return std::max(m_thresholdPercent, m_shared.work.cutPercent);
}

void ComparisonView::fillRanks()
{
    const auto part = m_waterfall->chosenPart();
    const QString name = part ? toText(stepPartName(*part)) : QString();
    QString title;
    switch (times()) {
    case ComparedTimes::Step:
        title = part ? tr("Change of %1 on each rank, mean of its steps").arg(name)
                     : tr("Change of step time on each rank, mean of its steps");
        break;
    case ComparedTimes::Unit:
        title = part ? tr("Change of %1 on each rank, per unit of work").arg(name)
                     : tr("Change of time per unit of work on each rank");
        break;
    case ComparedTimes::Capture:
        title = part ? tr("Change of %1 on each rank, over the entire capture").arg(name)
                     : tr("Change of capture length on each rank");
        break;
    }
    m_rankChanges->setBars(rankBars(m_shared, part), title, rankThreshold());
}

std::pair<QString, QStringList> ComparisonView::stepAnswer(const StepWaterfall& all) const
{
    const std::int64_t change = all.testNs - all.baseNs;
    const QString steps
        = tr("Step %1").arg(tr("%1 \u2192 %2").arg(formatDuration(all.baseNs), formatDuration(all.testNs)));
    const QString percent = all.baseNs > 0
        ? formatPercent(100.0 * std::abs(static_cast<double>(change)) / static_cast<double>(all.baseNs))
        : QString();
    // A step with different work is called longer or shorter, not slower or faster.
    const bool isJudged = m_shared.work.steps.isJudged();
    const QString changed = change == 0 ? tr("%1: no difference")
        : change > 0                    ? isJudged ? tr("%1: %2, %3 slower") : tr("%1: %2, %3 longer")
                           : isJudged ? tr("%1: %2, %3 faster")
                                        : tr("%1: %2, %3 shorter");
    const QString verdict
        = change == 0 ? changed.arg(steps) : changed.arg(steps, formatChange(change), percent);
    const QString means = m_shared.haveParts
        ? tr("Means of %1 and %2 steps, each of one rank; the parts add up to the difference.")
        : tr("Means of %1 and %2 steps, each of one rank.");
    return {verdict, {means.arg(formatCount(all.baseSteps), formatCount(all.testSteps))}};
}

void ComparisonView::showVerdict()
{
    const StepWaterfall all = stepWaterfall(m_shared);
    if (all.baseSteps == 0)
        return m_page->showAnswer(whyNoSteps(), tr("The tables show the data available for each run."));
    const CompareOptions options{m_thresholdPercent};
    QString verdict;
    QStringList basis;
    if (m_shared.work.isOfCaptures) {
        verdict = toText(workSentence(m_shared.work, options));
        basis << toText(workBasis(m_shared.work));
    } else {
        std::tie(verdict, basis) = stepAnswer(all);
        const std::string perToken
            = perTokenSentence(m_shared.work.steps, nsToMs(all.baseNs), nsToMs(all.testNs));
        verdict = tr("%1 \u2014 %2")
                      .arg(verdict,
                           m_shared.work.steps.isJudged()
                               ? toText(deltaStatusName(stepVerdicts(m_shared, options).step.status))
                               : tr("no verdict"));
        if (!perToken.empty())
            basis << toText(perToken);
    }
    StepPart largest = StepPart::Gemm;
    for (std::size_t i = 0; i < stepPartCount; ++i) {
        const auto part = static_cast<StepPart>(i);
        if (std::llabs(all.change(part)) > std::llabs(all.change(largest)))
            largest = part;
    }
    if (all.change(largest) != 0)
        basis << tr("Largest part: %1, %2.")
                     .arg(toText(stepPartName(largest)), formatChange(all.change(largest)));
    basis << tr("Changes of up to %1 % count as similar.").arg(QLocale().toString(m_thresholdPercent));
    // Notes on what is not compared belong to the verdict; the other notes explain how the numbers were
    // computed.
    if (const auto note = stepsNote(m_base->run()->sheets, m_test->run()->sheets))
        basis << toText(*note);
    QStringList notes;
    for (const std::string& note : m_report->notes)
        notes << toText(note);
    m_page->showAnswer(verdict, basis.join(QLatin1Char(' ')), notes.join(QLatin1Char('\n')));
}

QString ComparisonView::whyNoSteps() const
{
    const RunSheets& base = m_base->run()->sheets;
    const RunSheets& test = m_test->run()->sheets;
    if (const auto why = collscope::whyNoSteps(base, test))
        return toText(*why);
    const auto note = stepsNote(base, test);
    return note ? toText(*note) : tr("The runs do not share a step on any rank.");
}

} // namespace collscope
