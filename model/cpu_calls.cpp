// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/cpu_calls.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <string>
#include <utility>

namespace collscope {

namespace {

struct CpuBackend
{
    std::string_view name;
    bool isOnCpu; ///< false: has the same kind of spans, but may work on devices
};
constexpr std::array<CpuBackend, 4> backends{{{"gloo", true}, {"mpi", true}, {"ucc", true}, {"xccl", false}}};

constexpr std::string_view operatorSpace = "c10d::";

bool isBlank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

std::string_view withoutBlanks(std::string_view text)
{
    while (!text.empty() && isBlank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isBlank(text.back()))
        text.remove_suffix(1);
    return text;
}

constexpr std::int64_t mostElements = std::int64_t{1} << 48;

/// Number of elements of one tensor, or of a list of tensors. A shape without dimensions is a single number.
std::optional<std::int64_t> elementsIn(std::string_view shape, bool isList, int depth = 0)
{
    constexpr int deepest = 4;
    if (depth == deepest || !shape.starts_with('[') || !shape.ends_with(']'))
        return std::nullopt;
    std::int64_t sum = 0, product = 1;
    for (const std::string_view item : listItems(shape)) {
        if (item.starts_with('[')) {
            const auto inner = elementsIn(item, false, depth + 1);
            if (!inner || sum > mostElements - *inner)
                return std::nullopt;
            sum += *inner;
            isList = true;
            continue;
        }
        std::int64_t count = 0;
        const auto [end, error] = std::from_chars(item.data(), item.data() + item.size(), count);
        if (isList || error != std::errc() || end != item.data() + item.size() || count < 0
            || (count > 0 && product > mostElements / count))
            return std::nullopt;
        product *= count;
    }
    return isList ? sum : product;
}

bool isTensorType(std::string_view type)
{
    return !type.empty() && type != "Scalar" && type != "ScalarList" && type != "None" && type != "Object";
}

} // namespace

CollectiveWord wordOf(std::string_view collective)
{
    std::string text;
    std::copy_if(collective.begin(), collective.end(), std::back_inserter(text),
                 [](char c) { return c != '_'; });
    // Longer words come first: "allreduce" contains "reduce".
    static constexpr std::array<std::pair<std::string_view, CollectiveWord>, 12> words{
        {{"allreduce", CollectiveWord::AllReduce},
         {"allgather", CollectiveWord::AllGather},
         {"reducescatter", CollectiveWord::ReduceScatter},
         {"alltoall", CollectiveWord::AllToAll},
         {"broadcast", CollectiveWord::Broadcast},
         {"barrier", CollectiveWord::Barrier},
         {"Barrier", CollectiveWord::Barrier},
         {"reduce", CollectiveWord::Reduce},
         {"gather", CollectiveWord::Gather},
         {"scatter", CollectiveWord::Scatter},
         {"send", CollectiveWord::Send},
         {"recv", CollectiveWord::Receive}}};
    for (const auto& [word, meaning] : words) {
        if (text.find(word) != std::string::npos)
            return meaning;
    }
    return CollectiveWord::Unknown;
}

KernelClass classOfWord(CollectiveWord word)
{
    switch (word) {
    case CollectiveWord::AllReduce:
        return KernelClass::AllReduce;
    case CollectiveWord::AllGather:
        return KernelClass::AllGather;
    case CollectiveWord::ReduceScatter:
        return KernelClass::ReduceScatter;
    case CollectiveWord::AllToAll:
        return KernelClass::AllToAll;
    case CollectiveWord::Broadcast:
        return KernelClass::Broadcast;
    case CollectiveWord::Reduce:
        return KernelClass::Reduce;
    case CollectiveWord::Send:
    case CollectiveWord::Receive:
        return KernelClass::SendRecv;
    case CollectiveWord::Barrier:
    case CollectiveWord::Gather:
    case CollectiveWord::Scatter:
    case CollectiveWord::Unknown:
        break;
    }
    return KernelClass::OtherCommunication;
}

CpuCallName cpuCallOf(std::string_view eventName)
{
    using Kind = CpuCallName::Kind;
    constexpr std::string_view firstLetters = "cgmux"; // the first letter excludes most names
    if (eventName.empty() || firstLetters.find(eventName.front()) == std::string_view::npos)
        return {};
    if (eventName.starts_with(operatorSpace)) {
        std::string_view collective = eventName.substr(operatorSpace.size());
        if (collective.ends_with('_')) // suffix of in-place operators
            collective.remove_suffix(1);
        return {wordOf(collective) == CollectiveWord::Unknown ? Kind::None : Kind::Operator, {}, collective};
    }
    const std::size_t colon = eventName.find(':');
    for (const CpuBackend& backend : backends) {
        if (colon == backend.name.size() && eventName.starts_with(backend.name)) {
            const std::string_view collective = eventName.substr(colon + 1);
            return {wordOf(collective) == CollectiveWord::Unknown ? Kind::None : Kind::Span, backend.name,
                    collective};
        }
    }
    return {};
}

bool isCpuBackend(std::string_view backend)
{
    if (const std::size_t colon = backend.find(':'); colon != std::string_view::npos)
        return backend.starts_with("cpu:") && backend.find(',') == std::string_view::npos
            && isCpuBackend(backend.substr(colon + 1));
    return std::any_of(backends.begin(), backends.end(),
                       [&](const CpuBackend& known) { return known.isOnCpu && known.name == backend; });
}

std::optional<CallArguments> callArguments(std::string_view collective)
{
    switch (wordOf(collective)) {
    case CollectiveWord::AllGather:
    case CollectiveWord::ReduceScatter:
    case CollectiveWord::AllToAll:
    case CollectiveWord::Gather:
    case CollectiveWord::Scatter:
        return CallArguments{1, 0, false};
    case CollectiveWord::Send:
        return CallArguments{0, 0, true};
    case CollectiveWord::Receive: // a receive from any rank lacks this argument
        return CallArguments{0, 0, collective.find("any") == std::string_view::npos};
    case CollectiveWord::Barrier:
    case CollectiveWord::Unknown:
        return std::nullopt;
    default:
        return CallArguments{};
    }
}

ShapeText::ShapeText(std::string_view shapes, std::string_view types)
    : m_shapes(listItems(shapes))
    , m_types(listItems(types))
{ }

std::optional<std::int64_t> ShapeText::elementsAt(std::size_t argument) const
{
    if (argument >= m_shapes.size() || argument >= m_types.size() || !isTensorType(m_types[argument]))
        return std::nullopt;
    return elementsIn(m_shapes[argument], m_types[argument] == "TensorList");
}

std::optional<std::int64_t> ShapeText::elements() const
{
    std::optional<std::int64_t> sum;
    for (std::size_t i = 0; i < m_shapes.size(); ++i) {
        const auto own = elementsAt(i);
        if (own && *own <= mostElements - sum.value_or(0))
            sum = sum.value_or(0) + *own;
    }
    return sum;
}

std::string_view ShapeText::elementType() const
{
    const auto found = std::find_if(m_types.begin(), m_types.end(), [](std::string_view type) {
        return isTensorType(type) && type != "TensorList";
    });
    return found == m_types.end() ? std::string_view() : *found;
}

std::vector<std::string_view> listItems(std::string_view text)
{
    std::vector<std::string_view> items;
    text = withoutBlanks(text);
    if (text.size() < 2 || text.front() != '[' || text.back() != ']')
        return items;
    text = withoutBlanks(text.substr(1, text.size() - 2));
    if (text.empty())
        return items;
    int depth = 0;
    bool isQuoted = false;
    std::size_t begin = 0;
    const auto add = [&](std::size_t end) {
        std::string_view item = withoutBlanks(text.substr(begin, end - begin));
        if (item.size() >= 2 && item.front() == '"' && item.back() == '"')
            item = item.substr(1, item.size() - 2);
        items.push_back(item);
        begin = end + 1;
    };
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '"')
            isQuoted = !isQuoted;
        else if (isQuoted)
            continue;
        else if (text[at] == '[' || text[at] == '{')
            ++depth;
        else if (text[at] == ']' || text[at] == '}')
            --depth;
        else if (text[at] == ',' && depth == 0)
            add(at);
    }
    add(text.size());
    return items;
}

} // namespace collscope
