// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A scripted client of `collscope mcp`: the real program, spoken to line by line.

#include <QByteArray>
#include <QProcess>
#include <QStringList>

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace collscope {

/// The answer of a tool, page by page.
struct ToolPages
{
    std::string text; ///< the pages joined
    std::vector<std::string> pages;
    nlohmann::json note; ///< of the last page
    bool isError = false;
    std::size_t mostBytes = 0; ///< of all texts of the largest answer

    nlohmann::json json() const { return nlohmann::json::parse(text, nullptr, false); }
    /// The lines as JSON: a head, then rows.
    std::vector<nlohmann::json> lines() const;
};

class McpClient
{
public:
    explicit McpClient(const QStringList& arguments);
    ~McpClient();

    /// Sends bytes as they are.
    void write(const QByteArray& bytes);
    /// The next line as JSON; null if none came.
    nlohmann::json read();
    /// Sends a request and returns what has its id: the whole message. Notifications are kept.
    nlohmann::json request(const std::string& method,
                           const nlohmann::json& params = nlohmann::json::object());
    /// initialize and its notification. Returns the result.
    nlohmann::json greet(const std::string& version = "2025-11-25");
    /// One page.
    nlohmann::json callOnce(const std::string& tool, const nlohmann::json& arguments);
    /// All pages.
    ToolPages call(const std::string& tool, nlohmann::json arguments = nlohmann::json::object());
    /// Closes the input. Returns the exit code; -1 if it does not end.
    int end();

    const std::vector<nlohmann::json>& notifications() const { return m_notifications; }
    QProcess& process() { return m_process; }

private:
    QProcess m_process;
    QByteArray m_unread;
    std::vector<nlohmann::json> m_notifications;
    int m_lastId = 0;
};

} // namespace collscope
