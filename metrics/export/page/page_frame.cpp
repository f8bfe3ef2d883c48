// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/page/page_frame.h"

#include "metrics/core/value.h"
#include "metrics/export/page/page_style.h"
#include "metrics/export/page/page_table.h"
#include "metrics/export/written_report.h"
#include "model/text/shell_word.h"

#include <algorithm>

namespace collscope {

namespace {

constexpr std::size_t mostProblems = 200;
constexpr std::size_t mostFiles = 2000; ///< on the page of a run
constexpr std::size_t mostFilesOfSeveral = 300; ///< for each run on a page of several

std::vector<PageCell> problemRow(const Diagnostic& problem)
{
    return {{std::string(severityName(problem.severity))},
            {problem.explanation, false, true},
            {problem.file},
            numberCellOf(problem.firstOffset > 0 ? std::to_string(problem.firstOffset) : std::string()),
            numberCellOf(std::to_string(problem.count)),
            numberCellOf(std::to_string(problem.excludedEvents))};
}

/// The path of a file below the folder that was opened, which the command names.
std::string insideRun(const TraceModel& model, const std::string& path)
{
    const std::string folder = model.paths.size() == 1 ? model.paths.front() : std::string();
    const bool isBelow = !folder.empty() && path.size() > folder.size() + 1 && path.starts_with(folder)
        && (folder.back() == '/' || path[folder.size()] == '/');
    return isBelow ? path.substr(folder.size() + (folder.back() == '/' ? 0 : 1)) : path;
}

void writeProblemTable(HtmlWriter& html, const std::string& caption, std::vector<const Diagnostic*> problems)
{
    std::stable_sort(problems.begin(), problems.end(),
                     [](const auto* a, const auto* b) { return a->severity > b->severity; });
    std::vector<std::vector<PageCell>> rows;
    rows.reserve(problems.size());
    for (const Diagnostic* problem : problems)
        rows.push_back(problemRow(*problem));
    writeTable(html, caption,
               {{"kind"}, {"what"}, {"file"}, {"byte", true}, {"times", true}, {"events excluded", true}},
               rows, mostProblems);
}

/// The remarks, or all others.
std::vector<const Diagnostic*> listed(const Diagnostics& problems, bool areRemarks)
{
    std::vector<const Diagnostic*> list;
    for (const Diagnostic& problem : problems.entries()) {
        if ((problem.severity == Severity::Info) == areRemarks)
            list.push_back(&problem);
    }
    return list;
}

} // namespace

std::string document(const std::string& title, const std::string& content)
{
    HtmlWriter html;
    html.markup("<!DOCTYPE html>\n");
    {
        const auto root = html.element("html", {{"lang", "en"}});
        {
            const auto head = html.element("head");
            html.lone("meta", {{"charset", "utf-8"}});
            // style-src names what is inside this file; nothing can be loaded, sent or run.
            html.lone("meta",
                      {{"http-equiv", "Content-Security-Policy"},
                       {"content",
                        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
                        "base-uri 'none'; form-action 'none'"}});
            html.lone("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}});
            html.lone("meta", {{"name", "referrer"}, {"content", "no-referrer"}});
            html.leaf("title", title);
            const auto style = html.element("style");
            html.markup(pageStyle());
        }
        const auto body = html.element("body");
        html.markup(pagePatterns());
        html.markup(content);
    }
    return html.take();
}

void writeHeader(HtmlWriter& html, const std::string& about, const std::string& headline,
                 const std::string& below)
{
    const auto header = html.element("header");
    writeParagraph(html, about, "kicker");
    {
        const auto title = html.element("h1");
        html.sentence(headline);
    }
    if (!below.empty())
        writeParagraph(html, below);
}

void writeFooter(HtmlWriter& html, const PageOrigin& origin)
{
    const auto footer = html.element("footer");
    html.text("Made by " + origin.version + ". This file is complete in itself and loads nothing.");
}

void writeParagraph(HtmlWriter& html, const std::string& text, std::string_view look)
{
    const auto paragraph = html.element("p", {{"class", std::string(look)}});
    html.sentence(text);
}

void writeProblemsOf(HtmlWriter& html, const Diagnostics& problems, const std::string& label)
{
    const std::vector<const Diagnostic*> serious = listed(problems, false);
    if (!serious.empty())
        writeProblemTable(html, "What was repaired, assumed or left out of " + label + ".", serious);
}

void writeProblems(HtmlWriter& html, const Diagnostics& problems)
{
    const std::vector<const Diagnostic*> serious = listed(problems, false);
    const std::vector<const Diagnostic*> others = listed(problems, true);
    writeSection(html, "problems", "Problems in the files", "", [&] {
        if (!serious.empty())
            writeProblemTable(html, "What was repaired, assumed or left out.", serious);
        else if (others.empty())
            writeParagraph(html, "The files were read without a problem or a remark.");
        else
            writeParagraph(html, "The files were read without a problem, but with remarks.");
        if (others.empty())
            return;
        const auto more = html.element("details");
        html.leaf("summary", countText(static_cast<std::int64_t>(others.size()), "remark"));
        writeProblemTable(html, "What else was noticed while the files were read.", others);
    });
}

void writeFiles(HtmlWriter& html, const TraceModel& model, const PageOrigin& origin, const std::string& label)
{
    std::vector<std::vector<PageCell>> rows;
    for (const SourceInfo& source : model.sources) {
        const auto digest = origin.digests.find(source.path);
        rows.push_back(
            {{insideRun(model, source.path)},
             {std::string(sourceKindName(source.kind))},
             numberCellOf(source.rank ? std::to_string(*source.rank) : std::string()),
             numberCellOf(bytesText(static_cast<double>(source.bytes)), std::to_string(source.bytes)),
             numberCellOf(std::to_string(source.eventsInFile)),
             numberCellOf(std::to_string(source.excluded)),
             {digest != origin.digests.end() ? digest->second : "not computed", false, false, {}, "digest"}});
    }
    writeTable(html,
               (label.empty() ? std::string("The files that were read") : "The files of " + label)
                   + ", with their SHA-256 digests.",
               {{"file"},
                {"kind"},
                {"rank", true},
                {"size", true},
                {"events", true},
                {"excluded", true},
                {"SHA-256"}},
               rows, label.empty() ? mostFiles : mostFilesOfSeveral);
}

void writeCommand(HtmlWriter& html, const PageOrigin& origin)
{
    std::string line;
    for (const std::string& word : origin.command)
        line += (line.empty() ? "" : " ") + shellWord(word);
    html.leaf("pre", line, {{"class", "command"}});
    if (!origin.note.empty())
        writeParagraph(html, origin.note, "meta");
}

} // namespace collscope
