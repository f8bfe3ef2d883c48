// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The inputs of an operator's call: shapes, types and values, as written by the profiler and as parsed.
// operator_work.h derives the work from them.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace collscope {

/// The inputs of a call, as written by the profiler: JSON lists with an entry for each input. Empty if shapes
/// were not recorded.
struct OperatorInputs
{
    std::string dims; ///< [[512], [141, 512], []]
    std::string types; ///< ["c10::BFloat16", "float", "Scalar"]
    std::string strides; ///< same form as dims
    std::string concrete; ///< ["", "", "1"]: the values of inputs that are not tensors

    // NOLINTNEXTLINE(modernize-use-nullptr): mistaken
    friend auto operator<=>(const OperatorInputs&, const OperatorInputs&) = default;
};

using TensorShape = std::vector<std::int64_t>; ///< elements along each dimension

/// A JSON list on one line, regardless of its layout in the file: "[[512], [141, 512]]".
std::string onOneLine(std::string_view json);
/// The entries of a list of lists of whole numbers; nullopt for any other text (a list of tensors).
std::optional<std::vector<TensorShape>> shapesOf(std::string_view json);
/// The texts of a flat list; nullopt for any other text.
std::optional<std::vector<std::string>> textsOf(std::string_view json);

/// Class of a tensor's elements. In PyTorch's type promotion a later class wins over an earlier one.
enum class NumberClass
{
    Truth,
    Whole,
    Floating
};
struct ElementType
{
    std::string_view name; ///< as PyTorch writes it: "c10::BFloat16", "long int"
    std::int64_t bytes = 0; ///< of one element
    NumberClass numbers = NumberClass::Floating;
};
/// nullopt for a text that does not name an element type ("Scalar", "") or names an unknown one.
std::optional<ElementType> elementType(std::string_view name);
/// Elements of a tensor; 1 for a tensor without dimensions. A double, because the text may contain any
/// numbers.
double elementsOf(const TensorShape& shape);

/// The parsed inputs of one call. Positions count from 0, as in the declaration of the operator; an input
/// that the call does not have is empty.
class CallInputs
{
public:
    /// nullopt if shapes or types are missing or not plain lists, or if a size is negative or larger than any
    /// machine supports.
    static std::optional<CallInputs> read(const OperatorInputs& inputs);

    std::size_t count() const { return m_shapes.size(); }
    /// Empty for a tensor without dimensions, and for an input that is not a tensor.
    const TensorShape& shape(std::size_t place) const;
    bool hasShape(std::size_t place) const { return !shape(place).empty(); }
    std::string_view type(std::size_t place) const;
    std::optional<ElementType> element(std::size_t place) const { return elementType(type(place)); }
    /// The text of a value; "" if it has none. hasValues(): the profiler wrote the values of all inputs.
    std::string_view value(std::size_t place) const;
    bool hasValues() const { return m_values.size() == m_shapes.size(); }

    // The value as "True", "2", "[1, 1]", "[True, False]"; nullopt for anything else, or a number that is
    // larger than any size.
    std::optional<bool> flag(std::size_t place) const;
    std::optional<std::int64_t> number(std::size_t place) const;
    std::optional<std::vector<std::int64_t>> numbers(std::size_t place) const;
    std::optional<std::vector<bool>> flags(std::size_t place) const;

private:
    std::vector<TensorShape> m_shapes;
    std::vector<std::string> m_types, m_values;
};

} // namespace collscope
