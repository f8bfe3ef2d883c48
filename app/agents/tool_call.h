// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Answers calls of tools: runs the command, keeps what it prints, and gives it out in pages.

#include "app/agents/answer_pages.h"
#include "app/agents/kept_runs.h"
#include "app/agents/tool_words.h"

#include <deque>

namespace collscope {

/// The whole answer of a tool.
struct ToolAnswer
{
    std::string text; ///< what the command printed, or why it printed nothing
    Value::Object note; ///< what an agent should know besides
    bool isError = false;
};

class ToolCaller
{
public:
    /// `mostTokens`: of each answer, as answer_pages.h counts them. `threads` = 0: one per core.
    ToolCaller(const FolderFence& fence, KeptRuns& runs, int mostTokens, int threads)
        : m_fence(fence)
        , m_runs(runs)
        , m_mostBytes(static_cast<std::size_t>(mostTokens) * bytesPerToken)
        , m_threads(threads)
    { }

    /// The result of tools/call. `arguments`: an object.
    Value call(const AgentTool& tool, const Value& arguments);

private:
    struct Kept
    {
        std::string key;
        ToolAnswer answer;
    };
    ToolAnswer answerOf(const AgentTool& tool, const Value& arguments) const;
    const ToolAnswer* keptAnswer(const std::string& key) const;
    const ToolAnswer& keep(std::string key, ToolAnswer answer);
    Value pageValue(const ToolAnswer& answer, const std::string& cursor) const;

    const FolderFence& m_fence;
    KeptRuns& m_runs;
    std::size_t m_mostBytes;
    int m_threads;
    std::deque<Kept> m_kept; ///< for the next pages, the last one first
};

} // namespace collscope
