// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The command mcp: a server for agents on standard input and output.

#include "app/agents/mcp_server.h"
#include "app/cli/command_input.h"
#include "app/commands/batch.h"
#include "app/files/batch_io.h"
#include "app/files/resources.h"

#include <unistd.h>

#include <filesystem>

namespace collscope {

namespace {

class McpCommand : public BatchCommand
{
public:
    void declare() override;
    Status check() override;

protected:
    int execute() const override;

private:
    std::vector<std::string> m_folders;
    bool m_demo = false;
    int m_mostTokens = usualMaxTokens;
    int m_threads = 0;
    LoadOptions m_load;
};

void McpCommand::declare()
{
    constexpr int fewestTokens = 2000, mostTokens = 1'000'000, mostThreads = 1024;
    options.group("Folders");
    options.texts("FOLDER", m_folders, OptionSpec::Takes::Many, "",
                  "Folders that may be read; default: the current one");
    options.flag("--demo", m_demo, "Also the demo run that comes with the program");
    options.group("Limits");
    options.number("--max-tokens", m_mostTokens, fewestTokens, mostTokens,
                   "Size of an answer, counted as one token for each two bytes; default: "
                       + std::to_string(usualMaxTokens));
    declareMemory(options, m_load, "Memory limit, e.g. 8G (default: three quarters of the free memory)");
    options.number("--threads", m_threads, 0, mostThreads, "Threads for loading, 0 = one per core");
}

Status McpCommand::check()
{
    if (m_demo) {
        const std::string demo = resourceFolder("demo");
        if (demo.empty())
            return usageError("The demo run is not installed.");
        m_folders.push_back(demo);
    }
    if (!m_folders.empty())
        return {};
    // Clients that start a server outside of any project start it there.
    std::error_code error;
    const std::filesystem::path current = std::filesystem::current_path(error);
    if (error || current == current.root_path())
        return usageError("Give the folders that agents may read.");
    m_folders.push_back(current.string());
    return {};
}

int McpCommand::execute() const
{
    const Result<FolderFence> fence = FolderFence::around(m_folders);
    if (!fence) {
        say(fence.error().message);
        return NothingReadable;
    }
    KeptRuns runs(*fence, {m_threads, m_load.maxMemory});
    ToolCaller caller(*fence, runs, m_mostTokens, m_threads);
    RpcStream stream(STDIN_FILENO);
    if (const Status started = stream.start(); !started) {
        say(started.error().message);
        return NotAvailable;
    }
    if (::isatty(STDIN_FILENO) != 0)
        say("an agent starts this program and sends it messages on standard input; Ctrl+D ends it.");
    return McpServer(stream, caller, runs).serve();
}

} // namespace

std::unique_ptr<ProgramCommand> mcpCommand()
{
    return std::make_unique<McpCommand>();
}

} // namespace collscope
