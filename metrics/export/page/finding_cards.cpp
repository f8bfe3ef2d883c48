// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/page/finding_cards.h"

#include "metrics/core/duration_text.h"
#include "metrics/export/findings_report.h"
#include "metrics/export/page/page_frame.h"
#include "metrics/export/page/page_table.h"
#include "metrics/export/page/place_picture.h"
#include "model/text/rank_ranges.h"

#include <algorithm>

namespace collscope {

namespace {

constexpr std::size_t mostPictures = 8;
constexpr std::size_t mostCards = 40;

std::string_view severityLook(double share)
{
    constexpr double large = 0.1;
    return share >= large ? "large" : share >= matteringShare ? "middle" : "small";
}

void writeMeter(HtmlWriter& html, double share)
{
    const auto svg = html.element("svg",
                                  {{"class", "meter"},
                                   {"viewBox", "0 0 100 6"},
                                   {"preserveAspectRatio", "none"},
                                   {"aria-hidden", "true"}});
    html.lone("rect", {{"class", "track"}, {"width", "100"}, {"height", "6"}, {"rx", "2"}});
    html.lone("rect",
              {{"class", std::string(severityLook(share))},
               {"width", lengthText(100 * std::clamp(share, 0.0, 1.0))},
               {"height", "6"},
               {"rx", "2"}});
}

void writeCost(HtmlWriter& html, const Findings& findings, const Finding& finding)
{
    const double share = shareOf(findings, finding);
    const auto cost = html.element("div", {{"class", "cost"}});
    html.leaf("b", percentText(finding.ns, findings.stepNs * findings.cells)); // as in its title
    writeMeter(html, share);
    html.leaf("small", timeText(finding.costNs) + (findings.isPerStep ? " per step" : ""));
    if (finding.isEstimated)
        html.leaf("small", "estimated");
}

void writePlaces(HtmlWriter& html, const TraceModel& model, const Finding& finding)
{
    if (finding.places.all().empty())
        return;
    std::vector<std::vector<PageCell>> rows;
    for (const FindingPlace& place : finding.places.all())
        rows.push_back({numberCellOf(std::to_string(place.rank)),
                        timeCell(place.range.beginNs),
                        timeCell(place.range.lengthNs()),
                        {locationOf(model, place)}});
    const auto more = html.element("details");
    html.leaf("summary", "Where");
    const bool isBeforeZero = std::any_of(finding.places.all().begin(), finding.places.all().end(),
                                          [](const FindingPlace& place) { return place.range.beginNs < 0; });
    writeTable(html,
               std::string("The longest places. The first event of the run is at 0")
                   + (isBeforeZero ? "; aligned clocks put others before it" : "")
                   + ". collscope --goto LOCATION RUN opens one of them.",
               {{"rank", true}, {"from", true}, {"takes", true}, {"location"}}, rows);
}

void writeMeta(HtmlWriter& html, const Finding& finding)
{
    std::string text;
    const auto add = [&](const std::string& part) { text += (text.empty() ? "" : " \u00b7 ") + part; };
    if (!finding.ranks.empty())
        add(rankRangesText(finding.ranks));
    if (!finding.group.empty())
        add("group " + finding.group);
    if (finding.count > 0)
        add(countText(finding.count, "place"));
    if (!text.empty())
        html.leaf("p", text, {{"class", "meta"}});
}

void writeCard(HtmlWriter& html, Analysis& analysis, const Findings& findings, const Finding& finding,
               bool isPictured)
{
    const auto card = html.element("article",
                                   {{"class", "finding"},
                                    {"data-finding", std::string(findingId(finding.kind))},
                                    {"data-cost-ns", std::to_string(finding.costNs)},
                                    {"data-cost-on-ranks-ns", std::to_string(finding.costOnRanksNs)},
                                    {"data-share", numberText(shareOf(findings, finding))},
                                    {"data-count", std::to_string(finding.count)}});
    {
        const auto head = html.element("div", {{"class", "head"}});
        writeCost(html, findings, finding);
        const auto words = html.element("div");
        {
            const auto title = html.element("h3");
            html.sentence(finding.title);
        }
        if (const std::string_view advice = adviceFor(finding); !advice.empty())
            writeParagraph(html, std::string(advice), "advice");
        writeMeta(html, finding);
    }
    if (isPictured)
        writePlacePicture(html, analysis, finding);
    writePlaces(html, analysis.model(), finding);
}

} // namespace

void writeFacts(HtmlWriter& html, const Findings& findings)
{
    for (const Finding& finding : findings.all) {
        if (isAboutTime(finding.kind))
            return;
        const auto notice = html.element(
            "section", {{"class", "notice"}, {"data-finding", std::string(findingId(finding.kind))}});
        {
            const auto title = html.element("h3");
            html.sentence(finding.title);
        }
        writeParagraph(html, std::string(adviceFor(finding)), "advice");
    }
}

void writeCards(HtmlWriter& html, Analysis& analysis, const Findings& findings)
{
    std::size_t count = 0;
    std::vector<const Finding*> shown;
    for (const Finding& finding : findings.all) {
        if (!isAboutTime(finding.kind))
            continue;
        shown.push_back(&finding);
        if (shareOf(findings, finding) >= smallShare && count < mostCards)
            writeCard(html, analysis, findings, finding, count++ < mostPictures);
    }
    const auto large
        = static_cast<std::size_t>(std::count_if(shown.begin(), shown.end(), [&](const Finding* finding) {
              return shareOf(findings, *finding) >= smallShare;
          }));
    if (large == 0)
        writeParagraph(html, "Nothing costs 1 % of the time or more.");
    if (large > count)
        writeParagraph(html,
                       std::to_string(large - count)
                           + " more cost 1 % or more each: collscope --batch findings --json lists them.");
    if (count > mostPictures)
        writeParagraph(html,
                       "Only the first " + std::to_string(mostPictures)
                           + " have a picture of their longest place.",
                       "meta");
    if (const std::string small = smallFindingsText(findings, shown); !small.empty())
        writeParagraph(html, small);
    if (const std::string unsplit = unsplitText(findings); !unsplit.empty())
        writeParagraph(html, unsplit, "meta");
    for (const std::string& warning : findings.warnings)
        writeParagraph(html, "Note: " + warning, "meta");
}

} // namespace collscope
