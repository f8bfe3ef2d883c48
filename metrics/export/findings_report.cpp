// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/findings_report.h"

#include "metrics/core/duration_text.h"
#include "metrics/export/written_report.h"
#include "model/queries/location_text.h"
#include "model/text/printable_text.h"

#include <algorithm>

namespace collscope {

namespace {

/// The findings that are not about time, then the first `most` of the others.
std::vector<const Finding*> shownOf(const Findings& findings, std::size_t most)
{
    std::vector<const Finding*> shown;
    for (const Finding& finding : findings.all) {
        if (isAboutTime(finding.kind) && most-- == 0)
            break;
        shown.push_back(&finding);
    }
    return shown;
}

/// "12.3 %".
std::string shareText(double share)
{
    return fixedText(100 * share, 1) + " %";
}

std::string partsText(const Findings& findings)
{
    std::string text;
    for (std::size_t part = 0; part < partCount; ++part) {
        const std::int64_t ns = findings.parts.ns[part];
        const double share
            = findings.stepNs > 0 ? static_cast<double>(ns) / static_cast<double>(findings.stepNs) : 0;
        const bool isKnown = findings.whyUnknown(static_cast<Part>(part)).empty();
        text += (part == 0 ? "" : ", ") + std::string(partName(static_cast<Part>(part))) + " "
            + (isKnown ? shareText(share) : "unknown");
    }
    return text;
}

Value findingValue(const TraceModel& model, const Findings& findings, const Finding& finding)
{
    Value::Array ranks;
    for (const std::int32_t rank : finding.ranks)
        ranks.emplace_back(rank);
    Value::Array where;
    for (const FindingPlace& place : finding.places.all())
        where.emplace_back(Value::Object{{"rank", place.rank},
                                         {"begin_ns", place.range.beginNs},
                                         {"end_ns", place.range.endNs},
                                         {"location", locationOf(model, place)}});
    return Value::Object{{"id", findingId(finding.kind)},
                         {"title", finding.title},
                         {"cost_ns_per_step", finding.costNs},
                         {"cost_on_ranks_ns_per_step", finding.costOnRanksNs},
                         {"share", shareOf(findings, finding)},
                         {"ranks", std::move(ranks)},
                         {"group", textOrNull(finding.group)},
                         {"name", textOrNull(finding.name)},
                         {"cause", textOrNull(finding.cause)},
                         {"count", finding.count},
                         {"where", std::move(where)},
                         {"advice", adviceFor(finding)},
                         {"confidence", finding.isEstimated ? "estimated" : "measured"}};
}

} // namespace

std::string locationOf(const TraceModel& model, const FindingPlace& place)
{
    Location location;
    location.run = model.title;
    location.range = place.range;
    if (place.slice) {
        location.rank = model.timelineOf(place.slice).rank;
        location.track = model.text(model.track(place.slice.track).name);
        location.range = model.rangeOf(place.slice);
    }
    return locationText(location);
}

std::string smallFindingsText(const Findings& findings, const std::vector<const Finding*>& shown)
{
    std::vector<std::pair<std::string, int>> counts; // in the order of their costs
    for (const Finding* finding : shown) {
        if (!isAboutTime(finding->kind) || shareOf(findings, *finding) >= smallShare)
            continue;
        std::string what(findingId(finding->kind));
        if (finding->kind == FindingKind::GpuIdle)
            what += " (" + finding->cause + ")";
        const auto same = std::find_if(counts.begin(), counts.end(),
                                       [&](const auto& counted) { return counted.first == what; });
        if (same != counts.end())
            ++same->second;
        else
            counts.emplace_back(std::move(what), 1);
    }
    std::string text;
    for (const auto& [what, count] : counts)
        text += (text.empty() ? "Less than 1 % each: " : ", ") + what
            + (count > 1 ? " (" + std::to_string(count) + ")" : std::string());
    return text.empty() ? text : text + ".";
}

std::string unsplitText(const Findings& findings)
{
    if (findings.unsplit == 0)
        return {};
    return countText(findings.unsplit, "communication call")
        + " may contain waits that are counted as communication, because "
        + std::string(findings.whyUnsplit()) + ".";
}

std::string findingsText(const Findings& findings, std::size_t most)
{
    std::string text = (findings.isPerStep ? "Step: " : "Time: ") + timeText(findings.stepNs) + " ("
        + findings.scope + ", " + findings.window + "). " + partsText(findings) + ".\n";
    if (!findings.hasLargeCost())
        text += printableLine(findings.headline()) + "\n";
    const std::vector<const Finding*> shown = shownOf(findings, most);
    std::size_t number = 0;
    for (const Finding* finding : shown) {
        const double share = shareOf(findings, *finding);
        if (isAboutTime(finding->kind) && share < smallShare)
            continue;
        text += "\n" + std::to_string(++number) + ". " + printableLine(finding->title) + "\n   "
            + std::string(adviceFor(*finding)) + "\n";
    }
    text += "\n";
    if (const std::string small = smallFindingsText(findings, shown); !small.empty())
        text += small + "\n";
    if (findings.unsplit > 0)
        text += unsplitText(findings) + "\n";
    for (const std::string& warning : findings.warnings)
        text += "Note: " + printableLine(warning) + "\n";
    return text + (findings.clocks.empty() ? std::string() : findings.clocks + "\n");
}

Value findingsValue(const TraceModel& model, const Findings& findings, std::size_t most)
{
    Value::Array parts;
    Value::Array unknownParts;
    for (std::size_t i = 0; i < partCount; ++i) {
        const auto part = static_cast<Part>(i);
        if (const std::string why = findings.whyUnknown(part); !why.empty())
            unknownParts.emplace_back(Value::Object{{"part", partName(part)}, {"reason", why}});
        else
            parts.emplace_back(
                Value::Object{{"part", partName(part)}, {"ns_per_step", findings.parts.of(part)}});
    }
    Value::Array list;
    for (const Finding* finding : shownOf(findings, most))
        list.push_back(findingValue(model, findings, *finding));
    Value::Array warnings(findings.warnings.begin(), findings.warnings.end());
    Value::Array notLookedFor;
    for (const FindingKind kind : findings.notLookedFor)
        notLookedFor.emplace_back(findingId(kind));
    return Value::Object{{"schema", "collscope.findings/1"},
                         {"run", runValue(model)},
                         {"step_ns", findings.stepNs},
                         {"steps", findings.window},
                         {"rank_steps", findings.cells},
                         {"headline", findings.headline()},
                         {"parts", std::move(parts)},
                         {"unknown_parts", std::move(unknownParts)},
                         {"unsplit_calls", findings.unsplit},
                         {"findings", std::move(list)},
                         {"clocks", textOrNull(findings.clocks)},
                         {"warnings", std::move(warnings)},
                         {"not_looked_for", std::move(notLookedFor)}};
}

} // namespace collscope
