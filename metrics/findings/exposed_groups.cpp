// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/findings/exposed_groups.h"

#include "metrics/core/duration_text.h"

namespace collscope {

namespace {

/// " 93 % of it may contain waits, because ..."; empty for a small part.
std::string doubtText(const Findings& findings, std::int64_t doubtfulNs, std::int64_t allNs)
{
    if (10 * doubtfulNs < allNs || doubtfulNs == 0)
        return {};
    return (doubtfulNs == allNs ? std::string(" It") : " " + percentText(doubtfulNs, allNs) + " of it")
        + " may contain waits, because " + std::string(findings.whyUnsplit()) + ".";
}

} // namespace

void ExposedGroups::finish(const FindingInput& input, const Key& key, Exposed& exposed)
{
    Finding& finding = exposed.finding;
    finding.kind = key.isSlow ? FindingKind::SlowCollectives : FindingKind::ExposedCommunication;
    finding.group = key.group;
    finding.name = key.name;
    const std::string subject
        = finding.name + (finding.group.empty() ? std::string() : " of " + quotedName(finding.group));
    const std::string cost = costText(input.findings, finding) + payersText(input, finding);
    if (key.isSlow) {
        finding.ranks.assign(exposed.members.begin(), exposed.members.end());
        finding.isEstimated = true;
        finding.title = "Slow collectives take " + cost + ": " + subject + " reaches "
            + std::to_string(exposed.percentSum / finding.count)
            + " % of the bandwidth of the same size elsewhere in this run.";
    } else {
        finding.title = "Communication that nothing hides takes " + cost + ": " + subject + "."
            + doubtText(input.findings, exposed.doubtfulNs, finding.ns);
    }
}

void ExposedGroups::finish(const FindingInput& input)
{
    for (auto& [key, exposed] : m_exposed) {
        exposed.finding.ranks = exposed.finding.payers();
        finish(input, key, exposed);
        input.findings.all.push_back(std::move(exposed.finding));
    }
}

} // namespace collscope
