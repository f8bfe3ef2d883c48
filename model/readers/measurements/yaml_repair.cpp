// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/measurements/yaml_repair.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <vector>

#include <yaml-cpp/yaml.h>

namespace collscope {

namespace {

constexpr int mostRepairs = 100;
/// Each repair parses the entire text again, so that fewer repairs are tried on a larger file.
constexpr std::size_t mostParsed = std::size_t{16} << 20;
constexpr std::string_view lineBlanks = " \t\r";

std::vector<std::string> linesOf(const std::string& text)
{
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

/// Where the value of "key: value" or "- value" starts; npos if the line contains no value.
std::size_t valueBegin(const std::string& line)
{
    std::size_t begin = line.find_first_not_of(lineBlanks);
    while (begin != std::string::npos && line.compare(begin, 2, "- ") == 0)
        begin = line.find_first_not_of(lineBlanks, begin + 2);
    if (begin == std::string::npos || line[begin] == '#')
        return std::string::npos;
    if (const std::size_t colon = line.find(": ", begin); colon != std::string::npos)
        begin = line.find_first_not_of(lineBlanks, colon + 2);
    return begin;
}

/// Whether the value opens a quotation mark or bracket that its line does not close.
bool isLeftOpen(const std::string& line)
{
    const std::size_t begin = valueBegin(line);
    if (begin == std::string::npos)
        return false;
    const std::size_t kind = std::string_view("\"'[{").find(line[begin]);
    return kind != std::string_view::npos && line.find("\"']}"[kind], begin + 1) == std::string::npos;
}

/// The line to repair: the one the parser reports, unless an earlier one was left open just before another
/// key. The parser then read all text after it as its value and stopped elsewhere.
std::size_t offendingLine(const std::vector<std::string>& lines, int parserLine,
                          const std::set<std::size_t>& quoted)
{
    std::size_t at = std::min(static_cast<std::size_t>(parserLine), lines.size() - 1);
    for (std::size_t line = 0; line + 1 < lines.size() && line <= at; ++line) {
        if (!quoted.contains(line) && isLeftOpen(lines[line])
            && lines[line + 1].find(':') != std::string::npos)
            return line;
    }
    while (at > 0 && lines[at].find_first_not_of(lineBlanks) == std::string::npos)
        --at;
    return at;
}

/// Puts the line's value in quotation marks; false if it has no value, or is quoted already.
bool quoteScalar(std::string& line)
{
    const std::size_t begin = valueBegin(line);
    if (begin == std::string::npos || ((line[begin] == '"' || line[begin] == '\'') && !isLeftOpen(line)))
        return false;
    const std::size_t end = line.find_last_not_of(lineBlanks) + 1;
    std::string quoted = "'";
    for (const char c : std::string_view(line).substr(begin, end - begin))
        quoted.append(c == '\'' ? 2 : 1, c);
    line = line.substr(0, begin) + quoted + "'";
    return true;
}

} // namespace

Result<std::string> repairedYaml(const std::string& text, const std::string& file, Diagnostics& problems)
{
    std::vector<std::string> lines = linesOf(text);
    std::set<std::size_t> quoted;
    std::string firstFailure;
    const int attempts = std::clamp(static_cast<int>(mostParsed / (text.size() + 1)), 2, mostRepairs);
    for (int attempt = 0; attempt < attempts; ++attempt) {
        std::string joined;
        for (const std::string& line : lines)
            joined.append(line).append(1, '\n');
        try {
            YAML::Load(joined);
            return joined;
        } catch (const YAML::Exception& failure) {
            if (firstFailure.empty())
                firstFailure = failure.msg + " in line " + std::to_string(failure.mark.line + 1);
            if (failure.mark.line < 0 || lines.empty())
                break;
            const std::size_t at = offendingLine(lines, failure.mark.line, quoted);
            const std::string place = "line " + std::to_string(at + 1) + " (" + failure.msg + ")";
            if (!quoted.contains(at) && quoteScalar(lines[at])) {
                quoted.insert(at);
                problems.add(Severity::Notice, "yaml_repaired", file, 0,
                             "The card is not valid YAML; text was put in quotation marks, first in " + place
                                 + ".");
            } else {
                lines[at].clear();
                problems.add(Severity::DataLoss, "yaml_line_lost", file, 0,
                             "The card is not valid YAML, and some lines had to be removed, first " + place
                                 + ".");
            }
        }
    }
    return Error{Error::Kind::Format, "The file is not valid YAML (" + firstFailure + "); correct that line.",
                 file, 0};
}

} // namespace collscope
