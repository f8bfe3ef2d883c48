// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/text/short_names.h"

#include <algorithm>

namespace collscope {

namespace {

/// Names of kernels that only wrap the work, which their first template argument names.
constexpr std::string_view wrappers[]
    = {"device_kernel", "Kernel", "Kernel2", "enable_sm90_or_later", "enable_sm90_only", "enable_sm100_only"};

bool isWrapper(std::string_view head)
{
    return std::find(std::begin(wrappers), std::end(wrappers), head) != std::end(wrappers);
}

/// "f7a2" of "## Call CompiledFxGraph f7a2 ##", as torch.compile marks the call of a graph; empty for others.
std::string_view compiledGraph(std::string_view name)
{
    constexpr std::string_view prefix = "## Call CompiledFxGraph ";
    if (!name.starts_with(prefix))
        return {};
    name.remove_prefix(prefix.size());
    return name.substr(0, name.find(' '));
}

} // namespace

std::string shortNameOf(std::string_view name)
{
    if (const std::string_view graph = compiledGraph(name); !graph.empty())
        return "graph " + std::string(graph);
    // In names of annotations and operators ("autograd::engine::evaluate_function: MmBackward0") the specific
    // part follows the last colon.
    if (const std::size_t colon = name.find(": "); colon != std::string_view::npos)
        return std::string(name.substr(colon + 2));
    for (const std::string_view prefix : {"void ", "ncclDevKernel_", "ncclKernel_", "ncclDevFunc_"}) {
        if (name.starts_with(prefix))
            name.remove_prefix(prefix.size());
    }
    // "(anonymous namespace)::f<...>(...)": the first bracket after a word opens the arguments.
    std::size_t end = name.find_first_of("<(", 1);
    while (end != std::string_view::npos && name.substr(end).starts_with("(anonymous namespace)"))
        end = name.find_first_of("<(", end + 1);
    std::string_view head = name.substr(0, end);
    if (const std::size_t scope = head.rfind("::");
        scope != std::string_view::npos && scope + 2 < head.size())
        head = head.substr(scope + 2);
    if (end != std::string_view::npos && name[end] == '<' && end + 1 < name.size() && isWrapper(head))
        return shortNameOf(name.substr(end + 1, name.find_first_of(",>", end + 1) - end - 1));
    return std::string(head.empty() ? name : head);
}

} // namespace collscope
