// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/page/part_words.h"

#include "metrics/core/duration_text.h"
#include "metrics/export/findings_report.h"
#include "metrics/looks/part_looks.h"

namespace collscope {

std::string partWords(Part part, const Findings& findings)
{
    const std::string label(partLabelOf(part));
    if (part != Part::Communication || !findings.communicationUnknown.empty())
        return label;
    return label
        + (!findings.areWaitsKnown()  ? ", waits included"
               : findings.unsplit > 0 ? " without known waits"
                                      : " without waits");
}

std::string partPercentText(std::int64_t ns, std::int64_t wholeNs)
{
    return percentText(wholeNs > 0 ? 100 * static_cast<double>(ns) / static_cast<double>(wholeNs) : 0);
}

std::string partText(Part part, const PartTimes& parts, const Findings& findings)
{
    return partWords(part, findings) + " "
        + (findings.whyUnknown(part).empty()
               ? timeText(parts.of(part)) + " (" + partPercentText(parts.of(part), parts.total()) + ")"
               : std::string("unknown"));
}

std::string partsSentence(const PartTimes& parts, const Findings& findings)
{
    std::string text;
    for (std::size_t i = 0; i < partCount; ++i)
        text += (i > 0 ? ", " : "") + partText(static_cast<Part>(i), parts, findings);
    return text;
}

} // namespace collscope
