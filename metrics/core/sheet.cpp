// SPDX-FileCopyrightText: 2026 The Collscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "metrics/core/sheet.h"

#include <algorithm>

namespace collscope {

void Sheet::forEachRow(const TakeSheetRow& take) const
{
    if (stream) {
        stream->make(take);
        return;
    }
    for (const Value::Array& row : rows) {
        if (!take(row))
            return;
    }
}

void Sheet::keepRows()
{
    if (!stream)
        return;
    rows.reserve(stream->count);
    stream->make([this](const Value::Array& row) {
        rows.push_back(row);
        return true;
    });
    stream.reset();
}

std::optional<std::size_t> Sheet::column(std::string_view title) const
{
    const auto found = std::find(columns.begin(), columns.end(), title);
    return found == columns.end() ? std::nullopt
                                  : std::optional(static_cast<std::size_t>(found - columns.begin()));
}

const Sheet* Workbook::sheet(SheetKind kind) const
{
    const auto found
        = std::find_if(sheets.begin(), sheets.end(), [&](const Sheet& known) { return known.kind == kind; });
    return found == sheets.end() ? nullptr : &*found;
}

const Sheet* Workbook::sheet(std::string_view name) const
{
    const auto found
        = std::find_if(sheets.begin(), sheets.end(), [&](const Sheet& known) { return known.name == name; });
    return found == sheets.end() ? nullptr : &*found;
}

Value numberCell(const std::optional<double>& number)
{
    return orNull(number);
}

Value countCell(const std::optional<std::int64_t>& count)
{
    return orNull(count);
}

Value textCell(std::string_view text)
{
    return text.empty() ? Value() : Value(text);
}

std::string keyText(const Value& cell)
{
    if (const auto* text = cell.as<std::string>())
        return *text;
    const auto number = numberOf(cell);
    return number ? numberText(*number) : std::string();
}

} // namespace collscope
