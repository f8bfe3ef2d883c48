// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "app/cluster/yaml_writer.h"

#include "model/text/valid_text.h"

#include <cstdio>
#include <utility>

namespace collscope {

namespace {

/// The code point of the UTF-8 sequence at the start of the text, and its bytes. The text is valid.
std::pair<char32_t, std::size_t> firstCodePoint(std::string_view text)
{
    const auto lead = static_cast<unsigned char>(text.front());
    const std::size_t size = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    char32_t point = size == 1 ? lead : lead & (0x7Fu >> size);
    for (std::size_t i = 1; i < size; ++i)
        point = point << 6 | (static_cast<unsigned char>(text[i]) & 0x3Fu);
    return {point, size};
}

/// Whether all versions of YAML accept it inside of double quotes as it is.
bool isPlain(char32_t point)
{
    const bool isControl = point < 0x20 || (point >= 0x7F && point < 0xA0);
    const bool isBreak = point == 0x2028 || point == 0x2029;
    return !isControl && !isBreak && point != '"' && point != '\\' && point != 0xFEFF;
}

std::string escaped(char32_t point)
{
    char text[16];
    const auto number = static_cast<unsigned>(point);
    std::snprintf(text, sizeof text,
                  number < 0x100         ? "\\x%02X"
                      : number < 0x10000 ? "\\u%04X"
                                         : "\\U%08X",
                  number);
    return text;
}

} // namespace

bool isYamlText(std::string_view text)
{
    return text.find('\0') == std::string_view::npos && validText(text) == text;
}

std::string yamlQuoted(std::string_view text)
{
    std::string quoted = "\"";
    while (!text.empty()) {
        const auto [point, size] = firstCodePoint(text);
        quoted += isPlain(point) ? std::string(text.substr(0, size)) : escaped(point);
        text.remove_prefix(size);
    }
    return quoted + "\"";
}

void YamlWriter::comment(std::string_view text)
{
    m_text.append("# ").append(text).append("\n");
}

void YamlWriter::line(std::string_view key, const std::string& value)
{
    // "- " stands in front of the first key of an item, in the indentation of the others.
    m_text.append(2 * m_depth - (m_startsItem ? 2 : 0), ' ');
    m_text.append(m_startsItem ? "- " : "").append(key).append(":").append(value).append("\n");
    m_startsItem = false;
}

void YamlWriter::text(std::string_view key, std::string_view value)
{
    line(key, " " + yamlQuoted(value));
}

void YamlWriter::number(std::string_view key, std::int64_t value)
{
    line(key, " " + std::to_string(value));
}

void YamlWriter::texts(std::string_view key, const std::vector<std::string>& values)
{
    line(key, "");
    for (const std::string& value : values)
        m_text.append(2 * m_depth + 2, ' ').append("- ").append(yamlQuoted(value)).append("\n");
}

void YamlWriter::numbers(std::string_view key, const std::vector<std::int64_t>& values)
{
    std::string list;
    for (const std::int64_t value : values)
        list.append(list.empty() ? "" : ", ").append(std::to_string(value));
    line(key, " [" + list + "]");
}

void YamlWriter::emptyMap(std::string_view key)
{
    line(key, " {}");
}

void YamlWriter::begin(std::string_view key)
{
    line(key, "");
    ++m_depth;
}

void YamlWriter::beginItem()
{
    ++m_depth;
    m_startsItem = true;
}

void YamlWriter::end()
{
    --m_depth;
}

std::string YamlWriter::take()
{
    return std::move(m_text);
}

} // namespace collscope
