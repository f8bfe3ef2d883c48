// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/agents/answer_pages.h"

#include "app/cli/command_options.h"
#include "model/text/valid_text.h"

#include <functional>

namespace collscope {

namespace {

/// The text as a number, so that a cursor of another answer is noticed.
std::string fingerprint(std::string_view text)
{
    return std::to_string(std::hash<std::string_view>()(text));
}

/// The bytes from the front that end a line, or else a character.
std::size_t endOfPage(std::string_view rest, std::size_t mostBytes)
{
    if (rest.size() <= mostBytes)
        return rest.size();
    if (const std::size_t line = rest.rfind('\n', mostBytes - 1); line != std::string_view::npos)
        return line + 1;
    const std::size_t end = textFront(rest, mostBytes).size();
    return end > 0 ? end : mostBytes; // not UTF-8
}

} // namespace

Result<PageOfAnswer> pageOf(std::string_view text, const std::string& cursor, std::size_t mostBytes)
{
    PageOfAnswer page;
    const std::string mark = fingerprint(text);
    if (!cursor.empty()) {
        const std::size_t dot = cursor.find('.');
        const auto begin = numberOf<std::size_t>(std::string_view(cursor).substr(0, dot));
        if (!begin || dot == std::string::npos || *begin > text.size())
            return Error{Error::Kind::Usage, "This is not a cursor of this tool."};
        if (cursor.substr(dot + 1) != mark)
            return Error{Error::Kind::Usage,
                         "The answer differs from the one that the cursor belongs to: the run or the "
                         "arguments changed. Ask again without a cursor."};
        page.begin = *begin;
    }
    const std::string_view rest = text.substr(page.begin);
    page.text = rest.substr(0, endOfPage(rest, mostBytes));
    const std::size_t end = page.begin + page.text.size();
    if (end < text.size())
        page.next = std::to_string(end) + "." + mark;
    return page;
}

} // namespace collscope
