// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/hang/verdict_text.h"

#include <algorithm>

namespace collscope {

namespace {

constexpr std::size_t mostFindings = 6, mostNotes = 8, mostFrames = 6;

std::string stackText(const ReportedFinding::Stack& stack)
{
    std::string text = "   rank " + std::to_string(stack.rank) + " (" + stack.source + "):";
    for (std::size_t i = 0; i < std::min(stack.frames.size(), mostFrames); ++i)
        text += (i == 0 ? " " : " < ") + stack.frames[i];
    return text + "\n";
}

std::string findingLines(const ReportedFinding& finding)
{
    std::string text = " * " + finding.text + "\n   First: " + finding.whatFirst + "\n";
    for (const ReportedFinding::Stack& stack : finding.stacks)
        text += stackText(stack);
    return text;
}

} // namespace

std::string hangText(const HangVerdict& verdict)
{
    std::string text = verdict.text + "\n";
    if (verdict.ranks > 0) {
        text += std::to_string(verdict.dumps) + " of " + std::to_string(verdict.ranks) + " ranks left a dump";
        if (!verdict.victims.empty())
            text += "; " + std::to_string(verdict.victims.size())
                + (verdict.victims.size() == 1 ? " only waits" : " only wait");
        text += ".\n";
    }
    const bool isProven = verdict.hang == HangVerdict::Hang::Yes;
    const std::vector<ReportedFinding>& findings = isProven ? verdict.findings : verdict.suspects;
    if (!findings.empty())
        text += isProven ? "\nFound:\n" : "\nIf the job was hung when these files were written:\n";
    for (std::size_t i = 0; i < std::min(findings.size(), mostFindings); ++i)
        text += findingLines(findings[i]);
    if (findings.size() > mostFindings)
        text += " * and " + std::to_string(findings.size() - mostFindings) + " more (--json lists all)\n";
    if (!verdict.proofs.empty())
        text += "\nWhy it is a hang:\n";
    for (const std::string& proof : verdict.proofs)
        text += " * " + proof + "\n";
    if (!verdict.notes.empty())
        text += "\nAlso:\n";
    for (std::size_t i = 0; i < std::min(verdict.notes.size(), mostNotes); ++i)
        text += " * " + verdict.notes[i] + "\n";
    return text;
}

} // namespace collscope
