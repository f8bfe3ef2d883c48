// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

// The nodes of an execution trace whose text is damaged: each one that holds together, and how many do not.

#include <cstdint>
#include <functional>
#include <string_view>

namespace collscope {

struct NodeCallbacks
{
    /// A node whose brackets and strings match, and its byte; false to stop.
    std::function<bool(std::string_view json, std::size_t offset)> whole;
    /// So many nodes from this byte on do not hold together.
    std::function<void(std::size_t offset, std::uint64_t nodes)> lost;
};

/// Where the list of nodes begins; the first node, where that cannot be seen. The text's size if there is
/// neither.
std::size_t beginOfNodes(std::string_view text);
/// Goes through the nodes from there on. True if the list has an end, or it was stopped; false if the text is
/// cut off, and the node in which it is is not counted. Takes time in proportion to the text.
bool forEachNode(std::string_view text, std::size_t from, const NodeCallbacks& callbacks);

} // namespace collscope
