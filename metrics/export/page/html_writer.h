// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Writes HTML, and SVG inside it. Names in traces are hostile: whatever is not a literal of the program goes
// through htmlText(), so that it can neither become markup nor change the writing direction.

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace collscope {

/// Text of any bytes as one line of HTML text, also inside quoted attributes. Control and direction
/// characters (line ends, too: HTML would show them as blanks), and bytes that are not UTF-8, become visible
/// escapes as on a terminal (model/text/printable_text.h).
std::string htmlText(std::string_view text);

/// An attribute of an element. `name` is a literal, `value` is any text.
struct Attribute
{
    std::string_view name;
    std::string value;
};
using Attributes = std::initializer_list<Attribute>;

class HtmlWriter
{
public:
    /// An open element, which ends with the scope.
    class Element
    {
    public:
        ~Element();
        Element(const Element&) = delete;
        Element& operator=(const Element&) = delete;

    private:
        friend class HtmlWriter;
        Element(HtmlWriter& writer, std::string_view tag)
            : m_writer(writer)
            , m_tag(tag)
        { }
        HtmlWriter& m_writer;
        std::string_view m_tag;
    };

    /// `tag` is a literal.
    [[nodiscard]] Element element(std::string_view tag, Attributes attributes = {});
    /// An element that contains text alone.
    void leaf(std::string_view tag, std::string_view text, Attributes attributes = {});
    /// An element without content: <meta>, <rect>.
    void lone(std::string_view tag, Attributes attributes);
    void text(std::string_view text) { m_html += htmlText(text); }
    /// Lines of text; the line ends are the program's own.
    void lines(const std::vector<std::string>& lines);
    /// Text in which names are between back-ticks, as quotedName() writes them; they become <code>. Any other
    /// back-tick stays what it is.
    void sentence(std::string_view text);
    /// Appends HTML that the program wrote itself: style, or the content of another writer.
    void markup(std::string_view html) { m_html += html; }

    std::string take() { return std::move(m_html); }

private:
    void begin(std::string_view tag, Attributes attributes);

    std::string m_html;
};

} // namespace collscope
