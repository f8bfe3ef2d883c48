// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Writes YAML that any parser reads alike, whatever the texts contain.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace collscope {

/// Whether YAML can express the text: UTF-8 without NUL.
bool isYamlText(std::string_view text);
/// The text in double quotes. Everything that some parser could take for a line break or refuse is escaped.
std::string yamlQuoted(std::string_view text);

/// Maps and lists, nested by begin...() and end(). Keys are plain words.
class YamlWriter
{
public:
    void comment(std::string_view text);
    void text(std::string_view key, std::string_view value);
    void number(std::string_view key, std::int64_t value);
    void texts(std::string_view key, const std::vector<std::string>& values);
    void numbers(std::string_view key, const std::vector<std::int64_t>& values);
    void emptyMap(std::string_view key);
    /// A map or a list, whichever follows.
    void begin(std::string_view key);
    /// An item of a list that is a map.
    void beginItem();
    void end();
    std::string take();

private:
    void line(std::string_view key, const std::string& value);

    std::string m_text;
    std::size_t m_depth = 0;
    bool m_startsItem = false;
};

} // namespace collscope
