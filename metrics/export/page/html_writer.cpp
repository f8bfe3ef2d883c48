// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/export/page/html_writer.h"

#include "metrics/core/duration_text.h"
#include "model/text/printable_text.h"
#include "model/text/valid_text.h"

#include <algorithm>

namespace collscope {

std::string htmlText(std::string_view text)
{
    std::string html;
    for (const char c : validText(printableLine(text))) {
        switch (c) {
        case '&':
            html += "&amp;";
            break;
        case '<':
            html += "&lt;";
            break;
        case '>':
            html += "&gt;";
            break;
        case '"':
            html += "&quot;";
            break;
        case '\'':
            html += "&#39;";
            break;
        default:
            html += c;
        }
    }
    return html;
}

HtmlWriter::Element::~Element()
{
    m_writer.m_html.append("</").append(m_tag).append(">\n");
}

void HtmlWriter::begin(std::string_view tag, Attributes attributes)
{
    m_html.append("<").append(tag);
    for (const Attribute& attribute : attributes)
        m_html.append(" ")
            .append(attribute.name)
            .append("=\"")
            .append(htmlText(attribute.value))
            .append("\"");
}

HtmlWriter::Element HtmlWriter::element(std::string_view tag, Attributes attributes)
{
    begin(tag, attributes);
    m_html += '>';
    return {*this, tag};
}

void HtmlWriter::leaf(std::string_view tag, std::string_view text, Attributes attributes)
{
    begin(tag, attributes);
    m_html.append(">").append(htmlText(text)).append("</").append(tag).append(">");
}

void HtmlWriter::lone(std::string_view tag, Attributes attributes)
{
    begin(tag, attributes);
    m_html += "/>";
}

void HtmlWriter::lines(const std::vector<std::string>& lines)
{
    for (std::size_t i = 0; i < lines.size(); ++i) {
        markup(i > 0 ? "\n" : "");
        text(lines[i]);
    }
}

void HtmlWriter::sentence(std::string_view text)
{
    for (const SentencePiece& piece : sentencePieces(text)) {
        if (piece.isName)
            leaf("code", piece.text);
        else
            this->text(piece.text);
    }
}

} // namespace collscope
