// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/reports/operator_inputs.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace collscope {

namespace {

using Shape = std::vector<std::int64_t>;
using Shapes = std::vector<Shape>;

/// Goes through a text, blanks passed over.
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
    /// A text in quotes, as it stands.
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

/// The entries of a list, each by `takeEntry`; nullopt if one of them, or the list itself, is anything else.
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

double countOf(const Shape& shape)
{
    double count = 1;
    for (const std::int64_t size : shape)
        count *= static_cast<double>(size);
    return count;
}

/// Tensor `a` times tensor `b`, in the way of aten::mm and aten::bmm, added to a tensor or not.
std::optional<OperatorWork> gemm(const Shape& a, const Shape& b, const Shape* added, std::int64_t bytes)
{
    const bool isBatch = a.size() == 3;
    if (a.size() != b.size() || (a.size() != 2 && !isBatch) || (isBatch && a[0] != b[0]))
        return std::nullopt;
    const std::size_t first = isBatch ? 1 : 0;
    const std::int64_t batch = isBatch ? a[0] : 1;
    const std::int64_t m = a[first], k = a[first + 1], n = b[first + 1];
    if (b[first] != k || batch <= 0 || m <= 0 || n <= 0 || k <= 0)
        return std::nullopt;
    const double outputs = static_cast<double>(batch) * static_cast<double>(m) * static_cast<double>(n);
    OperatorWork work;
    work.flops = 2 * outputs * static_cast<double>(k) + (added ? outputs : 0);
    work.bytes
        = static_cast<double>(bytes) * (countOf(a) + countOf(b) + outputs + (added ? countOf(*added) : 0));
    work.parameters = {{"M", m}, {"N", n}, {"K", k}, {"B", batch}, {"bias", added ? 1 : 0}};
    return work;
}

/// Queries, keys and values as (batch, heads, length, size), or with heads and length the other way round.
std::optional<OperatorWork> attention(const Shapes& shapes, bool headsFirst, bool isCausal,
                                      std::int64_t bytes)
{
    for (std::size_t i = 0; i < 3; ++i) {
        if (shapes[i].size() != 4
            || std::any_of(shapes[i].begin(), shapes[i].end(), [](auto n) { return n <= 0; }))
            return std::nullopt;
    }
    const std::size_t head = headsFirst ? 1 : 2, length = headsFirst ? 2 : 1;
    const std::int64_t batch = shapes[0][0], heads = shapes[0][head], queries = shapes[0][length],
                       keys = shapes[1][length], size = shapes[0][3], valueSize = shapes[2][3];
    if (shapes[2][length] != keys || shapes[1][3] != size || (isCausal && queries != keys))
        return std::nullopt;
    const double pairs = static_cast<double>(batch) * static_cast<double>(heads)
        * static_cast<double>(queries) * static_cast<double>(keys);
    OperatorWork work;
    work.kind = OperatorWork::Kind::Attention;
    work.flops = 2 * pairs * static_cast<double>(size + valueSize) / (isCausal ? 2 : 1);
    work.bytes = static_cast<double>(bytes)
        * (countOf(shapes[0]) + countOf(shapes[1]) + countOf(shapes[2])
           + countOf(shapes[0]) / static_cast<double>(size) * static_cast<double>(valueSize));
    work.parameters = {{"B", batch},
                       {"N_Q", queries},
                       {"H_Q", heads},
                       {"N_KV", keys},
                       {"H_KV", shapes[1][head]},
                       {"d_h_qk", size},
                       {"d_h_v", valueSize},
                       {"causal", isCausal ? 1 : 0}};
    return work;
}

/// What two tensors of an elementwise operator make together; nullopt if they do not fit.
std::optional<Shape> broadcast(const Shape& a, const Shape& b)
{
    Shape out(std::max(a.size(), b.size()));
    for (std::size_t i = 0; i < out.size(); ++i) { // from the last dimension on
        const std::int64_t ofA = i < a.size() ? a[a.size() - 1 - i] : 1;
        const std::int64_t ofB = i < b.size() ? b[b.size() - 1 - i] : 1;
        if (ofA != ofB && ofA != 1 && ofB != 1)
            return std::nullopt;
        out[out.size() - 1 - i] = ofA == 1 ? ofB : ofA;
    }
    return out;
}

std::optional<OperatorWork> binary(const Shapes& shapes, const std::vector<std::string>& types)
{
    const auto first = elementBytes(types[0]), second = elementBytes(types[1]);
    const auto out = broadcast(shapes[0], shapes[1]);
    if (!first || !second || !out)
        return std::nullopt;
    OperatorWork work;
    work.kind = OperatorWork::Kind::Binary;
    work.flops = countOf(*out);
    work.bytes = countOf(shapes[0]) * static_cast<double>(*first)
        + countOf(shapes[1]) * static_cast<double>(*second)
        + countOf(*out) * static_cast<double>(std::max(*first, *second));
    work.parameters = {{"elements", static_cast<std::int64_t>(countOf(*out))}};
    return work;
}

/// Operators whose work is known, and where in their inputs it is.
enum class Form
{
    Gemm, ///< A, B
    AddedGemm, ///< added, A, B
    AttentionHeadsFirst, ///< Q, K, V, ... as (batch, heads, length, size)
    AttentionLengthFirst,
    Binary
};
struct KnownOperator
{
    std::string_view name;
    Form form;
    std::size_t causalAt = 0; ///< of attention: the input that says it
};
constexpr std::array<KnownOperator, 14> knownOperators{{
    {"aten::mm", Form::Gemm},
    {"aten::bmm", Form::Gemm},
    {"aten::addmm", Form::AddedGemm},
    {"aten::addmm_", Form::AddedGemm},
    {"aten::baddbmm", Form::AddedGemm},
    {"aten::_scaled_dot_product_flash_attention", Form::AttentionHeadsFirst, 4},
    {"aten::_flash_attention_forward", Form::AttentionLengthFirst, 8},
    {"aten::add", Form::Binary},
    {"aten::add_", Form::Binary},
    {"aten::sub", Form::Binary},
    {"aten::mul", Form::Binary},
    {"aten::mul_", Form::Binary},
    {"aten::div", Form::Binary},
    {"aten::div_", Form::Binary},
}};

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

std::optional<std::vector<std::vector<std::int64_t>>> shapesOf(std::string_view json)
{
    Scanner scanner(json);
    auto shapes = listOf<Shape>(
        scanner, [&] { return listOf<std::int64_t>(scanner, [&] { return scanner.takeNumber(); }); });
    return scanner.isAtEnd() ? shapes : std::nullopt;
}

std::optional<std::vector<std::string>> textsOf(std::string_view json)
{
    Scanner scanner(json);
    auto texts = listOf<std::string>(scanner, [&] { return scanner.takeText(); });
    return scanner.isAtEnd() ? texts : std::nullopt;
}

std::optional<std::int64_t> elementBytes(std::string_view type)
{
    static constexpr std::pair<std::string_view, std::int64_t> known[] = {{"c10::BFloat16", 2},
                                                                          {"c10::Half", 2},
                                                                          {"float", 4},
                                                                          {"double", 8},
                                                                          {"long int", 8},
                                                                          {"long", 8},
                                                                          {"int", 4},
                                                                          {"short int", 2},
                                                                          {"short", 2},
                                                                          {"signed char", 1},
                                                                          {"unsigned char", 1},
                                                                          {"bool", 1},
                                                                          {"c10::Float8_e4m3fn", 1},
                                                                          {"c10::Float8_e5m2", 1},
                                                                          {"c10::Float8_e4m3fnuz", 1},
                                                                          {"c10::Float8_e5m2fnuz", 1}};
    const auto* const found = std::find_if(std::begin(known), std::end(known),
                                           [&](const auto& entry) { return entry.first == type; });
    return found == std::end(known) ? std::nullopt : std::optional(found->second);
}

std::optional<OperatorWork> operatorWork(std::string_view name, const OperatorInputs& inputs)
{
    const auto* const known = std::find_if(knownOperators.begin(), knownOperators.end(),
                                           [&](const KnownOperator& op) { return op.name == name; });
    if (known == knownOperators.end())
        return std::nullopt;
    const auto shapes = shapesOf(inputs.dims);
    const auto types = textsOf(inputs.types);
    const std::size_t needed = known->form == Form::Gemm || known->form == Form::Binary ? 2 : 3;
    if (!shapes || !types || shapes->size() < needed || types->size() < needed)
        return std::nullopt;
    if (known->form == Form::Binary)
        return binary(*shapes, *types);
    const std::size_t a = known->form == Form::AddedGemm ? 1 : 0;
    const auto bytes = elementBytes((*types)[a]);
    if (!bytes || (*types)[a] != (*types)[a + 1])
        return std::nullopt;
    if (known->form == Form::Gemm || known->form == Form::AddedGemm)
        return gemm((*shapes)[a], (*shapes)[a + 1], a == 1 ? &shapes->front() : nullptr, *bytes);
    const auto concrete = textsOf(inputs.concrete);
    if (!concrete || concrete->size() <= known->causalAt)
        return std::nullopt;
    const std::string& causal = (*concrete)[known->causalAt];
    if (causal != "True" && causal != "False")
        return std::nullopt;
    return attention(*shapes, known->form == Form::AttentionHeadsFirst, causal == "True", *bytes);
}

} // namespace collscope
