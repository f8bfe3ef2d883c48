// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/operators/operator_inputs.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace collscope {

namespace {

/// Scans a text and skips blanks.
class Scanner
{
public:
    explicit Scanner(std::string_view text)
        : m_text(text)
    { }

    bool take(char wanted)
    {
        skipBlanks();
        if (m_at == m_text.size() || m_text[m_at] != wanted)
            return false;
        ++m_at;
        return true;
    }
    std::optional<std::int64_t> takeNumber()
    {
        skipBlanks();
        std::int64_t number = 0;
        const auto [end, error]
            = std::from_chars(m_text.data() + m_at, m_text.data() + m_text.size(), number);
        if (error != std::errc())
            return std::nullopt;
        m_at = static_cast<std::size_t>(end - m_text.data());
        return number;
    }
    /// A quoted text, verbatim.
    std::optional<std::string> takeText()
    {
        if (!take('"'))
            return std::nullopt;
        const std::size_t end = m_text.find('"', m_at);
        if (end == std::string_view::npos)
            return std::nullopt;
        std::string text(m_text.substr(m_at, end - m_at));
        m_at = end + 1;
        return text;
    }
    /// All consecutive letters.
    std::string_view takeWord()
    {
        skipBlanks();
        const std::size_t begin = m_at;
        while (m_at < m_text.size() && static_cast<unsigned char>((m_text[m_at] | 0x20) - 'a') < 26)
            ++m_at;
        return m_text.substr(begin, m_at - begin);
    }
    bool isAtEnd()
    {
        skipBlanks();
        return m_at == m_text.size();
    }

private:
    void skipBlanks()
    {
        while (m_at < m_text.size() && static_cast<unsigned char>(m_text[m_at]) <= ' ')
            ++m_at;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
};

/// The entries of a list, each read by `takeEntry`; nullopt if an entry or the list is malformed.
template<typename T, typename TakeEntry>
std::optional<std::vector<T>> listOf(Scanner& scanner, const TakeEntry& takeEntry)
{
    std::vector<T> list;
    if (!scanner.take('['))
        return std::nullopt;
    if (scanner.take(']'))
        return list;
    do {
        std::optional<T> entry = takeEntry();
        if (!entry)
            return std::nullopt;
        list.push_back(std::move(*entry));
    } while (scanner.take(','));
    return scanner.take(']') ? std::optional(std::move(list)) : std::nullopt;
}

/// Tensor dimensions of real machines are below this limit. Sums and small multiples of it do not overflow.
constexpr std::int64_t largestSize = std::int64_t{1} << 40;

bool isPossible(std::int64_t size)
{
    return size >= -largestSize && size <= largestSize;
}

std::optional<bool> truthOf(std::string_view text)
{
    if (text != "True" && text != "False")
        return std::nullopt;
    return text == "True";
}

} // namespace

std::string onOneLine(std::string_view json)
{
    std::string line;
    bool isText = false;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const char c = json[i];
        if (isText && c == '\\' && i + 1 < json.size()) {
            line.append({c, json[++i]});
            continue;
        }
        isText = isText != (c == '"');
        if (!isText && static_cast<unsigned char>(c) <= ' ')
            continue;
        line.push_back(c);
        if (!isText && c == ',')
            line.push_back(' ');
    }
    return line;
}

std::optional<std::vector<TensorShape>> shapesOf(std::string_view json)
{
    Scanner scanner(json);
    auto shapes = listOf<TensorShape>(
        scanner, [&] { return listOf<std::int64_t>(scanner, [&] { return scanner.takeNumber(); }); });
    return scanner.isAtEnd() ? shapes : std::nullopt;
}

std::optional<std::vector<std::string>> textsOf(std::string_view json)
{
    Scanner scanner(json);
    auto texts = listOf<std::string>(scanner, [&] { return scanner.takeText(); });
    return scanner.isAtEnd() ? texts : std::nullopt;
}

std::optional<ElementType> elementType(std::string_view name)
{
    using enum NumberClass;
    static constexpr ElementType known[] = {{"c10::BFloat16", 2, Floating},
                                            {"c10::Half", 2, Floating},
                                            {"float", 4, Floating},
                                            {"double", 8, Floating},
                                            {"long int", 8, Whole},
                                            {"long", 8, Whole},
                                            {"int", 4, Whole},
                                            {"short int", 2, Whole},
                                            {"short", 2, Whole},
                                            {"signed char", 1, Whole},
                                            {"unsigned char", 1, Whole},
                                            {"bool", 1, Truth},
                                            {"c10::Float8_e4m3fn", 1, Floating},
                                            {"c10::Float8_e5m2", 1, Floating},
                                            {"c10::Float8_e4m3fnuz", 1, Floating},
                                            {"c10::Float8_e5m2fnuz", 1, Floating}};
    const auto* const found = std::find_if(std::begin(known), std::end(known),
                                           [&](const ElementType& entry) { return entry.name == name; });
    return found == std::end(known) ? std::nullopt : std::optional(*found);
}

double elementsOf(const TensorShape& shape)
{
    double count = 1;
    for (const std::int64_t size : shape)
        count *= static_cast<double>(size);
    return count;
}

std::optional<CallInputs> CallInputs::read(const OperatorInputs& inputs)
{
    auto shapes = shapesOf(inputs.dims);
    auto types = textsOf(inputs.types);
    if (!shapes || !types)
        return std::nullopt;
    for (const TensorShape& shape : *shapes) {
        if (std::any_of(shape.begin(), shape.end(),
                        [](std::int64_t size) { return size < 0 || !isPossible(size); }))
            return std::nullopt;
    }
    CallInputs read;
    read.m_shapes = std::move(*shapes);
    read.m_types = std::move(*types);
    read.m_values = textsOf(inputs.concrete).value_or(std::vector<std::string>());
    return read;
}

const TensorShape& CallInputs::shape(std::size_t place) const
{
    static const TensorShape none;
    return place < m_shapes.size() ? m_shapes[place] : none;
}

std::string_view CallInputs::type(std::size_t place) const
{
    return place < m_types.size() ? std::string_view(m_types[place]) : std::string_view();
}

std::string_view CallInputs::value(std::size_t place) const
{
    return place < m_values.size() ? std::string_view(m_values[place]) : std::string_view();
}

std::optional<bool> CallInputs::flag(std::size_t place) const
{
    return truthOf(value(place));
}

std::optional<std::int64_t> CallInputs::number(std::size_t place) const
{
    Scanner scanner(value(place));
    const auto number = scanner.takeNumber();
    return number && scanner.isAtEnd() && isPossible(*number) ? number : std::nullopt;
}

std::optional<std::vector<std::int64_t>> CallInputs::numbers(std::size_t place) const
{
    Scanner scanner(value(place));
    auto numbers = listOf<std::int64_t>(scanner, [&] { return scanner.takeNumber(); });
    if (!numbers || !scanner.isAtEnd() || !std::all_of(numbers->begin(), numbers->end(), isPossible))
        return std::nullopt;
    return numbers;
}

std::optional<std::vector<bool>> CallInputs::flags(std::size_t place) const
{
    Scanner scanner(value(place));
    auto flags = listOf<bool>(scanner, [&] { return truthOf(scanner.takeWord()); });
    return flags && scanner.isAtEnd() ? flags : std::nullopt;
}

} // namespace collscope
