// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What every page has: the document around its content, the problems of the files, and where the numbers come
// from.

#include "metrics/export/page/html_writer.h"
#include "model/trace_model.h"

#include <map>
#include <string>
#include <vector>

namespace collscope {

/// What only the program knows.
struct PageOrigin
{
    std::string version; ///< "collscope 2.0.0 ..."
    std::vector<std::string> command; ///< the words that made the page, or what stands for them
    std::map<std::string, std::string> digests; ///< SHA-256 in hexadecimal, by SourceInfo::path
    std::string note = {}; ///< a sentence on what the command leaves out
};

/// A complete document. It refers to nothing outside itself, has no script, and forbids both to the browser.
std::string document(const std::string& title, const std::string& content);

/// The head of a page: what it is about, and its most important sentence.
void writeHeader(HtmlWriter& html, const std::string& about, const std::string& headline,
                 const std::string& below);
void writeFooter(HtmlWriter& html, const PageOrigin& origin);

/// A section with a title and a sentence that says how to read it; `lead` may be empty.
template<typename Write>
void writeSection(HtmlWriter& html, const std::string& id, const std::string& title, const std::string& lead,
                  const Write& write)
{
    const auto section = html.element("section", {{"id", id}});
    html.leaf("h2", title);
    if (!lead.empty()) {
        const auto first = html.element("p", {{"class", "lead"}});
        html.sentence(lead);
    }
    write();
}
/// A paragraph in which names are between back-ticks.
void writeParagraph(HtmlWriter& html, const std::string& text, std::string_view look = "");

void writeProblems(HtmlWriter& html, const Diagnostics& problems);
/// What was repaired, assumed or left out of one of several runs, if anything was.
void writeProblemsOf(HtmlWriter& html, const Diagnostics& problems, const std::string& label);
/// `label`: of the run, if there are several.
void writeFiles(HtmlWriter& html, const TraceModel& model, const PageOrigin& origin,
                const std::string& label = {});
void writeCommand(HtmlWriter& html, const PageOrigin& origin);

} // namespace collscope
