// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/page/page_of_run.h"

#include "metrics/core/duration_text.h"
#include "metrics/export/findings_report.h"
#include "metrics/export/page/finding_cards.h"
#include "metrics/export/page/hang_section.h"
#include "metrics/export/page/lateness_section.h"
#include "metrics/export/page/part_words.h"
#include "metrics/export/page/run_tables.h"
#include "metrics/export/page/steps_picture.h"
#include "model/text/needs_events.h"

namespace collscope {

namespace {

/// "Step 16.01 ms (8 ranks, inner steps)".
std::string scopeText(const Findings& findings)
{
    return std::string(findings.isPerStep ? "Step " : "Time ") + timeText(findings.stepNs) + " ("
        + findings.scope + ", " + findings.window + ").";
}

void writePartsTable(HtmlWriter& html, const Findings& findings)
{
    const auto frame = html.element("div", {{"class", "scroll narrow"}});
    const auto table = html.element("table", {{"data-step-ns", std::to_string(findings.stepNs)}});
    html.leaf("caption",
              (findings.ranks.size() > 1 ? "Mean of " : "On ") + findings.scope
                  + (findings.isPerStep ? ", per step" : "") + ". Each nanosecond has one owner.");
    const auto body = html.element("tbody");
    for (std::size_t i = 0; i < partCount; ++i) {
        const auto part = static_cast<Part>(i);
        const std::int64_t ns = findings.parts.of(part);
        const bool isShown = findings.whyUnknown(part).empty();
        const std::string name(partName(part));
        const auto row = isShown ? html.element("tr", {{"data-part", name}, {"data-ns", std::to_string(ns)}})
                                 : html.element("tr", {{"data-part", name}});
        {
            const auto label = html.element("td");
            writeSwatch(html, part);
            html.text(partWords(part, findings));
        }
        if (!isShown) {
            html.leaf("td", "unknown", {{"class", "number"}});
            html.leaf("td", "", {{"class", "number"}});
            continue;
        }
        html.leaf("td", timeText(ns), {{"class", "number"}});
        html.leaf("td", partPercentText(ns, findings.stepNs), {{"class", "number"}});
    }
}

void writeFindings(HtmlWriter& html, Analysis& analysis, const Findings& findings)
{
    writeSection(html, "parts", "What the time is made of", "", [&] {
        writePartsBar(html, findings);
        writePartsTable(html, findings);
        if (!findings.steps.empty())
            writeStepsPicture(html, findings);
    });
    writeSection(html, "findings", "What costs time",
                 "The largest cost first. Costs do not overlap: together they are at most the "
                     + std::string(findings.isPerStep ? "step." : "time."),
                 [&] { writeCards(html, analysis, findings); });
}

/// The sections between the head of the page and the problems of the files.
void writeAnswers(HtmlWriter& html, Analysis& analysis, const TraceModelPtr& model,
                  const Result<Findings>& findings, const std::vector<MetricRequest>& metrics)
{
    if (model->timelines.empty() && model->hang)
        return; // dumps alone have no metrics
    std::vector<NamedResult> results;
    for (const MetricRequest& request : metrics)
        results.push_back({request, evaluate(analysis, request)});
    writeTiles(html, results);
    if (findings) {
        writeFacts(html, *findings);
        writeFindings(html, analysis, *findings);
    }
    if (!model->timelines.empty()) {
        writeLateness(html, analysis, model);
        writeCollectives(html, analysis);
        writeKernels(html, analysis);
        writeWhatIf(html, analysis, findings ? std::string() : findings.error().message);
    }
    writeMetrics(html, results);
}

} // namespace

Result<std::string> runPage(Analysis& analysis, const TraceModelPtr& model,
                            const std::vector<MetricRequest>& metrics, const HangOptions& hang,
                            const PageOrigin& origin)
{
    if (model->isSummarized())
        return Error{Error::Kind::Incomplete, needsEventsText()};
    HtmlWriter html;
    const HangCasePtr hung = model->hang ? examineHang(*model->hang, model->strings, hang) : nullptr;
    const Result<Findings> findings = findCosts(analysis);
    const std::string headline = hung ? hung->verdict.text
        : findings                    ? findings->headline()
                                      : "What costs time cannot be told: " + findings.error().message;
    writeHeader(html, model->title, headline,
                findings ? scopeText(*findings) + (findings->clocks.empty() ? "" : " " + findings->clocks)
                         : std::string());
    {
        const auto content = html.element("main");
        if (hung)
            writeHang(html, *hung);
        writeAnswers(html, analysis, model, findings, metrics);
        writeProblems(html, model->problems);
        writeSection(html, "provenance", "Where these numbers come from", "", [&] {
            writeCommand(html, origin);
            writeFiles(html, *model, origin);
        });
    }
    writeFooter(html, origin);
    if (analysis.options().cancelled())
        return Error{Error::Kind::Cancelled, "cancelled."};
    return document(model->title + " \u2014 Collscope", html.take());
}

} // namespace collscope
