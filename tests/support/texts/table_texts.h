// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the tests of export read and write as text: CSV, the statements of the guide, names that hurt.

#include <QByteArray>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace collscope {

inline std::string readWhole(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
}

inline QByteArray guidePage(const char* name)
{
    return QByteArray::fromStdString(
        readWhole(std::string(COLLSCOPE_SOURCE_FOLDER "/resources/help/") + name));
}

/// The statements in the page's ```sql blocks, each with the metric that its first line names, or "".
inline std::vector<std::pair<std::string, std::string>> statementsOf(const QByteArray& page)
{
    std::vector<std::pair<std::string, std::string>> statements;
    const std::string text = page.toStdString();
    const std::string open = "```sql\n";
    for (std::size_t at = text.find(open); at != std::string::npos; at = text.find(open, at)) {
        at += open.size();
        const std::string block = text.substr(at, text.find("```", at) - at);
        const bool isMetric = block.starts_with("-- ");
        statements.emplace_back(isMetric ? block.substr(3, block.find('\n') - 3) : std::string(), block);
    }
    return statements;
}

/// RFC 4180, read without the program's own code.
inline std::vector<std::vector<std::string>> csvRows(const std::string& text)
{
    std::vector<std::vector<std::string>> rows;
    std::vector<std::string> row(1);
    bool isQuoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (isQuoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"')
            row.back() += text[++i];
        else if (c == '"')
            isQuoted = !isQuoted;
        else if (!isQuoted && c == ',')
            row.emplace_back();
        else if (!isQuoted && c == '\n') {
            rows.push_back(std::exchange(row, std::vector<std::string>(1)));
        } else
            row.back() += c;
    }
    return rows;
}

/// Names of kernels as they must arrive in the tables.
inline std::vector<std::string> hostileNames()
{
    return {"\"; DROP TABLE kernels; --",
            "it's 'quoted'",
            "=cmd|' /C calc'!A0",
            "two\nlines, one\tname",
            "before\xEF\xBF\xBD"
            "after",
            "invalid \xEF\xBF\xBD\xEF\xBF\xBD bytes",
            "\xE4\xB8\xAD\xE6\x96\x87 \xF0\x9F\x98\x80"};
}

/// A run with these names: a NUL and two bytes that are not UTF-8 stand where the tables have U+FFFD.
inline void writeHostileRun(const std::string& folder)
{
    std::filesystem::create_directories(folder);
    std::ofstream file(folder + "/rank0_trace.json", std::ios::binary);
    file << "{\"traceEvents\": [";
    const char* const names[] = {"\\\"; DROP TABLE kernels; --",
                                 "it's 'quoted'",
                                 "=cmd|' /C calc'!A0",
                                 "two\\nlines, one\\tname",
                                 "before\\u0000after",
                                 "invalid \xC3\xFF bytes",
                                 "\xE4\xB8\xAD\xE6\x96\x87 \\ud83d\\ude00"};
    int at = 0;
    for (const char* name : names) {
        for (int i = 0; i < 10; ++i, ++at)
            file << (at == 0 ? "\n" : ",\n") << R"({"ph": "X", "cat": "kernel", "name": ")" << name
                 << R"(", "pid": 0, "tid": 7, "ts": )" << at * 10 << R"(, "dur": 5, "args": {"stream": 7}})";
    }
    file << "\n]}\n";
}

} // namespace collscope
