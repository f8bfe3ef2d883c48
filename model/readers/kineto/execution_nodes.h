// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// Reads the nodes of an execution trace whose text is damaged: each intact node, and the number of damaged
// nodes.

#include <cstdint>
#include <functional>
#include <string_view>

namespace collscope {

struct NodeCallbacks
{
    /// Called with a node whose brackets and strings match, and its byte offset; return false to stop.
    std::function<bool(std::string_view json, std::size_t offset)> whole;
    /// Called with a byte offset and the number of damaged nodes from there on.
    std::function<void(std::size_t offset, std::uint64_t nodes)> lost;
};

/// Where the list of nodes starts, or else the first node. The text's size if neither is found.
std::size_t beginOfNodes(std::string_view text);
/// Visits the nodes from `from` on. Returns true if the list has an end or the walk was stopped; false if the
/// text is cut off, in which case the incomplete node is not counted. O(size of the text).
bool forEachNode(std::string_view text, std::size_t from, const NodeCallbacks& callbacks);

} // namespace collscope
