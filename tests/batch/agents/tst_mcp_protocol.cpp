// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The Model Context Protocol as published: handshake, errors, and what hostile clients send.

#include "tests/batch/agents/mcp_client.h"
#include "tests/batch/program.h"
#include "tests/support/suite/run_folder.h"
#include "tests/support/suite/suite.h"

#include <QFile>

#include <csignal>

namespace collscope {

class TestMcpProtocol : public QObject
{
    Q_OBJECT

    RunFolder m_folder;
    std::unique_ptr<McpClient> m_client;

    QStringList folder() const { return {QString::fromStdString(m_folder.path(""))}; }
    /// Sends a line and returns the answer.
    nlohmann::json answerTo(const QByteArray& line)
    {
        m_client->write(line + "\n");
        return m_client->read();
    }

private slots:
    void init() { m_client = std::make_unique<McpClient>(folder()); }
    void cleanup() { m_client.reset(); }

    void handshake_data()
    {
        QTest::addColumn<QString>("asked");
        QTest::addColumn<QString>("spoken");
        const auto row = [](const char* asked, const char* spoken) {
            QTest::newRow(asked) << QString::fromLatin1(asked) << QString::fromLatin1(spoken);
        };
        row("2025-11-25", "2025-11-25");
        row("2025-06-18", "2025-06-18");
        row("2024-11-05", "2024-11-05");
        row("2025-03-26", "2024-11-05"); // which such a client knows; its own requires batches
        row("2099-01-01", "2025-11-25");
        row("1.0", "2025-11-25");
    }
    void handshake()
    {
        QFETCH(const QString, asked);
        QFETCH(const QString, spoken);
        const nlohmann::json result = m_client->greet(asked.toStdString());
        QCOMPARE(result["protocolVersion"].get<std::string>(), spoken.toStdString());
        QCOMPARE(result["serverInfo"]["name"].get<std::string>(), std::string("collscope"));
        QCOMPARE(result["serverInfo"]["version"].get<std::string>(), std::string(COLLSCOPE_VERSION));
        QVERIFY(result["capabilities"].contains("tools"));
        QVERIFY(!result["instructions"].get<std::string>().empty());
        // The notification is not answered: the next line answers the next request.
        QVERIFY(m_client->request("ping")["result"] == nlohmann::json::object());
        QCOMPARE(m_client->end(), 0);
    }
    void toolsHaveSchemas()
    {
        m_client->greet();
        const nlohmann::json tools = m_client->request("tools/list")["result"]["tools"];
        std::vector<std::string> names;
        for (const auto& tool : tools) {
            names.push_back(tool["name"]);
            QVERIFY(!tool["description"].get<std::string>().empty());
            QCOMPARE(tool["inputSchema"]["type"].get<std::string>(), std::string("object"));
            QVERIFY(tool["inputSchema"]["properties"].contains("cursor"));
            QVERIFY(tool["annotations"]["readOnlyHint"].get<bool>());
            for (const auto& required : tool["inputSchema"]["required"])
                QVERIFY(tool["inputSchema"]["properties"].contains(required.get<std::string>()));
            for (const auto& [name, property] : tool["inputSchema"]["properties"].items()) {
                QVERIFY2(property.contains("type") && !property["description"].get<std::string>().empty(),
                         name.c_str());
                // Nothing that is written can be named.
                for (const char* forbidden : {"output", "csv", "plot", "write", "json", "leaderboard"})
                    QVERIFY2(name.find(forbidden) == std::string::npos, name.c_str());
            }
        }
        const std::vector<std::string> expected{
            "open",   "findings", "metrics", "list_metrics", "explain", "collectives", "stragglers", "gaps",
            "slices", "compare",  "gate",    "what_if",      "hang",    "network",     "history"};
        QCOMPARE(names, expected);
    }
    void theSkillNamesTheTools()
    {
        QFile file(QStringLiteral(COLLSCOPE_SOURCE_FOLDER "/resources/skill/collscope/SKILL.md"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray skill = file.readAll();
        QVERIFY(skill.startsWith("---\nname: collscope\ndescription: "));
        m_client->greet();
        for (const auto& tool : m_client->request("tools/list")["result"]["tools"])
            QVERIFY2(skill.contains('`' + QByteArray::fromStdString(tool["name"]) + '`'),
                     tool["name"].get<std::string>().c_str());
    }
    void mistakes_data()
    {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<int>("code");
        QTest::addColumn<QByteArray>("id");
        const auto row = [](const char* title, const QByteArray& line, int code, const char* id) {
            QTest::newRow(title) << line << code << QByteArray(id);
        };
        row("not JSON", "{\"jsonrpc\": \"2.0\", ", -32700, "null");
        row("text", "hello", -32700, "null");
        row("not UTF-8", "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"\xff\xfe\"}", -32700, "null");
        row("NUL", QByteArray("{\"a\": \0}", 8), -32700, "null");
        row("nested", QByteArray(100'000, '['), -32700, "null");
        row("nested whole", QByteArray(100'000, '[') + QByteArray(100'000, ']'), -32700, "null");
        row("number out of range", "{\"jsonrpc\": \"2.0\", \"id\": 1e999, \"method\": \"ping\"}", -32700,
            "null");
        row("too long", "{\"a\": \"" + QByteArray(2'000'000, 'x') + "\"}", -32700, "null");
        row("a batch", "[{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\"}]", -32600, "null");
        row("a number", "7", -32600, "null");
        row("no version", "{\"id\": 1, \"method\": \"ping\"}", -32600, "1");
        row("version 1", "{\"jsonrpc\": \"1.0\", \"id\": \"x\", \"method\": \"ping\"}", -32600, "\"x\"");
        row("no method", "{\"jsonrpc\": \"2.0\", \"id\": 1}", -32600, "1");
        row("method of another type", "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": 7}", -32600, "1");
        row("id null", "{\"jsonrpc\": \"2.0\", \"id\": null, \"method\": \"ping\"}", -32600, "null");
        row("id of another type", "{\"jsonrpc\": \"2.0\", \"id\": {}, \"method\": \"ping\"}", -32600, "null");
        row("id with a fraction", "{\"jsonrpc\": \"2.0\", \"id\": 1.5, \"method\": \"ping\"}", -32600,
            "null");
        row("unknown method", "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"resources/list\"}", -32601,
            "1");
        row("method of any bytes",
            "{\"jsonrpc\": \"2.0\", \"id\": \"\\n\\u0000\", \"method\": \"a\\nb\\u001b\"}", -32601,
            "\"\\n\\u0000\"");
        row("params a list", "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\", \"params\": []}",
            -32602, "1");
        row("initialize without a version",
            "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"initialize\", \"params\": {}}", -32602, "1");
        row("a cursor of the list",
            "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/list\", \"params\": {\"cursor\": \"2\"}}",
            -32602, "1");
        row("call without a name", "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/call\"}", -32602,
            "1");
        row("unknown tool",
            "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/call\", \"params\": {\"name\": \"rm\"}}",
            -32602, "1");
        row("arguments a list",
            "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/call\", \"params\": {\"name\": \"open\", "
            "\"arguments\": []}}",
            -32602, "1");
    }
    void mistakes()
    {
        QFETCH(const QByteArray, line);
        QFETCH(const int, code);
        QFETCH(const QByteArray, id);
        const nlohmann::json answer = answerTo(line);
        QVERIFY(answer.is_object());
        QCOMPARE(answer["error"]["code"].get<int>(), code);
        QVERIFY(!answer["error"]["message"].get<std::string>().empty());
        QVERIFY(answer["id"] == nlohmann::json::parse(id.toStdString()));
        // The stream goes on.
        QVERIFY(m_client->request("ping")["result"] == nlohmann::json::object());
    }
    void whatIsNotAnswered()
    {
        m_client->write("\n   \r\n"
                        "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/unknown\"}\n"
                        "{\"jsonrpc\": \"2.0\", \"method\": \"tools/list\"}\n"
                        "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/cancelled\", \"params\": "
                        "{\"requestId\": 99}}\n"
                        "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/cancelled\", \"params\": []}\n"
                        "{\"jsonrpc\": \"2.0\", \"id\": 4, \"result\": {}}\n"
                        "{\"jsonrpc\": \"2.0\", \"id\": 4, \"error\": {\"code\": 1, \"message\": \"\"}}\n");
        const nlohmann::json answer
            = answerTo("{\"jsonrpc\": \"2.0\", \"id\": \"after\", \"method\": \"ping\"}");
        QCOMPARE(answer["id"].get<std::string>(), std::string("after"));
    }
    void argumentsOfAnotherForm_data()
    {
        QTest::addColumn<QString>("tool");
        QTest::addColumn<QByteArray>("arguments");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* title, const char* tool, const char* arguments, const char* said) {
            QTest::newRow(title) << QString::fromLatin1(tool) << QByteArray(arguments)
                                 << QString::fromLatin1(said);
        };
        row("unknown", "findings", R"({"output": "/tmp/x"})", "has no argument output");
        row("an option that writes", "metrics", R"({"metric": "mfu", "csv": "/tmp/x"})",
            "has no argument csv");
        row("a list", "findings", R"({"steps": ["1"]})", "steps must be");
        row("a flag as text", "hang", R"({"hung": "yes"})", "hung must be true or false");
        row("steps", "findings", R"({"steps": "last"})", "--steps takes");
        row("clocks", "findings", R"({"clocks": "mine"})", "--clocks takes");
        row("an option in a value", "findings", R"({"steps": "--json"})", "--steps takes");
        row("missing", "metrics", R"({})", "needs the argument metric");
        row("unknown metric", "metrics", R"({"metric": ["comm_comp_overlop"]})", "comm_comp_overlap");
        row("neither", "explain", R"({})", "--metric METRIC or --step N");
        row("a path as a number", "open", R"({"run": 7})", "does not exist");
        row("a path of NUL", "open", "{\"run\": \"a\\u0000b\"}", "NUL");
        row("a cursor of nothing", "list_metrics", R"({"cursor": "x"})", "not a cursor");
        row("a cursor far away", "list_metrics", R"({"cursor": "99999999999.1"})", "not a cursor");
        row("a cursor of another answer", "list_metrics", R"({"cursor": "0.1"})", "differs");
        row("a cursor of another type", "list_metrics", R"({"cursor": 7})", "cursor must be text");
    }
    void argumentsOfAnotherForm()
    {
        QFETCH(const QString, tool);
        QFETCH(const QByteArray, arguments);
        QFETCH(const QString, said);
        const nlohmann::json result
            = m_client->callOnce(tool.toStdString(), nlohmann::json::parse(arguments.toStdString()));
        QVERIFY(result["isError"].get<bool>());
        const QString text = QString::fromStdString(result["content"][0]["text"]);
        QVERIFY2(text.contains(said), qUtf8Printable(text));
    }
    void answersWhatCameBeforeTheEnd()
    {
        QByteArray lines;
        for (int i = 0; i < 600; ++i)
            lines += "{\"jsonrpc\": \"2.0\", \"id\": " + QByteArray::number(i)
                + ", \"method\": \"initialize\", \"params\": {\"protocolVersion\": \"2025-11-25\"}}\n";
        lines
            += "{\"jsonrpc\": \"2.0\", \"id\": \"last\", \"method\": \"tools/list\"}"; // without a line feed
        m_client->write(lines);
        m_client->process().closeWriteChannel();
        for (int i = 0; i < 600; ++i)
            QCOMPARE(m_client->read()["id"].get<int>(), i);
        QCOMPARE(m_client->read()["id"].get<std::string>(), std::string("last"));
        QCOMPARE(m_client->end(), 0);
    }
    void endsOnASignal()
    {
        m_client->greet();
        QVERIFY(m_client->request("ping")["result"] == nlohmann::json::object());
        QCOMPARE(::kill(static_cast<pid_t>(m_client->process().processId()), SIGTERM), 0);
        QVERIFY(m_client->process().waitForFinished());
        QCOMPARE(m_client->process().exitCode(), 5);
    }
    void startsWithFolders()
    {
        const ProgramRun missing = runProgram({QStringLiteral("mcp"), QStringLiteral("/no/such/folder")});
        QCOMPARE(missing.exitCode, 2);
        QCOMPARE(missing.out, QByteArray());
        QVERIFY(missing.err.contains("does not exist"));
        const ProgramRun unknown = runProgram({QStringLiteral("mcp"), QStringLiteral("--json")});
        QCOMPARE(unknown.exitCode, 1);
        QVERIFY2(unknown.err.contains("collscope mcp has no option --json"), unknown.err.constData());
        QCOMPARE(
            runProgram({QStringLiteral("mcp"), QStringLiteral("--max-tokens"), QStringLiteral("7")}).exitCode,
            1);
        QVERIFY(runProgram({QStringLiteral("mcp"), QStringLiteral("--help")}).out.contains("--max-tokens"));
        // After --batch it is a path like any other.
        QCOMPARE(runBatchProgram({QStringLiteral("mcp")}).exitCode, 2);
    }
};

} // namespace collscope

COLLSCOPE_TEST(collscope::TestMcpProtocol)
#include "tst_mcp_protocol.moc"
