// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/batch/agents/mcp_client.h"

#include <algorithm>
#include <sstream>

namespace collscope {

namespace {

constexpr int patienceMs = 300'000;

} // namespace

std::vector<nlohmann::json> ToolPages::lines() const
{
    std::vector<nlohmann::json> all;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        all.push_back(nlohmann::json::parse(line, nullptr, false));
    return all;
}

McpClient::McpClient(const QStringList& arguments)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* variable : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "HOME", "XDG_RUNTIME_DIR"})
        environment.remove(QString::fromLatin1(variable));
    m_process.setProcessEnvironment(environment);
    m_process.start(QStringLiteral(COLLSCOPE_PROGRAM), QStringList{QStringLiteral("mcp")} + arguments);
    m_process.waitForStarted();
}

McpClient::~McpClient()
{
    end();
}

void McpClient::write(const QByteArray& bytes)
{
    m_process.write(bytes);
    while (m_process.bytesToWrite() > 0 && m_process.waitForBytesWritten(patienceMs)) { }
}

nlohmann::json McpClient::read()
{
    while (!m_unread.contains('\n')) {
        m_unread += m_process.readAllStandardOutput();
        if (!m_unread.contains('\n') && !m_process.waitForReadyRead(patienceMs)) {
            m_unread += m_process.readAllStandardOutput();
            if (!m_unread.contains('\n'))
                return {};
        }
    }
    const qsizetype end = m_unread.indexOf('\n');
    const QByteArray line = m_unread.left(end);
    m_unread.remove(0, end + 1);
    return nlohmann::json::parse(line.begin(), line.end(), nullptr, false);
}

nlohmann::json McpClient::request(const std::string& method, const nlohmann::json& params)
{
    const int id = ++m_lastId;
    const nlohmann::json message{{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", params}};
    write(QByteArray::fromStdString(message.dump() + "\n"));
    for (nlohmann::json answer = read(); answer.is_object(); answer = read()) {
        if (answer.value("id", nlohmann::json()) == id)
            return answer;
        m_notifications.push_back(std::move(answer));
    }
    return {};
}

nlohmann::json McpClient::greet(const std::string& version)
{
    const nlohmann::json answer = request("initialize",
                                          {{"protocolVersion", version},
                                           {"capabilities", nlohmann::json::object()},
                                           {"clientInfo", {{"name", "test"}, {"version", "1"}}}});
    write("{\"jsonrpc\": \"2.0\", \"method\": \"notifications/initialized\"}\n");
    return answer.value("result", nlohmann::json());
}

nlohmann::json McpClient::callOnce(const std::string& tool, const nlohmann::json& arguments)
{
    return request("tools/call", {{"name", tool}, {"arguments", arguments}})
        .value("result", nlohmann::json());
}

ToolPages McpClient::call(const std::string& tool, nlohmann::json arguments)
{
    ToolPages answer;
    while (true) {
        const nlohmann::json result = callOnce(tool, arguments);
        if (!result.is_object()) {
            answer.isError = true;
            return answer;
        }
        answer.isError = result["isError"];
        answer.pages.push_back(result["content"][0]["text"]);
        answer.text += answer.pages.back();
        std::size_t bytes = 0;
        for (const auto& content : result["content"])
            bytes += content["text"].get<std::string>().size();
        answer.mostBytes = std::max(answer.mostBytes, bytes);
        answer.note = result["content"].size() > 1
            ? nlohmann::json::parse(result["content"][1]["text"].get<std::string>(), nullptr, false)
            : nlohmann::json::object();
        const nlohmann::json next = answer.note.value("next_cursor", nlohmann::json());
        if (!next.is_string())
            return answer;
        arguments["cursor"] = next;
    }
}

int McpClient::end()
{
    if (m_process.state() == QProcess::NotRunning)
        return m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1;
    m_process.closeWriteChannel();
    if (!m_process.waitForFinished(patienceMs)) {
        m_process.kill();
        m_process.waitForFinished();
        return -1;
    }
    return m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1;
}

} // namespace collscope
