// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/comparison/packed_rows.h"

#include "model/string_table.h"

#include <cstring>

namespace collscope {

namespace {

/// The first byte of a cell says what follows it.
enum class PackedCell : char
{
    Null,
    False,
    True,
    Whole, ///< 8 bytes
    Number, ///< 8 bytes
    Text, ///< id of the text, 4 bytes
    Other ///< index of the value, 4 bytes
};

class PackedRows
{
public:
    void add(const Value::Array& row)
    {
        // Rows do not cross pieces, and full pieces never move.
        if (m_pieces.empty() || m_pieces.back().size() >= pieceBytes)
            m_pieces.emplace_back().reserve(pieceBytes + pieceBytes / 4);
        m_columns = row.size();
        for (const Value& cell : row)
            add(cell, m_pieces.back());
    }

    void forEach(const TakeSheetRow& take) const
    {
        Value::Array row(m_columns);
        for (const std::string& piece : m_pieces) {
            const char* at = piece.data();
            while (at != piece.data() + piece.size()) {
                for (Value& cell : row)
                    cell = next(at);
                if (!take(row))
                    return;
            }
        }
    }

private:
    static constexpr std::size_t pieceBytes = std::size_t{256} << 10;

    void add(const Value& cell, std::string& bytes)
    {
        if (const auto* text = cell.as<std::string>()) {
            put(PackedCell::Text, m_texts.intern(*text).value, bytes);
        } else if (const auto* number = cell.as<double>()) {
            put(PackedCell::Number, *number, bytes);
        } else if (const auto* whole = cell.as<std::int64_t>()) {
            put(PackedCell::Whole, *whole, bytes);
        } else if (const auto* truth = cell.as<bool>()) {
            bytes += static_cast<char>(*truth ? PackedCell::True : PackedCell::False);
        } else if (cell.as<std::nullptr_t>()) {
            bytes += static_cast<char>(PackedCell::Null);
        } else {
            put(PackedCell::Other, static_cast<std::uint32_t>(m_others.size()), bytes);
            m_others.push_back(cell);
        }
    }

    template<typename T>
    static void put(PackedCell kind, const T& content, std::string& bytes)
    {
        bytes += static_cast<char>(kind);
        bytes.append(reinterpret_cast<const char*>(&content), sizeof content);
    }

    template<typename T>
    static T taken(const char*& at)
    {
        T content;
        std::memcpy(&content, at, sizeof content);
        at += sizeof content;
        return content;
    }

    Value next(const char*& at) const
    {
        switch (static_cast<PackedCell>(*at++)) {
        case PackedCell::Null:
            break;
        case PackedCell::False:
            return false;
        case PackedCell::True:
            return true;
        case PackedCell::Whole:
            return taken<std::int64_t>(at);
        case PackedCell::Number:
            return taken<double>(at);
        case PackedCell::Text:
            return m_texts.view(StringId{taken<std::uint32_t>(at)});
        case PackedCell::Other:
            return m_others[taken<std::uint32_t>(at)];
        }
        return {};
    }

    std::size_t m_columns = 0;
    std::vector<std::string> m_pieces;
    StringTable m_texts;
    Value::Array m_others; ///< cells of other types
};

} // namespace

std::shared_ptr<const RowStream> packedRows(const RowStream& stream)
{
    auto packed = std::make_shared<PackedRows>();
    stream.make([&](const Value::Array& row) {
        packed->add(row);
        return true;
    });
    const std::shared_ptr<const PackedRows> rows = std::move(packed);
    return std::make_shared<const RowStream>(
        RowStream{stream.count, [rows](const TakeSheetRow& take) { rows->forEach(take); }, rows});
}

} // namespace collscope
