// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/readers/kineto/execution_nodes.h"

#include "model/readers/text/event_starts.h"
#include "model/readers/text/json_walk.h"
#include "model/readers/text/list_pieces.h"

#include <algorithm>

namespace collscope {

namespace {

/// The key that each node has once, and no object inside a node.
constexpr std::string_view nodeKey = "\"id\"";

bool nodeBegins(std::string_view text, std::size_t brace)
{
    return hasKey(text, brace, nodeKey) == Begins::Yes;
}

/// The brace of the next node; the text's size if there is none.
std::size_t nextNode(std::string_view text, std::size_t from)
{
    std::size_t brace = text.find('{', from);
    while (brace != std::string_view::npos && !nodeBegins(text, brace))
        brace = text.find('{', brace + 1);
    return std::min(brace, text.size());
}

std::uint64_t countNodes(std::string_view text)
{
    std::uint64_t count = 0;
    for (std::size_t at = text.find(nodeKey); at != std::string_view::npos; at = text.find(nodeKey, at + 1)) {
        const std::size_t colon = afterBlanks(text, at + nodeKey.size());
        count += colon < text.size() && text[colon] == ':' ? 1u : 0u;
    }
    return count;
}

/// A node contains no nodes; if a few are found inside, a list has lost its end.
struct FewNodes
{
    int nodes = 0;

    bool mayOpen(std::string_view text, std::size_t brace, bool isInList, std::size_t)
    {
        constexpr int most = 4;
        return !isInList || !nodeBegins(text, brace) || nodes++ < most;
    }
    static bool mayPass(std::string_view, std::size_t) { return true; }
};

/// Whether a bracket ends the list, that is, no node follows.
bool endsNodes(std::string_view text, std::size_t bracket)
{
    std::size_t at = afterBlanks(text, bracket + 1);
    if (at < text.size() && text[at] == ',')
        at = afterBlanks(text, at + 1);
    return at >= text.size() || text[at] != '{' || !nodeBegins(text, at);
}

} // namespace

std::size_t beginOfNodes(std::string_view text)
{
    const std::size_t list = afterListBegin(text, 0, std::string_view::npos, "\"nodes\"");
    return list != std::string_view::npos ? list : nextNode(text, 1); // skips the brace of the document
                                                                      // itself
}

bool forEachNode(std::string_view text, std::size_t from, const NodeCallbacks& callbacks)
{
    using Walk = JsonWalk<FewNodes>;
    for (std::size_t at = from;;) {
        while (at < text.size() && (isJsonBlank(text[at]) || text[at] == ','))
            ++at;
        if (at == text.size())
            return false;
        if (text[at] == ']' && endsNodes(text, at))
            return true;
        const bool isObject = text[at] == '{';
        FewNodes guard;
        Walk walk(text, guard);
        const Walk::End end = isObject ? walk.walk(at) : Walk::End::Broken;
        if (end == Walk::End::Closed) {
            if (!callbacks.whole(text.substr(at, walk.at() - at), at))
                return true;
            at = walk.at();
            continue;
        }
        const std::size_t next = nextNode(text, at + 1);
        if (end == Walk::End::Open && next == text.size())
            return false;
        const std::uint64_t nodes
            = std::max<std::uint64_t>(countNodes(text.substr(at, next - at)), isObject ? 1 : 0);
        if (nodes > 0)
            callbacks.lost(at, nodes);
        if (next == text.size())
            return text.find(']', at) != std::string_view::npos;
        at = next;
    }
}

} // namespace collscope
